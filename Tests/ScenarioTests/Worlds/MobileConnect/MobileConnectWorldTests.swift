import FoundationEssentials
import MobileConnectAPI
import ModemAPI
import ModemAPIClient
import ScenarioRunner
import Testing
import Varlink

/// Mobile Connect from the SIM to the user who is signed in: each way to the operator, and each way
/// to fail there.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct MobileConnectWorldTests {
  typealias Kit = MobileConnectWorld
  typealias Result = MobileConnectInterface.Outcome.Result

  /// A provider, and how a sign-in with it ends.
  struct Case: Sendable {
    let entry: Kit.Entry
    let result: Result
    var code: String?
    /// The steps behind the bearer's.
    let steps: [String]

    init(_ entry: Kit.Entry, _ result: Result, code: String? = nil, _ steps: [String]) {
      (self.entry, self.result, self.code, self.steps) = (entry, result, code, steps)
    }
  }

  private static let toOperator = ["discoverByNetwork", "readMetadata"]
  private static let toCode = toOperator + ["authorize"]
  private static let toTokens = toCode + ["exchangeCode"]
  private static let whole = toTokens + ["readKeys"]
  private static let end = ["authorize", "exchangeCode", "readKeys"]

  private static func faults(_ words: String...) -> String {
    #", "faults": [\#(words.map { "\"\($0)\"" }.joined(separator: ", "))]"#
  }

  static let cases: [Case] = [
    .init(.init(name: "network"), .signedIn, whole),
    .init(
      .init(name: "selected", discovery: #", "networkForm": "selected", "usingMobileData": "word""#), .signedIn, whole),
    .init(
      .init(name: "number", discovery: #", "ways": ["number"]"#), .signedIn,
      ["discoverByNumber", "readMetadata"] + end),
    .init(
      .init(name: "address", discovery: #", "ways": ["address"]"#), .signedIn,
      ["discoverByAddress", "readMetadata"] + end),
    .init(.init(name: "endpoints", source: .endpoints), .signedIn, end),
    .init(.init(name: "issuer", source: .issuer), .signedIn, ["readMetadata"] + end),
    .init(.init(name: "old-links", application: faults("oldLinks")), .signedIn, whole),
    .init(.init(name: "no-metadata", application: faults("metadataError")), .signedIn, whole),
    .init(.init(name: "no-correlation", application: faults("missingCorrelation")), .signedIn, whole),
    .init(.init(name: "several-audiences", application: faults("severalAudiences")), .signedIn, whole),
    .init(.init(name: "waits", application: #", "waits": 9"#, file: #", "handsetPauseSeconds": 0"#), .signedIn, whole),
    .init(
      .init(name: "patient", application: #", "waits": 1"#, file: #", "handsetPauseSeconds": 1"#), .signedIn, whole),
    .init(.init(name: "third", file: #", "version": "mc_di_v3.0", "acr": ["3"]"#), .signedIn, whole),
    // What goes wrong on the way to the code.
    .init(
      .init(name: "other-discovery", application: faults("discoveryCorrelation")), .stateMismatch,
      ["discoverByNetwork"]),
    .init(.init(name: "consent", application: #", "asksConsent": true"#), .interactionRequired, toCode),
    .init(
      .init(name: "refused", application: #", "refusal": "access_denied""#), .userRefused, code: "access_denied", toCode
    ),
    .init(
      .init(name: "busy", application: #", "refusal": "temporarily_unavailable""#), .providerUnavailable,
      code: "temporarily_unavailable", toCode),
    .init(
      .init(name: "server-error", application: #", "refusal": "server_error""#), .operatorError, code: "server_error",
      toCode),
    .init(
      .init(name: "bad-scope", file: #", "scope": ["mc_everything"]"#), .badRequest, code: "invalid_scope", toCode),
    .init(.init(name: "state", application: faults("state")), .stateMismatch, toCode),
    .init(.init(name: "no-state", application: faults("missingState")), .stateMismatch, toCode),
    .init(.init(name: "correlation", application: faults("correlation")), .stateMismatch, toCode),
    .init(
      .init(name: "endless", application: faults("endless"), file: #", "handsetPauseSeconds": 0"#), .redirectError,
      toCode),
    .init(
      .init(
        name: "few-hops", application: #", "waits": 9"#, file: #", "handsetPauseSeconds": 0, "maximumRedirects": 6"#),
      .redirectError, toCode),
    .init(
      .init(name: "no-time", application: faults("endless"), file: #", "authorizationSeconds": 1"#), .timeout, toCode),
    // What goes wrong with tokens, but for the ID token.
    .init(.init(name: "token-correlation", application: faults("tokenCorrelation")), .stateMismatch, toTokens),
    .init(
      .init(name: "token-limit", application: faults("tokenRateLimit")), .rateLimited, code: "slow_down", toTokens),
    .init(.init(name: "expired", application: faults("expiredCode")), .expired, code: "invalid_grant", toTokens),
    .init(.init(name: "no-token", application: faults("missingAccessToken")), .badAnswer, toTokens),
  ]

  @Test func `each way that a sign-in can go ends as it should, and nothing leaves by another network`() async throws {
    try await Worlds.with(Kit.scenario(Self.cases.map(\.entry))) { world in
      for test in Self.cases {
        let name = test.entry.name
        let run = try await Kit.login(world, with: name)
        let outcome = try #require(run.outcome, "\(name)")
        #expect(outcome.result == test.result && outcome.code == test.code, "\(name): \(run.words)")
        #expect(run.names == ["bearer"] + test.steps, "\(name): \(run.words)")
        #expect((run.tokens != nil) == (test.result == .signedIn), "\(name)")
        #expect((run.page != nil) == (test.result == .interactionRequired), "\(name)")
        #expect(outcome.provider == name && outcome.kind == "mobileConnect")
        if name == "patient" {
          let begins = run.hops.suffix(2).map(\.start)
          #expect(begins[1] - begins[0] >= 1000, "the operator is asked again no sooner than it may be")
        }
        if name == "token-limit" { #expect(outcome.retryAfterMilliseconds == 11_000) }
        guard name == "network" else { continue }
        // https, the operator's host in clear, and back to https; the redirect URI is not fetched.
        let hops = run.hops.filter { hop in run.steps.first { $0.name == "authorize" }?.index == hop.step }
        #expect(
          hops.map { "\($0.scheme) \($0.host)" } == [
            "https mobileconnect.operator.example", "http he.mobileconnect.example",
            "https mobileconnect.operator.example",
          ])
        #expect(["10.64.0.2", "2001:db8:64::2"].contains(outcome.source))
        #expect(run.tokens?.claims?["acr"]?.string == "2" && run.tokens?.subject?.isEmpty == false)
      }
      #expect(world.leaks.packets == 0, "\(world.leaks)")
      #expect(world.requests(.uplink).isEmpty)
    }
  }

  @Test func `only what proves nothing by where it comes from leaves by the machine's own network`() async throws {
    let entries = [Kit.Entry(name: "by-host", discovery: #", "ways": ["number"]"#, file: #", "route": "host""#)]
    try await Worlds.with(Kit.scenario(entries)) { world in
      let run = try await Kit.login(world, with: "by-host", information: .userinfo)
      #expect(run.outcome?.result == .signedIn, "\(run.words)")
      #expect(run.steps.map(\.lane) == [.host, .host, .modem, .bearer, .host, .host, .host])
      #expect(
        world.requests(.uplink).map(\.description) == [
          "uplink POST discover.exchange.example /v2", "uplink GET mobileconnect.operator.example /.well-known",
          // The keys are read beside the chain.
          "uplink GET mobileconnect.operator.example /jwks", "uplink POST mobileconnect.operator.example /token",
          "uplink GET mobileconnect.operator.example /userinfo",
        ])
      // With the exchange's cookies now.
      let again = try await Kit.login(world, with: "by-host")
      #expect(again.outcome?.result == .signedIn, "\(again.words)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test func `a person selects the operator on a page, and the sign-in is taken up again`() async throws {
    let entries = [
      Kit.Entry(name: "page", discovery: #", "ways": ["page"]"#),
      Kit.Entry(name: "html", discovery: #", "ways": ["page"], "html": true"#),
    ]
    try await Worlds.with(Kit.scenario(entries)) { world in
      for (name, choice) in [("page", "msisdn=4915112345678"), ("page", "mcc_mnc=262_01"), ("html", "mcc_mnc=262_01")] {
        let begun = try await Kit.login(world, with: name)
        #expect(begun.outcome?.result == .interactionRequired, "\(name): \(begun.words)")
        #expect(begun.names == ["bearer", "askForPage"], "\(name)")
        let page = try #require(begun.page, "\(name)")
        #expect(page.hasPrefix("https://discover.exchange.example/select?"))
        let callback = try await Kit.press(page, choice, world)
        #expect(callback.hasPrefix(Kit.callback + "?mcc_mnc=262_01"))
        let run = try await Kit.login(world, with: name, whose: .init(callback: callback))
        #expect(run.outcome?.result == .signedIn, "\(name): \(run.words)")
        #expect(run.names.contains("exchangeCode"), "\(name): \(run.names)")
      }
      let wrong = try await Self.error {
        try await Kit.login(world, with: "page", whose: .init(callback: Kit.callback))
      }
      #expect(wrong == "org.modemd.Verify.InvalidArgument")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  /// What is said of a call that is refused; nil where it is not.
  private static func error(_ call: () async throws -> some Any) async throws -> String? {
    do {
      _ = try await call()
      return nil
    } catch let error as VarlinkError {
      return "\(error)"
    }
  }

  @Test func `an answer of discovery is kept, and one that is too old serves while the service is away`() async throws {
    let old = #", "cacheLeastSeconds": 0"#
    let entries = [Kit.Entry(name: "kept"), Kit.Entry(name: "old", file: old), Kit.Entry(name: "unknown")]
    try await Worlds.with(Kit.scenario(entries, provider: #", "lifeSeconds": 0"#)) { world in
      for name in ["kept", "old"] {
        let first = try await Kit.login(world, with: name)
        #expect(first.outcome?.result == .signedIn && first.names.contains("discoverByNetwork"), "\(first.words)")
      }
      _ = try await world.perform("tell mobileConnect.exchange unavailable")
      // The service's time is over at once, but five minutes are believed in any case.
      let kept = try await Kit.login(world, with: "kept")
      #expect(kept.outcome?.result == .signedIn && !kept.names.contains("discoverByNetwork"), "\(kept.words)")
      let stale = try await Kit.login(world, with: "old")
      let asked = stale.steps.first { $0.name == "discoverByNetwork" }
      #expect(stale.outcome?.result == .signedIn && asked?.status == 503, "\(stale.words)")
      let found = try await world.client().call(MobileConnectInterface.Discover.self, .init(provider: "old"))
      #expect(found.discovery?.stale == true && found.discovery?.kept == true)
      let unknown = try await Kit.login(world, with: "unknown")
      #expect(unknown.outcome?.result == .operatorError && unknown.outcome?.status == 503, "\(unknown.words)")
    }
  }

  @Test func `a bearer that is lost at the operator ends the sign-in, and the next one works`() async throws {
    let entries = [
      Kit.Entry(name: "silent", application: Self.faults("silentOperator")), Kit.Entry(name: "network"),
    ]
    try await Worlds.with(Kit.scenario(entries)) { world in
      let run = try await Kit.login(world, with: "silent") { hop in
        // The operator's host in clear is asked now, and does not answer.
        if hop.next == "he.mobileconnect.example" { _ = try await world.perform("drop-bearer 36") }
      }
      #expect(run.outcome?.result == .noDataPath && run.outcome?.cause != nil, "\(run.words)")
      var last = Kit.Run()
      let works = try await world.eventually {
        last = try await Kit.login(world, with: "network")
        return last.outcome?.result == .signedIn
      }
      #expect(works, "\(last.words)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }
}
