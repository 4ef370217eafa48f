import Glibc
import Testing

@testable import ScenarioRunner

/// modemctl, modemd-web and modemd with a SIM; curl plays the browser.
@Suite(
  "The inspector in a world", .serialized, .timeLimit(.minutes(3)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct InspectorWorldTests {
  @Test func `a link of modemctl's shows the modem once, to one user, and nothing that identifies the SIM`()
    async throws
  {
    let text = try #require(Worlds.contents(of: "\(Worlds.repository)/Scenarios/demo/scenario.json"))
    try await Worlds.with(text) { world in
      let folder = world.folder
      // Where a user without rights in the world's folder can reach it.
      let control = "/tmp/inspector-\(getpid())"
      let web = try await Self.start(world, control)
      let opened = try await world.run(["modemctl", "web", "open", "--print", "--control", control])
      let link = String(opened.output.prefix { $0 != "\n" })
      try #require(link.hasPrefix("http://127.0.0.1:61978/inspect?once="), "\(opened.output) \(opened.error)")
      let jar = folder.file("inspector-cookies")
      let first = try await Self.get(link, ["-b", jar, "-c", jar], world)
      #expect(first.hasSuffix("303"), "\(first)")
      #expect(try await Self.get(link, [], world).hasSuffix("403"), "a link is good once")

      let page = try await Self.get("http://127.0.0.1:61978/inspect", ["-b", jar, "-c", jar], world)
      #expect(page.hasSuffix("200"))
      for shown in ["EX-500", "Example Mobile 262-01", "••78", "Registration"] {
        #expect(page.contains(shown), "\(shown): \(page)")
      }
      #expect(world.secretSearch.findings(in: CollectedText(name: "page", text: page)) == [])
      let stream = try await world.run(
        [
          "curl", "-sS", "-N", "--max-time", "3", "-b", jar, "-H", "Sec-Fetch-Site: same-origin", "-H",
          "Sec-Fetch-Mode: cors", "-H", "Sec-Fetch-Dest: empty", "http://127.0.0.1:61978/inspect/news",
        ])
      #expect(stream.output.contains(#"["Registration","home"]"#), "\(stream.output) \(stream.error)")

      let denied = try await LocalUser.stranger.call("org.modemd.Web.Open", in: world, at: control)
      #expect("\(denied)".contains("PermissionDenied"), "\(denied)")
      let another = try await world.run(["modemctl", "web", "open", "--print", "--control", control])
      let stolen = String(another.output.prefix { $0 != "\n" })
      #expect(try await Self.get(stolen, [], world, as: LocalUser.stranger.words).hasSuffix("403"))
      #expect(try await Self.get(stolen, [], world).hasSuffix("403"), "it is used up")

      let nowhere = try await world.run(["modemctl", "web", "open", "--print", "--control", "\(control)-none"])
      #expect(nowhere.end == .exited(3) && nowhere.error.contains("modemd-web does not run"), "\(nowhere.error)")

      web.process.send(SIGTERM)
      #expect(await web.process.waitForEnd() == .exited(0))
      #expect(!web.error().contains("once="), "\(web.error())")
    }
  }

  /// modemd-web with a site that nobody asks.
  private static func start(_ world: World, _ control: String) async throws -> RunningCommand {
    let folder = world.folder
    try folder.makeFolder("inspector")
    try folder.write("a-secret-that-nobody-asks-for", to: "inspector/none.token", mode: 0o600)
    try folder.write(
      """
      { "backends": { "none": { "name": "None", "tickets": "https://none.example/t/", "return": "https://none.example/" } } }
      """, to: "inspector/web.json")
    let web = try await world.begin([
      "env", "CREDENTIALS_DIRECTORY=\(folder.file("inspector"))", "modemd-web", "--configuration",
      folder.file("inspector/web.json"), "--socket", folder.socket, "--control", control, "--port", "61978",
    ])
    #expect(try await world.eventually { web.error().contains("listens on port") || web.process.end != nil })
    try #require(web.process.end == nil, "\(web.error())")
    return web
  }

  /// - Parameter words: before the command, to be another user.
  /// - Returns: the page, and the status behind it.
  private static func get(
    _ address: String, _ options: [String], _ world: World, as words: [String] = []
  ) async throws -> String {
    let fields = [
      "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document", "Accept-Language: en",
    ]
    let result = try await world.run(
      words + ["curl", "-sS", "-w", "\n%{http_code}"] + options + fields.flatMap { ["-H", $0] } + [address])
    return result.output + result.error
  }
}
