import ModemAPI
import ModemAPIClient
import ScenarioRunner
import Testing

/// The Mobile Connect button: modemd tells an app's server what the device knows of itself, and performs the redirects that come back.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct MobileConnectButtonWorldTests {
  typealias Kit = MobileConnectWorld
  typealias Result = MobileConnectInterface.Outcome.Result

  private static let registered =
    #", "redirectURIs": ["https://app.shop.example/mobile-connect/server_side_api/discovery_callback"]"#

  /// A world whose app's server is an application with these members.
  private static func scenario(_ application: String = "", server: String = "") -> String {
    func entry(_ name: String, _ file: String) -> Kit.Entry {
      Kit.Entry(
        name: name, source: .none, application: registered + application,
        file: #", "handsetPauseSeconds": 0, "appServer": { "url": "https://app.shop.example"\#(file) }"#)
    }
    return Kit.scenario(
      [
        entry("shop", ""), entry("by-network", #", "sendsNumber": false"#), entry("manual", #", "manual": true"#),
        entry("by-address", #", "sendsAddress": true, "sendsNumber": false"#),
      ], provider: #", "appServer": { "application": "shop"\#(server) }"#)
  }

  private static let chain = [
    "https app.shop.example", "https mobileconnect.operator.example", "http he.mobileconnect.example",
    "https mobileconnect.operator.example", "https app.shop.example",
  ]

  @Test func `the button signs the user in at the app's server, over the bearer alone`() async throws {
    try await Worlds.with(Self.scenario(server: #", "needsCookie": true"#)) { world in
      for name in ["shop", "by-network", "manual", "by-address"] {
        let run = try await Kit.login(world, with: name)
        #expect(run.outcome?.result == .signedIn, "\(name): \(run.words)")
        #expect(run.names == ["bearer", "performRedirects"], "\(name)")
        #expect(run.hops.map { "\($0.scheme) \($0.host)" } == Self.chain, "\(name)")
        // The server has them, and this machine has not.
        #expect(run.tokens == nil, "\(name)")
      }
      #expect(world.leaks.packets == 0 && world.requests(.uplink).isEmpty)
    }
  }

  @Test(arguments: [
    (#", "refusal": "access_denied""#, "", Result.userRefused), (#", "asksConsent": true"#, "", .interactionRequired),
    (#", "faults": ["nonce"]"#, "", .providerUnavailable), (#", "faults": ["endless"]"#, "", .redirectError),
    ("", #", "scope": "openid nothing""#, .badRequest),
  ])
  func `what goes wrong at the operator is told by where the redirects end`(
    application: String, server: String, result: Result
  ) async throws {
    try await Worlds.with(Self.scenario(application, server: server)) { world in
      let run = try await Kit.login(world, with: "shop")
      #expect(run.outcome?.result == result, "\(run.words)")
      #expect((run.page != nil) == (result == .interactionRequired))
      #expect(world.leaks.packets == 0 && world.requests(.uplink).isEmpty)
    }
  }

  @Test func `a server that finds no operator shows its page of operators`() async throws {
    try await Worlds.with(
      Self.scenario(server: #", "passesAddress": false"#).replacing(#"["26201"]"#, with: #"["26203"]"#)
    ) { world in
      let run = try await Kit.login(world, with: "by-network")
      #expect(run.outcome?.result == .interactionRequired, "\(run.words)")
      #expect(run.page?.hasPrefix("https://discover.exchange.example/select?") == true)
      let pressed = try await Kit.press(try #require(run.page), "mcc_mnc=262_03", world)
      #expect(
        pressed.hasPrefix("https://app.shop.example/mobile-connect/server_side_api/discovery_callback?mcc_mnc=262_03"))
    }
  }
}
