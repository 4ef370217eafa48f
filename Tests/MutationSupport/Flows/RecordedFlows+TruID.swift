// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import JSONTree
import ModemModel
import RedirectChain
import TruIDFlows

/// tru.ID: a check by each way, coverage, SIMCheck and traces.
extension RecordedFlow {
  private static let number = try! SubscriberNumber("+447700900123")
  private static let checkURL = "https://eu.api.tru.id/phone_check/v0.1/checks/c-1/redirect"
  private static let created = RecordedAnswer(
    201,
    #"{"check_id":"c-1","status":"ACCEPTED","ttl":120,"_links":{"self":{"href":"https://eu.api.tru.id/x/phone_checks/c-1"},"check_url":{"href":"\#(checkURL)"}}}"#,
    ["Content-Type": "application/hal+json"])
  private static let token = RecordedAnswer(
    200, #"{"access_token":"token-1","expires_in":3600,"token_type":"bearer","scope":"phone_check"}"#)
  private static let walked = RecordedAnswer(200, "", trail: ["http://mno.example/he?x=1"])
  private static let coded = RecordedAnswer(
    200, #"{"check_id":"c-1","code":"code-1"}"#, ["Content-Type": "application/hal+json"])
  private static let coverage = RecordedAnswer(
    200,
    #"{"network_id":"23410","network_name":"N","country_code":"GB","mobile_data_ip":"198.51.100.7","#
      + #""network_aliases":[{"id":"23411","name":"M"}],"products":[{"product_id":"pck","product_name":"P"}],"#
      + #""_links":{"self":{"href":"https://eu.api.tru.id/coverage"}}}"#)

  private static func completed(_ match: Bool, _ more: String = "") -> RecordedAnswer {
    RecordedAnswer(
      200,
      #"{"check_id":"c-1","status":"COMPLETED","match":\#(match),"created_at":"2026-11-22T06:00:00Z","#
        + #""charge_amount":1.0,"charge_currency":"API"\#(more)}"#)
  }

  private static func settings(_ change: (inout TruIDSettings) -> Void = { _ in }) -> TruIDSettings {
    var settings = TruIDSettings()
    settings.credentials = TruIDCredentials(clientID: "id", clientSecret: Secret("s3cret"))
    change(&settings)
    return settings
  }

  private static let backend = TruIDBackend(try! Endpoint("https://app.example/demo"))

  private static func truID(
    _ name: String, _ result: FlowResult, _ answers: [String: [RecordedAnswer]],
    deciding: (step: String, member: String)? = nil,
    _ change: @escaping @Sendable (inout TruIDSettings) -> Void = { _ in },
    _ ask: @escaping @Sendable (TruIDFlow) async throws -> FlowOutcome
  ) -> RecordedFlow {
    let subscriber = Subscriber(modem: "m0", home: PLMN("23410"))
    var recording = RecordedFlow("tru.ID, \(name)", result, answers) { run in
      // Settings keep tokens: each run has its own.
      try await ask(TruIDFlow(settings(change), of: subscriber, run, random: { Array(repeating: 7, count: 16) }))
    }
    recording.secrets = ["447700900", "s3cret", "code-1", "token-1"]
    if let deciding { recording.allows = { $0.member(deciding.step, deciding.member) == .bool(true) } }
    return recording
  }

  package static let truID: [RecordedFlow] =
    [true, false].flatMap { match -> [RecordedFlow] in
      let (result, word): (FlowResult, String) = match ? (.verified, "the number") : (.notVerified, "another number")
      return [
        truID(
          "v0.1 at the API, \(word)", result,
          [
            "accessToken": [token], "createCheck": [created], "openCheckURL": [walked],
            "readResult": [RecordedAnswer(200, #"{"status":"PENDING"}"#), completed(match)],
          ],
          deciding: ("readResult", "match")
        ) { try await $0.check(.phoneCheck, of: number).outcome },
        truID(
          "v0.2 at the API with a code, \(word)", result,
          [
            "accessToken": [token], "createCheck": [created], "openCheckURL": [coded],
            "exchangeCode": [
              completed(
                match,
                #","no_sim_change":true,"last_sim_change_at":"2020-01-01T00:00:00Z","no_sim_change_period":10080"#)
            ],
          ],
          deciding: ("exchangeCode", "match"), { $0.version = .v2 }
        ) { try await $0.check(.subscriberCheck, of: number).outcome },
        truID(
          "v0.1 by a backend, \(word)", result,
          [
            "createCheck": [RecordedAnswer(200, #"{"check_id":"c-1","check_url":"\#(checkURL)"}"#)],
            "openCheckURL": [walked],
            "readResult": [RecordedAnswer(200, #"{"match":\#(match),"no_sim_change":true}"#)],
          ],
          deciding: ("readResult", "match"), { $0.backend = backend }
        ) { try await $0.check(.subscriberCheck, of: number).outcome },
        truID(
          "with the address told, \(word)", result,
          [
            "accessToken": [token], "deviceCoverage": [coverage], "createCheck": [created], "openCheckURL": [walked],
            "readResult": [completed(match)],
          ],
          deciding: ("readResult", "match"), { $0.sendsAddress = true }
        ) { try await $0.check(.phoneCheck, of: number).outcome },
        truID(
          "SIMCheck, \(match ? "unchanged" : "changed")", match ? .simUnchanged : .simSwapped,
          [
            "accessToken": [token],
            "simCheck": [
              RecordedAnswer(
                201,
                #"{"check_id":"c-2","status":"COMPLETED","no_sim_change":\#(match),"last_sim_change_at":"2020-01-01T00:00:00Z","no_sim_change_period":10080}"#
              )
            ],
          ],
          deciding: ("simCheck", "no_sim_change")
        ) { try await $0.simCheck(of: number).outcome },
      ]
    } + [
      truID("device coverage", .covered, ["accessToken": [token], "deviceCoverage": [coverage]]) {
        try await $0.deviceCoverage(.phoneCheck).outcome
      },
      truID(
        "coverage of a country", .covered,
        [
          "accessToken": [token],
          "countryCoverage": [
            RecordedAnswer(
              200,
              #"{"name":"UK","code":"GB","dialing_code":44,"networks":[{"id":"23410","name":"N"}],"products":[{"product_id":"PCK","networks":[{"network_id":"23410"}]}]}"#
            )
          ],
        ]
      ) { try await $0.coverage(of: .country("GB")).outcome },
      truID(
        "traces", .authorized,
        [
          "accessToken": [token],
          "readTraces": [
            RecordedAnswer(
              200,
              #"{"_embedded":{"traces":[{"trace_id":"t-1","logs":[{"timestamp":"2026-11-22T06:00:00Z","message":"m","attributes":{"a":1}}]}]}}"#
            )
          ],
        ]
      ) { try await $0.traces(of: "c-1", .phoneCheck).outcome },
    ]
}
