import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// A world with Examples/kiosk behind https://kiosk.example, modemd-web for its tickets, its pages
/// in the browsers' policies, and websites of somebody else.
struct KioskWorld: Sendable {
  static let reason = Worlds.reason
  static let own = "+4915112345678"
  static let other = "+4915155555502"
  /// The operator's answer about it takes longer than any test.
  static let slow = "+4915155555515"
  static let evil = "evil.example"
  /// A site whose pages may ask too, and that lets others put it into a frame.
  static let partner = "partner.example"
  static let bridge = "http://127.0.0.1:61977"
  private static let token = "token-of-the-kiosk-0123456789"

  /// That of Scenarios/kiosk with further websites, and an operator that is slow for one number.
  private static let scenario = """
    { "providers": [
        { "kind": "truID", "client": { "id": "kiosk", "secret": "kiosk-secret-at-truid" }, "operators": ["26201"],
          "faults": [ { "at": "operator", "number": "\(slow)", "delayMilliseconds": 600000 } ] },
        { "kind": "program", "socket": "kiosk", "hosts": { "server": { "name": "kiosk.example",
          "addresses": ["203.0.113.190", "2001:db8:190::20"] } } },
        \(TestSites.providers([evil, partner])) ],
      "subscribers": [ { "number": "\(own)", "simChangedMinutesAgo": 50000 },
        { "number": "\(other)", "simChangedMinutesAgo": 50000 }, { "number": "\(slow)" } ],
      "modemdProviders": { "truid": {
        "kind": "truID", "api": "https://eu.api.truid.example", "clientID": "kiosk", "version": "v0.2" } },
      "modemdCredentials": { "truid.client-secret": "kiosk-secret-at-truid" },
      "settings": { "access": { "groups": ["daemon"] } } }
    """

  let world: World
  let sites: TestSites
  let browser: WorldBrowser

  /// Starts everything with one browser, and ends it.
  ///
  /// - Parameters:
  ///   - user: whom the browser runs as; root if there is none.
  ///   - policies: writes more of the browsers' policies.
  static func run(
    _ kind: WorldBrowser.Kind, as user: LocalUser? = nil, policies: (TestSites) throws -> Void = { _ in },
    _ body: (KioskWorld) async throws -> Void
  ) async throws {
    try await Worlds.with(scenario) { world in
      let sites = try await TestSites.start(in: world)
      try world.folder.write(token, to: "kiosk.token", mode: 0o600)
      let kiosk = try await world.begin([
        WorldBrowser.python, "\(Worlds.repository)/Examples/kiosk/kiosk_server.py", "--public-url",
        "https://kiosk.example", "--token-file", world.folder.file("kiosk.token"), "--listen",
        "unix:\(world.folder.file("kiosk"))",
      ])
      #expect(try await world.eventually { kiosk.output().contains("ready") || kiosk.process.end != nil })
      #expect(kiosk.process.end == nil, "\(kiosk.error())")
      if user != nil {
        world.admitMembers()
        // The authority is in a policy by its path.
        chmod(world.folder.file("certificates"), 0o755)
        chmod(world.folder.authority, 0o644)
      }
      try await installExtension(world, sites)
      try policies(sites)
      try sites.trust()
      // Somebody's name leads to this machine.
      let names = Worlds.contents(of: "/etc/hosts") ?? ""
      try sites.write(names + "\n127.0.0.1 rebound.example\n", to: "\(sites.system)/etc/hosts")
      try await WorldBrowser.with(kind, in: world, over: sites.system, as: user) { browser in
        try await body(KioskWorld(world: world, sites: sites, browser: browser))
      }
      #expect(kiosk.process.end == nil && kiosk.error() == "", "\(kiosk.error())")
    }
  }

  // MARK: - modemd-web

  /// A copy of modemd-web where other users may go.
  private static func program(in world: World) async throws -> String {
    let copy = world.folder.file("modemd-web")
    guard access(copy, X_OK) != 0 else { return copy }
    let made = try await world.run(["install", "-m", "0755", "\(Programs.folder)/modemd-web", copy])
    #expect(made.end == .exited(0), "\(made.error)")
    return copy
  }

  /// Starts modemd-web as its unit would, with a credential.
  ///
  /// - Parameter users: names of those whose browsers are answered besides root's.
  func startBridge(users: [String] = []) async throws -> RunningCommand {
    let folder = world.folder
    try folder.makeFolder("web-credentials")
    try folder.write(Self.token, to: "web-credentials/kiosk.token", mode: 0o600)
    try folder.write(
      """
      { "users": \(JSONValue.array(users.map { .string($0) }).text), "backends": { "kiosk": { "name": "Riverside Lockers", "tickets": "https://kiosk.example/modem/tickets/",
        "return": "https://kiosk.example/modem/back", "number": "masked", "startsPerMinute": 600 } } }
      """, to: "web.json")
    let bridge = try await world.begin([
      "env", "CREDENTIALS_DIRECTORY=\(folder.file("web-credentials"))", "\(Programs.folder)/modemd-web",
      "--configuration", folder.file("web.json"), "--socket", folder.socket, "--extra-roots", folder.authority,
    ])
    #expect(try await world.eventually { bridge.error().contains("listens on port") || bridge.process.end != nil })
    #expect(bridge.process.end == nil, "\(bridge.error())")
    return bridge
  }

  /// Where pages ask by fetch.
  static let fetch = "http://127.0.0.1:61978/call"

  /// Starts modemd-web for pages that ask by fetch, as the unit of the kiosk's user would.
  func startFetch() async throws -> RunningCommand {
    let folder = world.folder
    try folder.write(
      """
      { "fetch": { "user": "backup", "origins": { "https://\(Self.partner)": { "startsPerMinute": 600 } } } }
      """, to: "fetch.json", mode: 0o644)
    let bridge = try await world.begin(
      LocalUser.kiosk.words + [
        try await Self.program(in: world), "fetch", "--configuration", folder.file("fetch.json"), "--socket",
        folder.socket,
      ])
    #expect(try await world.eventually { bridge.error().contains("listens on port") || bridge.process.end != nil })
    #expect(bridge.process.end == nil, "\(bridge.error())")
    return bridge
  }

  /// Ends modemd-web as systemd would.
  func stop(_ bridge: RunningCommand) async {
    bridge.process.send(SIGTERM)
    #expect(await bridge.process.waitForEnd() == .exited(0), "\(bridge.error())")
  }

  // MARK: - The extension

  private static func installExtension(_ world: World, _ sites: TestSites) async throws {
    let setUp = try await world.run([
      "\(Worlds.repository)/clients/browser-extension/set-up", "--origin", "https://kiosk.example", "--origin",
      "https://\(partner)", "--root", sites.system,
    ])
    #expect(setUp.end == .exited(0), "\(setUp.error)")
    // As it is installed, but for the places of a test.
    let host = "\(sites.system)/usr/lib/modemd/modemd-browser-host"
    try sites.write(
      """
      #!/bin/sh
      exec '\(try await program(in: world))' native-host --configuration /etc/modemd/browser-host.json \
        --socket '\(world.folder.socket)' -- "$@"
      """, to: host)
    chmod(host, 0o755)
  }

  // MARK: - What was asked

  /// How often modemd and tru.ID were asked so far, and the kiosk for a ticket.
  struct Asked: Hashable, Sendable {
    let checks: Int
    let provider: Int
    let tickets: Int
  }

  func asked() async throws -> Asked {
    let history = try await world.run(["modemctl", "history", "--json", "--limit", "10000"])
    let checks = JSONValue(parsing: Array(history.output.utf8))?["checks"]
    guard case .array(let checks)? = checks else { throw BrowserFailure(text: "no history: \(history.output)") }
    let requests = world.requests(.network) + world.requests(.uplink)
    return Asked(
      checks: checks.count, provider: requests.count { $0.host.contains("truid") },
      tickets: requests.count { $0.host == "kiosk.example" && $0.place == "/modem" })
  }

  // MARK: - The kiosk's page

  static let result = "document.getElementById('result')?.dataset.result"
  static let isReady = "document.documentElement?.dataset.ready"

  /// Opens the kiosk's page, types a number and presses Enter, as somebody without a mouse would.
  func ask(_ number: String, way: String = "") async throws {
    let refusal = try await browser.open("https://kiosk.example/\(way)")
    #expect(refusal == nil)
    try await browser.wait(for: Self.isReady)
    try await browser.click("#number")
    try await browser.type(number)
    try await browser.press("Enter")
  }

  /// Takes the way of a ticket, as far as modemd-web's page.
  ///
  /// - Returns: the address of the start.
  func begin(_ number: String) async throws -> String {
    try await ask(number, way: "?ticket")
    try await browser.wait(for: "location.origin == '\(Self.bridge)' && document.getElementById('continue')")
    return try await browser.text("location.href")
  }

  /// A ticket that the kiosk made for somebody else's browser, as the address of its start.
  func ticketOfSomebody(_ number: String = own) async throws -> String {
    let made = try await world.run([
      "curl", "-sS", "--cacert", world.folder.authority, "-H", "Origin: https://kiosk.example", "-H",
      "Content-Type: application/json", "-d", #"{"number":"\#(number)"}"#, "https://kiosk.example/start",
    ])
    return try #require(JSONValue(parsing: Array(made.output.utf8))?["link"]?.string, "\(made.output)\(made.error)")
  }

  /// Whether a ticket can still act: its backend, asked as modemd-web asks it, has not given it
  /// away.
  func isUnused(_ start: String) async throws -> Bool {
    let ticket = try #require(start.split(separator: "ticket=").last.map(String.init))
      .replacing("%3A", with: ":").replacing("%2F", with: "/")
    let offer = try await world.run([
      "curl", "-sS", "--cacert", world.folder.authority, "-H", "Authorization: Bearer \(Self.token)", "-w",
      "%{http_code}", "-o", "/dev/null", ticket,
    ])
    return offer.output == "200"
  }
}
