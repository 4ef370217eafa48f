import FoundationEssentials
import IPificationAPI
import ModemAPI
import ModemAPIClient
import ScenarioRunner
import Testing
import Varlink

/// IPification from the SIM to the verified number: clients of one simulated provider, each with
/// its own way to go.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct IPificationWorldTests {
  private static let own = "+4915112345678"
  /// Another subscriber of the same operator.
  private static let stranger = "+4915199999999"
  /// A subscriber of another operator.
  private static let foreigner = "+4915299999999"

  /// A client, how it is registered, what modemd's file says of it, and what is asked.
  struct Case: Sendable {
    let name: String
    /// Of the scenario's client.
    var client = ""
    /// Of modemd's file.
    var file = ""
    var number = own
    let result: IPificationInterface.Outcome.Result
    var code: String?
    /// The steps behind the bearer's, by their names.
    let steps: [String]
    var retryAfter: Int?

    static let whole = ["checkCoverage", "authorize", "exchangeCode", "readUserInfo"]
    static let toAuthorization = ["checkCoverage", "authorize"]
    static let toToken = ["checkCoverage", "authorize", "exchangeCode"]
    static let backend = #", "redirectURI": "https://backend.ip-app.example/ip/callback""#

    static let all: [Case] = [
      .init(name: "verified", result: .verified, steps: whole),
      .init(name: "mismatch", number: stranger, result: .notVerified, steps: whole),
      .init(
        name: "wrong-operator", number: foreigner, result: .operatorMismatch,
        steps: ["checkCoverage", "checkCoverageOfAddress"]),
      .init(
        name: "not-covered", client: #", "failure": "notCovered""#, result: .operatorUnsupported,
        steps: ["checkCoverage", "checkCoverageOfAddress"]),
      .init(
        name: "coverage-error", client: #", "failure": "coverageError""#, result: .providerUnavailable,
        code: "simulated", steps: ["checkCoverage"]),
      .init(
        name: "portal", client: #", "failure": "coveragePortal""#, result: .captivePortal, steps: ["checkCoverage"]),
      .init(
        name: "stage", client: #", "failure": "operatorError""#, file: #", "assumesCoverage": true"#,
        result: .operatorError, code: "server_error", steps: toAuthorization),
      .init(
        name: "consent-page", client: #", "failure": "consentPage""#, result: .interactionRequired,
        steps: toAuthorization),
      .init(
        name: "consent", client: #", "failure": "consentRequired""#, result: .interactionRequired,
        code: "consent_required", steps: toAuthorization),
      .init(
        name: "wrong-state", client: #", "failure": "wrongState""#, result: .stateMismatch, steps: toAuthorization),
      .init(
        name: "rate-limit", client: #", "failure": "rateLimit""#, result: .rateLimited, steps: toAuthorization,
        retryAfter: 7000),
      .init(
        name: "plain-text", client: #", "failure": "plainText""#, result: .badRequest, code: "invalid_scope",
        steps: toAuthorization),
      .init(
        name: "empty-location", client: #", "failure": "emptyLocation""#, result: .redirectError,
        code: "empty_location", steps: toAuthorization),
      .init(
        name: "messages", client: #", "failure": "messages""#, file: #", "channels": ["ip", "wa"]"#,
        result: .messageAppRequired, steps: toAuthorization),
      .init(
        name: "expired", client: #", "failure": "expiredCode""#, result: .expired, code: "invalid_grant",
        steps: toToken),
      .init(
        name: "token-limit", client: #", "failure": "tokenRateLimit""#, result: .rateLimited, code: "slow_down",
        steps: toToken, retryAfter: 11_000),
      .init(name: "other-number", client: #", "failure": "otherNumber""#, result: .stateMismatch, steps: whole),
      .init(
        name: "anonymous", client: #", "failure": "anonymous""#, result: .notVerified, code: "anonymous",
        steps: whole),
      .init(name: "no-verdict", client: #", "failure": "missingVerdict""#, result: .badAnswer, steps: whole),
      .init(name: "fragment", client: #", "form": "fragment""#, result: .verified, steps: whole),
      .init(name: "body", client: #", "form": "body""#, result: .verified, steps: whole),
      .init(name: "cookie", client: #", "needsCookie": true"#, result: .verified, steps: whole),
      .init(
        name: "no-cookie", client: #", "needsCookie": true"#, file: #", "cookies": false"#, result: .badRequest,
        code: "invalid_request", steps: toAuthorization),
      .init(
        name: "cleartext", file: #", "cleartextDomains": ["vodafone.com"]"#, result: .redirectError,
        steps: toAuthorization),
      .init(
        name: "id-token", file: #", "claims": "idToken", "cleartextDomains": ["operator.example"]"#,
        result: .verified, steps: toToken),
      .init(
        name: "posted", file: #", "backend": "https://backend.ip-app.example/ip/complete""#, result: .verified,
        steps: ["checkCoverage", "authorize", "completeByBackend"]),
      .init(
        name: "fetched", client: backend, file: backend + #", "redirectIsBackend": true"#, result: .verified,
        steps: ["checkCoverage", "authorize", "completeByRedirect"]),
      .init(
        name: "fetched-mismatch", client: backend, file: backend + #", "redirectIsBackend": true"#, number: stranger,
        result: .notVerified, steps: ["checkCoverage", "authorize", "completeByRedirect"]),
    ]
  }

  private static func secret(_ name: String) -> String { "s3cret-of-\(name)" }

  private static let scenario: String = {
    let names =
      Case.all + [
        Case(name: "silent", client: #", "failure": "silentOperator""#, result: .noDataPath, steps: []),
        Case(name: "by-host", file: #", "route": "host""#, result: .verified, steps: []),
      ]
    let clients = names.map { #"{ "id": "\#($0.name)", "secret": "\#(secret($0.name))"\#($0.client) }"# }
    let files = names.map { test in
      let uri = test.file.contains("redirectURI") ? "" : #", "redirectURI": "com.example.app://ip/callback""#
      let route = test.file.contains("route") ? "" : #", "route": "bearer""#
      return """
        "\(test.name)": { "kind": "ipification", "host": "https://api.ipification.example", "clientID": "\(test.name)"
                          \(route)\(uri)\(test.file) }
        """
    }
    let credentials = names.filter { !$0.file.contains("ackend\":") }.map {
      #""\#($0.name).client-secret": "\#(secret($0.name))""#
    }
    return """
      { "providers": [ { "kind": "ipification", "networks": ["26201"], "clients": [ \(clients.joined(separator: ",")) ] } ],
        "subscribers": [ { "number": "\(stranger)" }, { "number": "\(foreigner)", "operator": "26202" } ],
        "modemdProviders": { \(files.joined(separator: ",")) },
        "modemdCredentials": { \(credentials.joined(separator: ",")) } }
      """
  }()

  /// How a flow went.
  private struct Run {
    var steps: [IPificationInterface.Step] = []
    var hops: [IPificationInterface.Hop] = []
    var last: IPificationInterface.Verify.Reply?

    var words: String { "\(last?.outcome?.result.rawValue ?? "no outcome"): \(last?.outcome?.text ?? "")" }
  }

  private static func verify(
    _ world: World, _ number: String, with provider: String, scope: [String]? = nil,
    earlierMobileID: String? = nil, onHop: (IPificationInterface.Hop) async throws -> Void = { _ in }
  ) async throws -> Run {
    var run = Run()
    let stream = try await world.client().stream(
      IPificationInterface.Verify.self,
      .init(number: number, scope: scope, earlierMobileID: earlierMobileID, provider: provider))
    for try await reply in stream {
      if let step = reply.step { run.steps.append(step) }
      if let hop = reply.hop {
        run.hops.append(hop)
        try await onHop(hop)
      }
      if reply.outcome != nil { run.last = reply }
    }
    return run
  }

  @Test func `each way that IPification can go ends as it should, and nothing leaves by another network`() async throws
  {
    try await Worlds.with(Self.scenario) { world in
      for test in Case.all {
        let run = try await Self.verify(world, test.number, with: test.name)
        let outcome = try #require(run.last?.outcome)
        #expect(outcome.result == test.result, "\(test.name): \(run.words)")
        #expect(outcome.code == test.code, "\(test.name): \(run.words)")
        #expect(run.steps.map(\.name) == ["bearer"] + test.steps, "\(test.name)")
        #expect(outcome.retryAfterMilliseconds == test.retryAfter, "\(test.name)")
        #expect((run.last?.messages != nil) == (test.result == .messageAppRequired), "\(test.name)")
        #expect(outcome.provider == test.name && outcome.kind == "ipification")
        let isServers = ["posted", "fetched", "fetched-mismatch"].contains(test.name)
        #expect((run.last?.serverAnswer != nil) == isServers, "\(test.name)")
        if test.name == "verified" {
          // https, the operator in clear, and back to https.
          #expect(run.hops.filter { $0.step == 3 }.map(\.scheme) == [.https, .http, .https])
          #expect(outcome.source == "10.64.0.2" || outcome.source == "2001:db8:64::2")
        }
      }
      let general = try await world.client().call(
        VerifyInterface.Number.self, .init(number: Self.own, provider: "fetched"))
      #expect(general.outcome?.result == .verified && general.serverAnswer != nil)
      #expect(world.leaks.packets == 0, "\(world.leaks)")
      #expect(world.requests(.uplink).isEmpty)
      try Self.expectNoSecrets(world)
    }
  }

  @Test func `coverage, codes, hashes and numbers come as they are asked for`() async throws {
    try await Worlds.with(Self.scenario) { world in
      let client = try await world.client()
      for (number, address, result) in [
        (nil, nil, "covered"), (Self.own, nil, "covered"), (Self.foreigner, nil, "operatorMismatch"),
        (nil, "10.64.0.2", "covered"), (nil, "192.0.2.7", "operatorUnsupported"), (nil, "1.2.3.4", "covered"),
      ] as [(String?, String?, String)] {
        let reply = try await client.call(
          IPificationInterface.Coverage.self, .init(number: number, address: address, provider: "verified"))
        #expect(reply.outcome?.result.rawValue == result, "\(number ?? "-") \(address ?? "-")")
        #expect((reply.operatorCode != nil) == (result != "operatorUnsupported"))
      }
      let authorized = try await client.call(
        IPificationInterface.Authorize.self,
        .init(number: Self.own, state: "own-state", nonce: "own-nonce", locales: ["de"], provider: "verified"))
      let authorization = try #require(authorized.authorization)
      #expect(authorized.outcome?.result == .authorized)
      #expect(authorization.state == "own-state" && authorization.nonce == "own-nonce")
      #expect(authorization.redirect.hasPrefix("com.example.app://ip/callback?code=\(authorization.code)&state="))

      let scope = ["openid", "ip:phone_verify", "ip:phone", "ip:mobile_id"]
      let first = try await Self.verify(world, Self.own, with: "verified", scope: scope)
      let subject = try #require(first.last?.subject)
      #expect(subject.number == Self.own && subject.idToken != nil)
      let hash = try #require(subject.mobileID)
      let same = try await Self.verify(world, Self.own, with: "verified", scope: scope, earlierMobileID: hash)
      #expect(same.last?.outcome?.result == .verified && same.last?.outcome?.sim == .unchanged)
      let other = try await Self.verify(world, Self.own, with: "verified", scope: scope, earlierMobileID: "before")
      #expect(other.last?.outcome?.result == .simSwapped && other.last?.outcome?.sim == .changed)
      #expect(world.requests(.uplink).isEmpty)
      // By the host's network: what proves nothing by where it comes from, and nothing else.
      let outside = try await Self.verify(world, Self.own, with: "by-host")
      #expect(outside.last?.outcome?.result == .verified, "\(outside.words)")
      #expect(outside.steps.map(\.lane) == [.modem, .bearer, .bearer, .host, .host])
      #expect(
        world.requests(.uplink).map(\.description)
          == Array(repeating: "uplink POST api.ipification.example /auth", count: 2))
      // One question to whichever provider is named.
      let asked = try await client.call(
        VerifyInterface.Number.self, .init(number: Self.own, provider: "verified"))
      #expect(asked.outcome?.result == .verified && asked.outcome?.kind == "ipification")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test func `a bearer that is lost at the operator ends the flow, and the next one works`() async throws {
    try await Worlds.with(Self.scenario) { world in
      let run = try await Self.verify(world, Self.own, with: "silent") { hop in
        // The first of the authorization: the operator is asked now, and does not answer.
        if hop.step == 3, hop.index == 1 { _ = try await world.perform("drop-bearer 36") }
      }
      #expect(run.last?.outcome?.result == .noDataPath && run.last?.outcome?.cause != nil, "\(run.words)")
      var last = Run()
      let works = try await world.eventually {
        last = try await Self.verify(world, Self.own, with: "verified")
        return last.last?.outcome?.result == .verified
      }
      #expect(works, "\(last.words)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test func `modemctl shows the steps and the code that was asked for, and ends by the outcome`() async throws {
    try await Worlds.with(Self.scenario) { world in
      func modemctl(_ arguments: String...) async throws -> CommandResult {
        try await world.run(["modemctl", "ipification"] + arguments)
      }
      let covered = try await modemctl("coverage", "--provider", "verified")
      #expect(covered.end == .exited(0) && covered.output.contains("covered"), "\(covered.output)\(covered.error)")
      // The code works once: whoever asks for it gets it.
      let code = try await modemctl("authorize", Self.own, "--provider", "verified", "--state", "a-state")
      #expect(code.end == .exited(0) && code.output.contains("a-state"), "\(code.output)\(code.error)")
      let shown = try await modemctl("authorize", Self.own, "--provider", "verified", "--json")
      let replies = shown.output.split(separator: "\n").compactMap {
        try? JSONDecoder().decode(IPificationInterface.Authorize.Reply.self, from: Data($0.utf8))
      }
      #expect(replies.last?.authorization?.code.count == 32, "\(shown.output)\(shown.error)")
      for (provider, number, status) in [
        ("verified", Self.own, 0), ("mismatch", Self.stranger, 11), ("expired", Self.own, 12), ("nobody", Self.own, 2),
      ] {
        let result = try await modemctl("verify", number, "--provider", provider)
        if provider == "nobody" {
          #expect(result.end != .exited(0) && result.error.contains("those of this kind are"), "\(result.error)")
        } else {
          #expect(result.end == .exited(Int32(status)), "\(provider): \(result.output)\(result.error)")
          #expect(result.output.contains("exchangeCode"), "\(result.output)")
        }
      }
      let bad = try await modemctl("verify", "--provider", "verified", "--scope", "ip:phone")
      #expect(bad.end != .exited(0) && bad.error.contains("scope"), "\(bad.error)")
    }
  }

  /// Neither what the scenario holds nor what the provider made stands in a daemon's log.
  private static func expectNoSecrets(_ world: World) throws {
    let logs = try ["modemd", "modemd-port"].map { name in
      try #require(Worlds.contents(of: world.folder.file("\(name).log")))
    }
    let made = (Worlds.contents(of: world.folder.file("issued-secrets")) ?? "").split(separator: "\n")
      .compactMap { $0.split(separator: "\t").last.map(String.init) }
    #expect(made.count > 20)
    let secrets = made + Case.all.map { secret($0.name) } + [own, stranger, foreigner].map { String($0.dropFirst()) }
    for log in logs { for secret in secrets { #expect(!log.contains(secret)) } }
  }
}
