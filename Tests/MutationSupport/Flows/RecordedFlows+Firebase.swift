// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import JSONTree
import ModemModel
import RedirectChain
import TruIDFlows
import FirebaseFlows

/// Firebase: a sign-in behind its gate, a wrong code, and a refresh.
extension RecordedFlow {
  private static let number = try! SubscriberNumber("+447700900123")

  private static func token(_ payload: String) -> String {
    "eyJhbGciOiJSUzI1NiJ9.\(Base64.encodeURL(Array(payload.utf8))).c2lnbmF0dXJl"
  }

  private static let idToken = token(
    #"{"user_id":"u1","phone_number":"+447700900123","exp":1790003600,"iat":1790000000}"#)
  private static let gate = RecordedAnswer(200, #"{"no_sim_change":true}"#)
  private static let sent = RecordedAnswer(200, #"{"sessionInfo":"session-1"}"#)
  private static let signedIn = RecordedAnswer(
    200,
    #"{"idToken":"\#(idToken)","refreshToken":"refresh-1","expiresIn":"3600","localId":"u1","isNewUser":true,"phoneNumber":"+447700900123"}"#
  )
  private static let wrong = RecordedAnswer(
    400,
    #"{"error":{"code":400,"message":"INVALID_CODE : about +447700900123","errors":[{"message":"INVALID_CODE","domain":"global","reason":"invalid"}],"details":[{"@type":"t","metadata":{"service":"s"}}]}}"#
  )

  private static func firebase(
    _ name: String, _ result: FlowResult, _ answers: [String: [RecordedAnswer]],
    _ ask: @escaping @Sendable (PhoneSignInFlow, FlowRun) async throws -> FlowOutcome
  ) -> RecordedFlow {
    let backend = SIMCheckBackend(try! Endpoint("https://app.example/api"))
    let checker = TruIDBackendSIMCheck(backend, named: "backend")
    var settings = FirebaseSettings(apiKey: Secret("key-1"), gate: SIMGate(.backend(backend)))
    settings.code.attempts = 3
    var recording = RecordedFlow("Firebase, \(name)", result, answers) { [settings] run in
      try await ask(PhoneSignInFlow(settings, checker: checker, now: { run.now }), run)
    }
    recording.codes = ["135790", "135791", "135792", "135793"]
    recording.secrets = ["447700900", "key-1", "session-1", "refresh-1", "13579"]
    recording.allows = { given in
      guard let step = given.answers.keys.first(where: { $0.hasPrefix("signIn") || $0.hasPrefix("refresh") }),
        given.member(step, "idToken") != nil || given.member(step, "id_token") != nil
          || given.member(step, "access_token") != nil
      else { return false }
      guard step.hasPrefix("signIn") else { return true }
      // A number that cannot be read is none: the ID token's counts.
      let told = given.member(step, "phoneNumber")?.string.flatMap { try? SubscriberNumber($0) }
      return given.member("simCheck", "no_sim_change") == .bool(true) && (told == nil || told == number)
    }
    return recording
  }

  private static let signIn: @Sendable (PhoneSignInFlow, FlowRun) async throws -> FlowOutcome = { flow, run in
    try await flow.signIn(SignInRequest(number, canAsk: true), of: Subscriber(modem: "m0"), run).outcome
  }

  package static let firebase: [RecordedFlow] = [
    firebase(
      "signed in", .signedIn,
      ["simCheck": [gate], "sendVerificationCode": [sent], "signInWithPhoneNumber": [signedIn]], signIn),
    firebase(
      "a wrong code, then the right one", .signedIn,
      ["simCheck": [gate], "sendVerificationCode": [sent], "signInWithPhoneNumber": [wrong, signedIn]], signIn),
    firebase(
      "wrong codes alone", .codeWrong,
      ["simCheck": [gate], "sendVerificationCode": [sent], "signInWithPhoneNumber": [wrong]], signIn),
    firebase(
      "a changed SIM", .simSwapped,
      [
        "simCheck": [RecordedAnswer(200, #"{"no_sim_change":false}"#)], "sendVerificationCode": [sent],
        "signInWithPhoneNumber": [signedIn],
      ], signIn),
    firebase(
      "an account of somebody else", .userRefused,
      [
        "simCheck": [gate], "sendVerificationCode": [sent],
        "signInWithPhoneNumber": [
          RecordedAnswer(
            200, #"{"temporaryProof":"proof-1","temporaryProofExpiresIn":"3600","phoneNumber":"+447700900123"}"#)
        ],
      ], signIn),
    firebase(
      "a refresh", .signedIn,
      [
        "refreshToken": [
          RecordedAnswer(
            200,
            #"{"access_token":"\#(idToken)","id_token":"\#(idToken)","expires_in":"3600","token_type":"Bearer","refresh_token":"refresh-2","user_id":"u1","project_id":"12"}"#
          )
        ]
      ]
    ) { flow, run in try await flow.refresh(Secret("refresh-1"), run).outcome },
  ]
}
