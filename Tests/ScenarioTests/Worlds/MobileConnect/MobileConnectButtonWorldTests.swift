import MobileConnectAPI
import ModemAPI
import ModemAPIClient
import ScenarioRunner
import Testing

/// The Mobile Connect button: modemd tells an app's server what the device knows of itself, and
/// performs the redirects that come back.
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

  @Test func `modemctl presses the button, shows where it led, and saves tokens where it has them`() async throws {
    let scenario = Self.scenario().replacing(
      #""modemdProviders": {"#,
      with: #"""
        "modemdProviders": { "here": { "kind": "mobileConnect", "clientID": "shop", "redirectURI": "\#(Kit.app)\#(Self.path)",
          "issuer": "https://mobileconnect.operator.example", "clientCredential": "secret" },
        """#
    ).replacing(#""modemdCredentials": {"#, with: #""modemdCredentials": { "here.secret": "operator-secret-of-shop""#)
    try await Worlds.with(scenario) { world in
      func modemctl(_ arguments: String...) async throws -> CommandResult {
        try await world.run(["modemctl", "mobile-connect"] + arguments)
      }
      let pressed = try await modemctl("login", "--provider", "shop")
      #expect(pressed.end == .exited(0), "\(pressed.output)\(pressed.error)")
      for text in ["app.shop.example", "he.mobileconnect.example", "performRedirects", "signedIn by shop"] {
        #expect(pressed.output.contains(text), "\(text) is not in\n\(pressed.output)")
      }
      let tokens = world.folder.file("tokens.json")
      let local = try await modemctl("login", "--provider", "here", "--save-tokens", tokens)
      #expect(local.end == .exited(0) && local.output.contains("••••"), "\(local.output)\(local.error)")
      #expect(Worlds.contents(of: tokens)?.contains("accessToken") == true)
      for (verb, status) in [("userinfo", 0), ("refresh", 0), ("revoke", 0), ("userinfo", 12)] as [(String, Int32)] {
        let result = try await modemctl(verb, tokens, "--provider", "here")
        #expect(result.end == .exited(status), "\(verb): \(result.output)\(result.error)")
      }
      for (number, status) in [(Kit.own, 0), (Kit.stranger, 11)] as [(String, Int32)] {
        let result = try await modemctl("validate", number, "--provider", "here")
        #expect(result.end == .exited(status), "\(result.output)\(result.error)")
      }
    }
  }

  private static let path = "/mobile-connect/server_side_api/discovery_callback"

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
