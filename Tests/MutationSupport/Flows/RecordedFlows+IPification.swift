// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import JSONTree
import ModemModel
import RedirectChain
import Web
import IPificationFlows

/// IPification: coverage, an authorization, and each way to complete one.
extension RecordedFlow {
  private static let number = try! SubscriberNumber("+447700900123")
  /// What 24 bytes of 0x5a and of 0x5b are written as.
  private static let state = "modemd-" + String(repeating: "Wlpa", count: 8)
  private static let nonce = String(repeating: "W1tb", count: 8)

  private static let covered = RecordedAnswer(200, #"{"available":true,"operator_code":"23410"}"#)
  private static let code = RecordedAnswer.redirected(["code": "the-code", "state": state])

  private static func token(_ claims: String) -> String {
    "eyJhbGciOiJIUzI1NiJ9.\(Base64.encodeURL(Array(claims.utf8))).c2ln"
  }

  private static func tokens(_ verified: Bool) -> RecordedAnswer {
    let claims =
      #"{"aud":"client-1","nonce":"\#(nonce)","exp":1790003600,"iat":1790000000,"sub":"u1","login_hint":"447700900123","phone_number_verified":"\#(verified)"}"#
    return RecordedAnswer(
      200,
      #"{"access_token":"access-1","expires_in":300,"refresh_expires_in":1800,"refresh_token":"refresh-1","token_type":"bearer","not-before-policy":0,"id_token":"\#(token(claims))"}"#
    )
  }

  private static func userinfo(_ verified: Bool) -> RecordedAnswer {
    RecordedAnswer(
      200, #"{"sub":"u1","phone_number_verified":"\#(verified)","login_hint":"447700900123","mobile_id":"m-1"}"#)
  }

  /// Whether claims say that the number is verified.
  private static func says(_ claims: JSONValue?) -> Bool {
    let verified = claims?["phone_number_verified"]
    guard verified?.looseBoolean == true, claims?["sub"]?.string != "anonymous" else { return false }
    let hint = claims?["login_hint"].map { $0.string ?? $0.integer.map(String.init) ?? "" }
    // A backend need not repeat the number.
    return hint.map { (try? SubscriberNumber($0)) == number } ?? true
  }

  private static func ipification(
    _ name: String, _ result: FlowResult, _ task: IPificationQuestion.Task, _ answers: [String: [RecordedAnswer]],
    number: SubscriberNumber? = number, deciding: String? = nil,
    _ change: @escaping @Sendable (inout IPificationSettings) -> Void = { _ in }
  ) -> RecordedFlow {
    var settings = IPificationSettings(
      host: try! IPificationHosts.endpoint("stage"), clientID: "client-1", redirectURI: "com.example.app://ip/callback")
    change(&settings)
    let subscriber = Subscriber(modem: "m0", home: PLMN("23410"), serving: PLMN("20801"), isRoaming: true)
    var recording = RecordedFlow("IPification, \(name)", result, answers) { [settings] run in
      var byte: UInt8 = 0x59
      let machine = try IPificationMachine(
        settings, IPificationQuestion(task, number: number), subscriber: subscriber
      ) { count in
        byte += 1
        return [UInt8](repeating: byte, count: count)
      }
      return try await run(machine).outcome
    }
    recording.redirect = settings.redirectURI
    recording.secrets = ["447700900", "s3cret", "the-code", "access-1", "refresh-1", state, nonce]
    if let deciding {
      recording.allows = { [settings] given in
        guard let answer = given[deciding], answer.failure == nil, (200...299).contains(answer.status),
          let json = JSONValue(parsing: answer.body)
        else { return false }
        guard deciding == "exchangeCode", case .string(let text)? = json["id_token"], task == .verify,
          settings.claimsSource == .idToken
        else { return says(json) }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 && says(Base64.decode(parts[1]).flatMap { JSONValue(parsing: $0) })
      }
    }
    return recording
  }

  package static let ipification: [RecordedFlow] =
    [true, false].flatMap { verified -> [RecordedFlow] in
      let (result, word): (FlowResult, String) = verified ? (.verified, "the number") : (.notVerified, "another number")
      return [
        ipification(
          "user information, \(word)", result, .verify,
          [
            "checkCoverage": [covered], "authorize": [code], "exchangeCode": [tokens(verified)],
            "readUserInfo": [userinfo(verified)],
          ],
          deciding: "readUserInfo"
        ) { $0.completion = .secret(Secret("s3cret")) },
        ipification(
          "an ID token, \(word)", result, .verify,
          ["checkCoverage": [covered], "authorize": [code], "exchangeCode": [tokens(verified)]],
          deciding: "exchangeCode"
        ) {
          $0.completion = .secret(Secret("s3cret"))
          $0.claimsSource = .idToken
        },
        ipification(
          "a backend, \(word)", result, .verify,
          [
            "checkCoverage": [covered], "authorize": [code],
            "completeByBackend": [RecordedAnswer(200, #"{"phone_number_verified":\#(verified),"sub":"u1"}"#)],
          ],
          deciding: "completeByBackend"
        ) { $0.completion = .backend(try! WebURL("https://app.example/ip")) },
      ]
    } + [
      ipification("coverage", .covered, .coverage, ["checkCoverage": [covered]]),
      ipification(
        "no coverage for the number", .operatorMismatch, .coverage,
        ["checkCoverage": [RecordedAnswer(200, #"{"available":false}"#)], "checkCoverageOfAddress": [covered]]),
      ipification("a code for somebody else", .authorized, .authorize, ["authorize": [code]]),
      ipification(
        "a message", .messageAppRequired, .authorize,
        [
          "authorize": [
            RecordedAnswer(
              200, #"{"imbox_session_id":"s-1","wa_link":"https://wa.example/1","imbox_endpoint":"https://im.example"}"#
            )
          ]
        ]
      ) { $0.channels = ["wa"] },
    ]
}
