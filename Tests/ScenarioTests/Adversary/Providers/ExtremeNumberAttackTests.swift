import CAMARAAPI
import FoundationEssentials
import IPificationAPI
import MIRACLAPI
import ModemAPI
import ModemAPIClient
import OperatorSimulator
import ScenarioRunner
import Testing

/// Providers that name numbers and times of any size: a flow may end in any way, and modemd goes on
/// for everybody else.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct ExtremeNumberAttackTests {
  /// As they stand in JSON.
  static let extremes = [
    "9223372036854775807", "-9223372036854775808", "9223372036854775808", "99999999999999999999", "1e308", "-1",
    "9007199254740993", "\"NaN\"", "\"\"", "[]", "null",
  ]
  /// As they stand in a header field.
  static let fields = ["9223372036854775807", "-9223372036854775808", "99999999999999999999", "1e308", "NaN", "0"]

  /// Answers of the path are made wrong in each way, and a flow is run each time; then modemd is
  /// the same process, and another caller gets an answer.
  ///
  /// - Parameter changes: as `DistortedService` has them.
  /// - Returns: how each flow ended, in the changes' order.
  @discardableResult
  static func attack(
    _ world: World, _ path: String, _ changes: [String], _ flow: () async throws -> String?
  ) async throws -> [String] {
    var results: [String] = []
    let before = try #require(await Survivor.find(world))
    for change in changes {
      _ = try await world.perform("tell distort.1 \(path) \(change)")
      let result = try? await flow()
      #expect(result != nil, "\(path) \(change): the flow has no outcome")
      results.append(result ?? "nothing")
      #expect(await Survivor.find(world) == before, "\(path) \(change): modemd ended")
    }
    _ = try await world.perform("tell distort.1")
    try await Survivor.expectAnswer(world)
    return results
  }

  // MARK: tru.ID

  @Test("Retry-After of tru.ID", .timeLimit(.minutes(2)), .attack(by: .provider, .broke))
  func retryAfter() async throws {
    try await Worlds.with(TruIDWorldTests.api) { world in
      var delays: [Int?] = []
      let results = try await Self.attack(world, "/checks", Self.fields.map { "status=429 Retry-After:\($0)" }) {
        let flow = try await TruIDWorldTests.simCheck(world, TruIDWorldTests.own)
        delays.append(flow.outcome?.retryAfterMilliseconds)
        return flow.outcome?.result.rawValue
      }
      #expect(results.allSatisfy { $0 == "rateLimited" }, "\(results)")
      #expect(delays == [604_800_000, 0, 604_800_000, nil, nil, 0])
    }
  }

  @Test("no_sim_change_period, ttl and expires_in of tru.ID", .timeLimit(.minutes(2)), .attack(by: .provider, .broke))
  func periods() async throws {
    try await Worlds.with(TruIDWorldTests.api) { world in
      var periods: [Int?] = []
      try await Self.attack(
        world, "/checks", Self.extremes.map { "+no_sim_change_period=\($0) +ttl=\($0) +sim_change_within=\($0)" }
      ) {
        let asked = try await world.client().call(
          SIMSwapInterface.Check.self, .init(number: TruIDWorldTests.own, provider: "truid"))
        periods.append(asked.periodHours)
        return try await TruIDWorldTests.subscriberCheck(world, TruIDWorldTests.own).outcome?.result.rawValue
      }
      // The one that all readers share; what is beyond is no number of minutes.
      #expect(periods.prefix(6) == [nil, nil, nil, nil, nil, 0], "\(periods)")
      try await Self.attack(world, "/token", Self.extremes.map { "expires_in=\($0)" }) {
        try await TruIDWorldTests.simCheck(world, TruIDWorldTests.own).outcome?.result.rawValue
      }
    }
  }

  // MARK: CAMARA

  @Test("Dates, periods and lifetimes of CAMARA", .timeLimit(.minutes(2)), .attack(by: .provider, .broke))
  func camara() async throws {
    try await Worlds.with(CAMARAWorldTests.scenario) { world in
      let dates = [
        "\"0000-01-01T00:00:00Z\"", "\"9999-12-31T23:59:59.999Z\"", "\"99999-01-01T00:00:00Z\"",
        "\"2016-12-31T23:59:60Z\"", "\"0000-01-01T00:00:00+23:59\"", "\"9999-12-31T23:59:59-23:59\"",
      ]
      let told = try await Self.attack(
        world, "/retrieve-date", (dates + Self.extremes).map { "+latestSimChange=\($0) +monitoredPeriod=\($0)" }
      ) {
        try await world.client().call(
          SIMSwapInterface.RetrieveDate.self, .init(number: CAMARAWorldTests.own, provider: "signed")
        ).outcome?.result.rawValue
      }
      #expect(Set(told.prefix(dates.count)) == ["simUnchanged", "simSwapped", "badAnswer"], "\(told)")
      try await Self.attack(
        world, "/token", Self.extremes.map { "expires_in=\($0) claim.exp=\($0) claim.iat=\($0)" }
      ) {
        try await CAMARAWorldTests.verify(world, CAMARAWorldTests.own, with: "signed").outcome?.result.rawValue
      }
      try await Self.attack(world, "/", Self.fields.map { "status=503 Retry-After:\($0)" }) {
        try await CAMARAWorldTests.verify(world, CAMARAWorldTests.own, with: "signed").outcome?.result.rawValue
      }
    }
  }

  // MARK: MIRACL

  private static let miracl = """
    { "providers": [{ "kind": "miracl", "pins": ["4711"], "projects": [{ "id": "shop" }] }],
      "modemdProviders": { "shop": { "kind": "miracl", "api": "https://api.miracl.example", "project": "shop",
        "trustedDomains": ["miracl.example"] } } }
    """

  @Test("MIRACL's backoff", .timeLimit(.minutes(2)), .attack(by: .provider, .broke))
  func backoff() async throws {
    try await Worlds.with(Self.miracl) { world in
      let person = MIRACLPerson(world: world)
      let changes = Self.extremes.map {
        #"status=429 +error="REQUEST_BACKOFF" +context={"backoff":\#($0)} Retry-After:9223372036854775807"#
      }
      let results = try await Self.attack(world, "/verification", changes) {
        try await person.register().result?.rawValue
      }
      #expect(results.allSatisfy { $0 == "rateLimited" }, "\(results)")
    }
  }

  @Test("Lifetimes, PIN lengths and expiries of MIRACL", .timeLimit(.minutes(2)), .attack(by: .provider, .held))
  func lifetimes() async throws {
    try await Worlds.with(Self.miracl) { world in
      let person = MIRACLPerson(world: world)
      let changes = Self.extremes.prefix(4).map { "+pinLength=\($0) +expireTime=\($0) +expires=\($0) +version=\($0)" }
      let registered = try await person.register()
      #expect(registered.result == .registered, "\(registered.words)")
      try await Self.attack(
        world, "/verification/quickcode", Self.extremes.prefix(4).map { "expireTime=\($0) ttlSeconds=\($0)" }
      ) {
        try await person.run(MIRACLInterface.QuickCode.self, .init(user: person.address, provider: "shop")).result?
          .rawValue
      }
      try await Self.attack(world, "/registration", changes) { try await person.register().result?.rawValue }
    }
  }

  @Test("Addresses that a MIRACL platform tells its clients", .timeLimit(.minutes(2)), .attack(by: .provider, .broke))
  func addresses() async throws {
    let texts = [
      #""a\u0001b""#, #""\u0000""#, #""/\u001f""#, #""a\nb""#, #""?""#, "\"#\"", #""//""#, #"":99999""#,
      #""\ud83d\ude00""#,
      #""wss://\u0001""#,
    ]
    let names = ["registerURL", "signatureURL", "mpinAuthServerURL", "authenticateURL", "codeStatusURL"]
    try await Worlds.with(MIRACLWorldTests.scenario) { world in
      let person = MIRACLPerson(world: world, project: "older")
      let changes = texts.map { text in names.map { "\($0)=\(text)" }.joined(separator: " ") }
      let results = try await Self.attack(world, "/clientSettings", changes) {
        try await person.register(link: try await person.visit().qr).result?.rawValue
      }
      #expect(!results.contains("registered"), "\(results)")
    }
  }

  // MARK: IPification

  private static let ipification = """
    { "providers": [ { "kind": "ipification", "networks": ["26201"], "clients": [ { "id": "app", "secret": "s3cret-of-app" } ] } ],
      "modemdProviders": { "app": { "kind": "ipification", "host": "https://api.ipification.example", "clientID": "app",
        "route": "bearer", "redirectURI": "com.example.app://ip/callback", "claims": "idToken" } },
      "modemdCredentials": { "app.client-secret": "s3cret-of-app" } }
    """

  @Test("exp and its like in IPification's ID token", .timeLimit(.minutes(2)), .attack(by: .provider, .broke))
  func expiry() async throws {
    try await Worlds.with(Self.ipification) { world in
      let changes = Self.extremes.map { "claim.exp=\($0) claim.iat=\($0) claim.auth_time=\($0) expires_in=\($0)" }
      let results = try await Self.attack(world, "/token", changes) {
        try await world.client().call(
          IPificationInterface.Verify.self, .init(number: "+4915112345678", provider: "app")
        ).outcome?.result.rawValue
      }
      #expect(results[0] == "verified" && results[1] == "expired" && results[4] == "verified", "\(results)")
    }
  }

  // MARK: Mobile Connect

  @Test("ttl, expires_in and claims of Mobile Connect", .timeLimit(.minutes(2)), .attack(by: .provider, .held))
  func mobileConnect() async throws {
    let entry = MobileConnectWorld.Entry(name: "app", file: #", "handsetPauseSeconds": 0"#)
    try await Worlds.with(MobileConnectWorld.scenario([entry])) { world in
      let login = { try await MobileConnectWorld.login(world, with: "app").outcome?.result.rawValue }
      try await Self.attack(world, "/discovery", Self.extremes.map { "ttl=\($0) +ttl=\($0)" }, login)
      let results = try await Self.attack(
        world, "/token", Self.extremes.map { "expires_in=\($0) claim.exp=\($0) claim.iat=\($0)" }, login)
      // Their signature is that of other claims.
      #expect(results.allSatisfy { $0 == "tokenRefused" }, "\(results)")
    }
  }
}
