import CAMARAAPI
import Crypto
import JSONTree
import ModemAPI
import ModemAPIClient
import OperatorSimulator
import Testing
import Varlink

@testable import ScenarioRunner

/// CAMARA from the caller's socket to the simulated operator: the chain with its hop in clear,
/// tokens, and both APIs.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct CAMARAWorldTests {
  typealias Verification = NumberVerificationInterface
  typealias Swap = SIMSwapInterface

  /// The number of the simulated SIM, another of its operator's, and one that no operator has.
  static let own = "+4915112345678"
  static let neighbour = "+4915155555502"
  static let nobody = "+4915155555599"

  /// The same for all, but for the client.
  static func provider(_ client: String, _ more: String = "") -> String {
    """
    { "kind": "camara", "networks": ["262"], "root": "https://api.camara.example", "route": "bearer", "clientID": "\(client)",
      "authorizationEndpoint": "https://auth.camara.example/authorize",
      "tokenEndpoint": "https://auth.camara.example/token" \(more.contains("redirectURI") ? "" : #", "redirectURI": "app:/back""#)
      \(more.isEmpty ? "" : ", \(more)") }
    """
  }

  /// Clients by what goes wrong for them.
  static let clients: [(id: String, more: String)] = [
    ("consent", #""authorize": "consent_required""#), ("page", #""authorize": "page""#),
    ("state", #""authorize": "otherState""#), ("late", #""codeSeconds": 0"#), ("silent", #""authorize": "silence""#),
    ("unknown", #""token": { "status": 401, "code": "invalid_client" }"#),
    ("limited", #""answer": { "status": 429, "code": "TOO_MANY_REQUESTS", "retryAfter": 30 }"#),
    ("elsewhere", #""answer": { "status": 403, "code": "\#(notMobile)" }"#),
    ("denied", #""answer": { "status": 403, "code": "PERMISSION_DENIED" }"#),
    ("quota", #""answer": { "status": 429, "code": "QUOTA_EXCEEDED" }"#),
  ]
  static let notMobile = "NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK"

  static let key = P256.Signing.PrivateKey()

  static var scenario: String {
    func text(_ text: String) -> String { JSONValue.string(text).text }
    let wrong = clients.map {
      #"{ "id": "\#($0.id)", "secret": "s3cret-of-\#($0.id)", "redirectURI": "app:/back", \#($0.more) }"#
    }
    let files = clients.map { "\"\($0.id)\": \(provider($0.id))" }
    let secrets = clients.map { #""\#($0.id).client-secret": "s3cret-of-\#($0.id)""# }
    return """
      { "providers": [ { "kind": "camara", "backendNumber": "\(own)", "clients": [
          { "id": "signed", "key": \(text(key.publicKey.pemRepresentation)), "redirectURI": "app:/back", "monitoredDays": 120 },
          { "id": "posted", "secret": "s3cret-of-posted", "redirectURI": "app:/back", "swapName": "simSwapped" },
          { "id": "hosted", "secret": "s3cret-of-hosted", "redirectURI": "https://backend.camara.example/callback", "pkce": false },
          \(wrong.joined(separator: ",\n")) ] } ],
        "subscribers": [ { "number": "\(own)", "simChangedMinutesAgo": 6000 }, { "number": "\(neighbour)" } ],
        "modemdProviders": {
          "signed": \(provider("signed", #""keyAlgorithm": "ES256", "keyID": "k1""#)),
          "posted": \(provider("posted", #""clientAuthentication": "secretPost", "numberVerificationVersion": "v0", "simSwapVersion": "v1", "hashNumber": true, "simSwapToken": "byNumber""#)),
          "hosted": \(provider("hosted", #""redirectURI": "https://backend.camara.example/callback", "redirectIsBackend": true, "backendAnswer": "verified", "scopeForm": "purposeAndName""#)),
          \(files.joined(separator: ",\n")) },
        "modemdCredentials": { "signed.client-key": \(text(key.pemRepresentation)), "posted.client-secret": "s3cret-of-posted",
          "hosted.client-secret": "s3cret-of-hosted", \(secrets.joined(separator: ", ")) } }
      """
  }

  /// What a verification told.
  struct Flow {
    var steps: [Verification.Step] = []
    var hops: [Verification.Hop] = []
    var outcome: Verification.Outcome?
    var correlator: String?

    var words: String { outcome.map { "\($0.result) \($0.code ?? "-"): \($0.text)" } ?? "no outcome" }
    var names: [String] { steps.map(\.name) }
  }

  static func verify(
    _ world: World, _ number: String, with provider: String, hashed: Bool? = nil,
    onHop: (Verification.Hop) async throws -> Void = { _ in }
  ) async throws -> Flow {
    var flow = Flow()
    let parameters = Verification.Verify.Parameters(number: number, hashed: hashed, provider: provider)
    for try await reply in try await world.client().stream(Verification.Verify.self, parameters) {
      if let step = reply.step { flow.steps.append(step) }
      if let hop = reply.hop {
        flow.hops.append(hop)
        try await onHop(hop)
      }
      flow.outcome = reply.outcome ?? flow.outcome
      flow.correlator = reply.correlator ?? flow.correlator
    }
    return flow
  }

  static func check(
    _ world: World, _ number: String?, _ hours: Int? = nil, with provider: String
  ) async throws -> Swap.Check.Reply {
    try await world.client().call(
      Swap.Check.self, .init(number: number, maximumAgeHours: hours, provider: provider))
  }

  @Test func `numbers are verified and refused, read, and each way to fail is told`() async throws {
    try await Worlds.with(Self.scenario) { world in
      let verified = try await Self.verify(world, Self.own, with: "signed")
      #expect(verified.outcome?.result == .verified && verified.outcome?.number == .matches, "\(verified.words)")
      #expect(verified.names == ["bearer", "authorize", "exchangeCode", "verify"])
      #expect(
        verified.hops.map { "\($0.scheme) \($0.host)" } == [
          "https auth.camara.example", "http he.camara.example", "https auth.camara.example",
        ])
      #expect(verified.outcome?.provider == "signed" && verified.outcome?.kind == "camara")
      // The family that connects first.
      #expect(["10.64.0.2", "2001:db8:64::2"].contains(verified.outcome?.source))
      #expect(verified.correlator?.isEmpty == false)
      for (provider, hashed) in [("signed", true), ("posted", nil), ("posted", false), ("hosted", nil)]
        as [(String, Bool?)]
      {
        let own = try await Self.verify(world, Self.own, with: provider, hashed: hashed)
        #expect(own.outcome?.result == .verified, "\(provider): \(own.words)")
      }
      for provider in ["signed", "posted"] {
        let other = try await Self.verify(world, Self.neighbour, with: provider)
        #expect(other.outcome?.result == .notVerified && other.outcome?.number == .differs, "\(other.words)")
      }
      let hosted = try await Self.verify(world, Self.own, with: "hosted")
      #expect(hosted.names == ["bearer", "authorize", "fetchRedirect"], "\(hosted.names)")

      let number = try await world.client().call(
        Verification.DevicePhoneNumber.self, .init(provider: "signed"))
      #expect(number.outcome?.result == .numberRead && number.number == Self.own)

      let rows: [(String, Verification.Outcome.Result, String?, Int?)] = [
        ("consent", .interactionRequired, "consent_required", nil), ("page", .interactionRequired, nil, nil),
        ("state", .stateMismatch, nil, nil), ("late", .expired, "invalid_grant", nil),
        ("unknown", .clientRefused, "invalid_client", nil),
        ("limited", .rateLimited, "TOO_MANY_REQUESTS", 30_000), ("elsewhere", .notMobileIP, Self.notMobile, nil),
        ("denied", .clientRefused, "PERMISSION_DENIED", nil), ("quota", .rateLimited, "QUOTA_EXCEEDED", nil),
      ]
      for (provider, result, code, retry) in rows {
        let flow = try await Self.verify(world, Self.own, with: provider)
        #expect(flow.outcome?.result == result && flow.outcome?.code == code, "\(provider): \(flow.words)")
        #expect(flow.outcome?.retryAfterMilliseconds == retry, "\(provider)")
      }
      #expect(world.leaks.packets == 0, "\(world.leaks)")
      try Self.expectNoSecrets(in: world)
    }
  }

  @Test func `changes of SIM are told, by number and by the bearer`() async throws {
    try await Worlds.with(Self.scenario) { world in
      for number in [Self.own, nil] {
        // 6000 minutes are 100 hours.
        for (hours, result, change) in [
          (nil, .simSwapped, .changed), (99, .simUnchanged, .unchanged), (101, .simSwapped, .changed),
        ] as [(Int?, Swap.Outcome.Result, Swap.Outcome.Sim)] {
          let reply = try await Self.check(world, number, hours, with: "signed")
          #expect(reply.outcome?.result == result && reply.outcome?.sim == change, "\(reply.outcome?.text ?? "")")
          #expect(reply.periodHours == hours ?? 240)
        }
        let earlier = try await Self.check(world, number, 99, with: "posted")
        #expect(earlier.outcome?.result == .simUnchanged, "\(earlier.outcome?.text ?? "")")
        let date = try await world.client().call(
          Swap.RetrieveDate.self, .init(number: number, maximumAgeHours: 101, provider: "signed"))
        #expect(date.outcome?.result == .simSwapped && date.changedAt?.hasSuffix("Z") == true)
        #expect(date.monitoredDays == 120)
      }
      let unknown = try await Self.check(world, Self.neighbour, with: "signed")
      #expect(unknown.outcome?.result == .operatorUnsupported && unknown.outcome?.code == "SERVICE_NOT_APPLICABLE")
      let date = try await world.client().call(
        Swap.RetrieveDate.self, .init(number: Self.neighbour, provider: "posted"))
      #expect(date.outcome?.result == .simUnknown && date.changedAt == nil && date.monitoredDays == nil)
      let watched = try await world.client().call(
        Swap.RetrieveDate.self, .init(number: Self.neighbour, provider: "signed"))
      #expect(watched.outcome?.result == .simUnchanged)
      let nobody = try await Self.check(world, Self.nobody, with: "posted")
      #expect(nobody.outcome?.result == .subscriberUnknown && nobody.outcome?.code == "IDENTIFIER_NOT_FOUND")
      #expect(try await Self.check(world, nil, with: "consent").outcome?.result == .interactionRequired)
      #expect(try await Self.check(world, Self.own, with: "limited").outcome?.retryAfterMilliseconds == 30_000)
      #expect(world.leaks.packets == 0, "\(world.leaks)")
      try Self.expectNoSecrets(in: world)
    }
  }

  @Test func `a bearer that is lost in the middle ends the flow, and the next one is verified`() async throws {
    try await Worlds.with(Self.scenario) { world in
      let lost = try await Self.verify(world, Self.own, with: "silent") { hop in
        if hop.index == 1 { _ = try await world.perform("drop-bearer 36") }
      }
      #expect(lost.outcome?.result == .noDataPath, "\(lost.words)")
      #expect(!lost.names.contains("exchangeCode"))
      var last = Flow()
      let works = try await world.eventually {
        last = try await Self.verify(world, Self.own, with: "signed")
        return last.outcome?.result == .verified
      }
      #expect(works, "\(last.words)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  /// Nothing that the services made, and no client's secret, stands in modemd's log.
  private static func expectNoSecrets(in world: World) throws {
    let issued = IssuedSecrets(at: world.folder.issuedSecrets).all
    #expect(issued.contains { $0.kind == "access token" })
    let log = Worlds.contents(of: world.folder.log(of: "modemd")) ?? ""
    for secret in issued.map(\.value) + clients.map({ "s3cret-of-\($0.id)" }) + [own, String(own.dropFirst())] {
      #expect(!log.contains(secret))
    }
  }
}
