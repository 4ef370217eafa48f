// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import CAMARACommonalities
import JSONTree
import ModemModel
import RedirectChain
import TokenSigning
import Web
import CAMARAFlows

/// CAMARA: Number Verification with each end of the authorization, and SIM Swap.
extension RecordedFlow {
  private static let number = try! SubscriberNumber("+447700900123")
  private static let tools = OpenIDTools(random: { Array(repeating: 7, count: $0) }, sha256: { Digest.sha256($0) })
  /// 32 bytes of 7, as state and nonce are made of.
  private static let made = Base64.encodeURL(Array(repeating: 7, count: 32))
  private static let code = RecordedAnswer.redirected([
    "code": "the-code", "state": made, "iss": "https://auth.operator.example",
  ])
  private static let token = RecordedAnswer(
    200,
    #"{"access_token":"access-1","token_type":"Bearer","expires_in":300,"refresh_token":"refresh-1","scope":"s","id_token":"\#(idToken)"}"#
  )
  private static let clientToken = RecordedAnswer(
    200, #"{"access_token":"access-1","token_type":"Bearer","expires_in":300}"#)

  private static var idToken: String {
    let claims =
      #"{"iss":"https://auth.operator.example","aud":"app-1","nonce":"\#(made)","exp":1790003600,"iat":1790000000,"sub":"u1"}"#
    return "eyJhbGciOiJSUzI1NiJ9.\(Base64.encodeURL(Array(claims.utf8))).c2ln"
  }

  private static func camara(
    _ name: String, _ result: FlowResult, _ answers: [String: [RecordedAnswer]],
    deciding: (step: String, member: String, value: Bool)? = nil,
    _ change: @escaping @Sendable (inout CAMARASettings) -> Void = { _ in },
    _ ask: @escaping @Sendable (CAMARAProvider, FlowRun) async throws -> FlowOutcome
  ) -> RecordedFlow {
    let back = "https://app.example/back"
    var settings = CAMARASettings(
      CAMARAServer(
        root: try! Endpoint("https://api.operator.example"),
        authorizationEndpoint: try! WebURL("https://auth.operator.example/authorize"),
        tokenEndpoint: try! WebURL("https://auth.operator.example/token"),
        client: OpenIDClient(id: "app-1", .basic(Secret("s3cret"))), tools))
    settings.server.redirect = .intercepted(try! RedirectURI(back), text: back)
    change(&settings)
    let provider = CAMARAProvider(name: "operator", settings: settings)
    var recording = RecordedFlow("CAMARA, \(name)", result, answers) { run in try await ask(provider, run) }
    recording.secrets = ["447700900", "s3cret", "the-code", "access-1", "refresh-1", made]
    if let deciding {
      recording.allows = { given in
        let names = [deciding.member] + (deciding.member == "swapped" ? ["simSwapped"] : [])
        return names.contains { given.member(deciding.step, $0) == .bool(deciding.value) }
      }
    }
    return recording
  }

  package static let camara: [RecordedFlow] =
    [true, false].flatMap { verified -> [RecordedFlow] in
      let (result, word): (FlowResult, String) = verified ? (.verified, "the number") : (.notVerified, "another number")
      let answer = RecordedAnswer(200, #"{"devicePhoneNumberVerified":\#(verified)}"#, ["x-correlator": "c"])
      return [
        camara(
          "Number Verification, \(word)", result,
          ["authorize": [code], "exchangeCode": [token], "verify": [answer]],
          deciding: ("verify", "devicePhoneNumberVerified", true)
        ) { provider, run in
          try await provider.verify(number, of: Subscriber(modem: "m0"), isCovered: false, run).outcome
        },
        camara(
          "Number Verification by a backend, \(word)", result, ["authorize": [code], "fetchRedirect": [answer]],
          deciding: ("fetchRedirect", "devicePhoneNumberVerified", true),
          { $0.server.redirect = .fetched(try! WebURL("https://app.example/back")) }
        ) { provider, run in
          try await provider.verify(number, of: Subscriber(modem: "m0"), isCovered: false, run).outcome
        },
        camara(
          "SIM Swap, \(verified ? "none" : "one")", verified ? .simUnchanged : .simSwapped,
          ["clientToken": [clientToken], "checkSIMSwap": [RecordedAnswer(200, #"{"swapped":\#(!verified)}"#)]],
          deciding: ("checkSIMSwap", "swapped", false)
        ) { provider, run in
          try await run(provider.machine(.check(hours: 240), about: number, of: Subscriber(modem: "m0"), at: run.now))
            .outcome
        },
      ]
    } + [
      camara(
        "the SIM's number", .numberRead,
        [
          "authorize": [code], "exchangeCode": [token],
          "devicePhoneNumber": [RecordedAnswer(200, #"{"devicePhoneNumber":"+447700900123"}"#)],
        ]
      ) { provider, run in try await run(provider.machine(.read, at: run.now)).outcome },
      camara(
        "the date of a swap", .simUnchanged,
        [
          "clientToken": [clientToken],
          "retrieveSIMSwapDate": [
            RecordedAnswer(200, #"{"latestSimChange":"2020-01-01T00:00:00.000Z","monitoredPeriod":120}"#)
          ],
        ]
      ) { provider, run in
        try await run(
          provider.machine(.date(within: .seconds(86_400)), about: number, of: Subscriber(modem: "m0"), at: run.now)
        ).outcome
      },
      camara(
        "a watch without a swap", .simUnchanged,
        [
          "clientToken": [clientToken],
          "retrieveSIMSwapDate": [RecordedAnswer(200, #"{"latestSimChange":null,"monitoredPeriod":120}"#)],
        ]
      ) { provider, run in
        try await run(
          provider.machine(.date(within: .seconds(86_400)), about: number, of: Subscriber(modem: "m0"), at: run.now)
        ).outcome
      },
      camara(
        "an operator's refusal", .subscriberUnknown,
        [
          "clientToken": [clientToken],
          "checkSIMSwap": [RecordedAnswer(404, #"{"status":404,"code":"NOT_FOUND","message":"about +447700900123"}"#)],
        ],
        deciding: ("checkSIMSwap", "swapped", false)
      ) { provider, run in
        try await run(provider.machine(.check(hours: 240), about: number, of: Subscriber(modem: "m0"), at: run.now))
          .outcome
      },
    ]
}
