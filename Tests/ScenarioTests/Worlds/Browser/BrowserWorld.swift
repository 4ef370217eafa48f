import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// The world of the app's server, with its tickets, and modemd-web beside modemd. curl plays the
/// browser: it sends what browsers send.
struct BrowserWorld {
  static let base = "http://127.0.0.1:61977"

  let app: AppServerWorld
  let bridge: RunningCommand
  var world: World { app.world }

  /// - Parameter members: more members of the site's settings.
  static func run(_ members: String = "", _ body: (BrowserWorld) async throws -> Void) async throws {
    try await AppServerWorld.run(#", "tickets": {}"#) { app in
      let folder = app.world.folder
      try folder.makeFolder("web")
      try folder.write(try #require(AppServerWorld.secrets["tickets.token"]) + "\n", to: "web/app.token", mode: 0o600)
      try folder.write(
        """
        { "extraRoots": "\(folder.authority)",
          "backends": { "app": { "name": "The App", "tickets": "https://app.example/modem/tickets/",
            "return": "https://app.example/modem/back" \(members) } } }
        """, to: "web/web.json")
      let bridge = try await start(app)
      try await body(BrowserWorld(app: app, bridge: bridge))
    }
  }

  static func start(_ app: AppServerWorld) async throws -> RunningCommand {
    let folder = app.world.folder
    let bridge = try await app.world.begin([
      "env", "CREDENTIALS_DIRECTORY=\(folder.file("web"))", "modemd-web", "--configuration",
      folder.file("web/web.json"), "--socket", folder.socket, "--log-level", "debug",
    ])
    #expect(try await app.world.eventually { bridge.error().contains("listens on port") || bridge.process.end != nil })
    #expect(bridge.process.end == nil, "\(bridge.error())")
    return bridge
  }

  /// Ends modemd-web, and looks whether its log kept what is secret.
  func stop(_ bridge: RunningCommand) async {
    bridge.process.send(SIGTERM)
    #expect(await bridge.process.waitForEnd() == .exited(0))
    let log = CollectedText(name: "modemd-web", text: bridge.output() + bridge.error())
    #expect(world.secretSearch.findings(in: log) == [], "\(log.text)")
    for secret in [AppServerWorld.own, AppServerWorld.other, AppServerWorld.secrets["tickets.token"] ?? ""] {
      #expect(!log.text.contains(secret), "\(log.text)")
    }
  }

  struct Page {
    let status: Int
    let location: String?
    let text: String

    /// The value of the first input with a name.
    func input(_ name: String) -> String? {
      guard let mark = text.firstRange(of: "name=\"\(name)\" value=\"") else { return nil }
      return String(text[mark.upperBound...].prefix { $0 != "\"" })
    }
  }

  /// Opens an address as a browser does, with the cookies of one.
  ///
  /// - Parameters:
  ///   - browser: whose cookies.
  ///   - site: where the navigation comes from, as `Sec-Fetch-Site` says it.
  ///   - destination: what it is for, as `Sec-Fetch-Dest` says it.
  ///   - words: before the command, to be another user.
  func open(
    _ address: String, browser: String = "one", site: String = "cross-site", destination: String = "document",
    _ options: [String] = [], as words: [String] = []
  ) async throws -> Page {
    let jar = world.folder.file("cookies-\(browser)")
    let fields = ["Sec-Fetch-Site: \(site)", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: \(destination)"]
    let cookies = words.isEmpty ? ["-b", jar, "-c", jar] : []
    let result = try await world.run(
      words + ["curl", "-sS", "--cacert", world.folder.authority, "-w", "\n%{http_code} %{redirect_url}"] + cookies
        + fields.flatMap { ["-H", $0] } + options + [address.hasPrefix("/") ? Self.base + address : address])
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    let last = (lines.last ?? "").split(separator: " ")
    return Page(
      status: last.first.flatMap { Int($0) } ?? 0, location: last.dropFirst().first.map(String.init),
      text: lines.dropLast().joined(separator: "\n") + result.error)
  }

  func post(_ path: String, _ form: [String: String]) async throws -> Page {
    try await open(
      path, site: "same-origin",
      ["-H", "Origin: \(Self.base)"] + form.flatMap { ["-d", "\($0.key)=\($0.value)"] })
  }

  /// A ticket of the app's page for a number; the browser gets the page's cookie.
  func link(_ number: String, browser: String = "one") async throws -> String {
    let page = try await open(
      "https://app.example/modem/start", browser: browser, site: "same-origin",
      ["--data-urlencode", "phone_number=\(number)"])
    try #require(page.status == 303, "\(page.text)")
    return try #require(page.location)
  }

  /// Opens a link and presses the button.
  ///
  /// - Returns: the path of the flow's page.
  func begin(_ link: String) async throws -> String {
    let offer = try await open(link)
    try #require(offer.status == 200, "\(offer.text)")
    let form = ["visit": try #require(offer.input("visit")), "form": try #require(offer.input("form"))]
    let begun = try await post("/begin", form)
    try #require(begun.status == 303, "\(begun.text)")
    return String(try #require(begun.location).dropFirst(Self.base.count))
  }

  /// The address to which a flow's page leads at its end.
  func end(_ path: String) async throws -> String {
    var page: Page?
    #expect(
      try await world.eventually {
        page = try await open(path, site: "same-origin")
        return page?.text.contains(#"id="back""#) == true
      }, "\(page?.text ?? "")")
    #expect(page?.text.contains("http-equiv=\"refresh\"") == true, "\(page?.text ?? "") \(bridge.error())")
    return try #require(try await open(path + "/return", site: "same-origin").location)
  }

  /// What the app's server says to a browser that is back.
  func back(_ address: String, browser: String = "one") async throws -> (status: Int, body: JSONValue?) {
    let page = try await open(address, browser: browser)
    return (page.status, JSONValue(parsing: Array(page.text.utf8)))
  }
}
