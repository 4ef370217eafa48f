import Glibc
import Testing

@testable import ScenarioRunner

/// Every line of the tutorials, as a reader types it.
@Suite("Tutorials", .serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct TutorialTests {
  private static func page(_ name: String) throws -> TutorialPage {
    TutorialPage(try #require(Worlds.contents(of: "\(Worlds.repository)/Docs/tutorials/\(name).md")))
  }

  @Test func `a page's parts are found: start lines, commands, programs with their names, and what is shown`() throws {
    for name in TutorialPage.names {
      let page = try Self.page(name)
      let lines = page.startLines
      try #require(lines.count == 2, "\(name): \(lines)")
      let world = TutorialPage.world(of: lines[0])
      #expect(lines[0] == ".build/debug/modem-simulator shell \(world)" && world.hasPrefix("Scenarios/"))
      let installed = "/usr/share/modem-simulator/scenarios/" + world.dropFirst("Scenarios/".count)
      #expect(lines[1] == "modem-simulator shell \(installed)")
      let languages = Set(page.blocks.map(\.language))
      #expect(
        languages.subtracting(["js", "html", "python"]) == ["sh", "text"], "a block of another language is not run")
      let programs = page.blocks.filter(\.isProgram)
      #expect(page.steps.count(where: \.needsClient) == programs.count && page.steps.count >= 6)
      for program in programs {
        let ending = try #require(TutorialPage.Block.endings[program.language])
        #expect(program.name.hasSuffix(ending), "\(name): \(program.name)")
        // What a reader writes to have a number verified is short.
        #expect(program.lines.count < 30, "\(name): \(program.name) has \(program.lines.count) lines")
      }
      // What a page needs stands on it: its world has no files of modemd.
      let scenario = try Scenario(
        text: try #require(Worlds.contents(of: "\(Worlds.repository)/\(world)/scenario.json")))
      #expect(scenario.modemdProviders.isEmpty && scenario.modemdCredentials.isEmpty, "\(world) has hidden files")
    }
  }

  /// Types commands into a shell that a start line opens, and looks for what must be shown after
  /// each.
  private static func type(
    _ steps: [TutorialPage.Step], into start: [String], in folder: String, _ scratch: Scratch
  ) async throws {
    let mark = "@@ step "
    var script = "set -eu\n"
    for (index, step) in steps.enumerated() { script += "echo '\(mark)\(index)'\n\(step.commands)\n" }
    script += "echo '\(mark)\(steps.count)'\nmodem-simulator control leaks\n"
    let end = try await scratch.type(script, into: start, in: folder)
    let parts = end.output.split(separator: mark, omittingEmptySubsequences: false).dropFirst().map { part in
      String(part.drop { $0 != "\n" }.dropFirst())
    }
    #expect(end.end == .exited(0), "after step \(parts.count - 1):\n\(parts.last ?? "")\n\(end.error)")
    guard parts.count == steps.count + 1 else {
      Issue.record("only \(parts.count) of \(steps.count + 1) steps were begun")
      return
    }
    for (step, output) in zip(steps, parts) {
      for line in step.shown { #expect(output.contains(line), "\(line) is not in:\n\(output)") }
    }
    #expect(parts.last == "0\n", "packets left by the other uplink")
  }

  @Test(
    "In a checkout: the start line, then each command, shows what the tutorial shows", arguments: TutorialPage.names)
  func checkout(name: String) async throws {
    let page = try Self.page(name)
    let line = try #require(page.startLines.first)
    try await Scratch.with { scratch in
      // The reader's folder is that of the checkout; what the commands write is not left there.
      let folder = scratch.path + "/checkout"
      #expect(mkdir(folder, 0o700) == 0)
      for name in [".build", "Scenarios", "clients"] {
        #expect(symlink("\(Worlds.repository)/\(name)", "\(folder)/\(name)") == 0)
      }
      try await Self.type(page.steps, into: ["sh", "-c", line], in: folder, scratch)
    }
  }

  /// Lays an installed tree over /usr in the mount namespace of the shell, and runs a command.
  private static let asInstalled = """
    for part in bin lib share; do
      mkdir -p "$0/own/$part" "$0/usr/$part"
      mount --bind "/usr/$part" "$0/own/$part"
      ln -s "$0/own/$part"/* "$0/usr/$part/"
    done
    rm -f "$0/usr/bin/modemctl" "$0/usr/bin/modem-simulator" "$0/usr/lib/modemd" "$0/usr/share/modem-simulator"
    # A program finds others by its own path, so these are no symbolic links.
    ln "$0"/root/usr/bin/* "$0/usr/bin/"
    ln -s "$0/root/usr/lib/modemd" "$0/usr/lib/"
    ln -s "$0/root/usr/share/modem-simulator" "$0/usr/share/"
    for part in bin lib share; do mount --bind "$0/usr/$part" "/usr/$part"; done
    eval "$1"
    """

  @Test("With the package: the start line finds everything where `make install` puts it")
  func installed() async throws {
    let page = try Self.page("sim-card-authentication")
    let line = try #require(page.startLines.last)
    // Beside the build products, so that they can be linked instead of copied.
    var template = Array("\(Programs.folder)/installed-XXXXXX".utf8CString)
    let tree = String(cString: try #require(mkdtemp(&template)))
    defer { WorldFolder(path: tree).remove() }
    try await Scratch.with { scratch in
      #expect(
        try await Scratch.run([
          "make", "-s", "-C", Worlds.repository, "install", "CONFIGURATION=debug", "BIN_DIR=\(Programs.folder)",
          "DESTDIR=\(tree)/root", "INSTALL_PROGRAM=ln -f", "STRIP=true",
        ]))
      let folder = scratch.path + "/home"
      #expect(mkdir(folder, 0o700) == 0)
      // The package `python3-modemd` is not in this tree.
      let steps = page.steps.filter { !$0.needsClient }
      let start = ["unshare", "--mount", "sh", "-euc", Self.asInstalled, tree, line]
      try await Self.type(steps, into: start, in: folder, scratch)
    }
  }

  @Test func `the app's server of the examples starts as its page is written`() async throws {
    let text = try #require(Worlds.contents(of: "\(Worlds.repository)/Examples/README.md"))
    let line = try #require(TutorialPage(text).startLines.first)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).drop { $0 != "Type this into the shell:" }
    let typed = lines.dropFirst(2).prefix { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }
    try #require(typed.count > 10)
    try await Scratch.with { scratch in
      for name in [".build", "Scenarios", "Examples"] {
        #expect(symlink("\(Worlds.repository)/\(name)", "\(scratch.path)/\(name)") == 0)
      }
      let script = "set -eu\n" + typed.joined(separator: "\n") + "\nmodem-simulator control leaks\n"
      let end = try await scratch.type(script, into: ["sh", "-c", line], in: scratch.path)
      #expect(end.end == .exited(0) && end.output.contains("verified by app"), "\(end.output)\n\(end.error)")
      #expect(end.output.hasSuffix("\n0\n") && !end.error.contains("4915112345678"), "\(end.output)\n\(end.error)")
    }
  }

  @Test("Nothing that a tutorial causes is written where no secret may stand", arguments: TutorialPage.names)
  func secrets(name: String) async throws {
    let page = try Self.page(name)
    let world = TutorialPage.world(of: try #require(page.startLines.first))
    try await Worlds.with(
      try #require(Worlds.contents(of: "\(Worlds.repository)/\(world)/scenario.json"))
    ) { world in
      defer { Self.endBackground(of: world) }
      for step in page.steps {
        let result = try await world.run(["sh", "-euc", "cd \(world.folder.path)\n\(step.commands)"])
        #expect(result.end == .exited(0), "\(step.commands)\n\(result.output)\(result.error)")
      }
      #expect(world.leaks.packets == 0)
    }
  }

  /// Ends what a tutorial's commands have started in the background of a world that has no shell.
  private static func endBackground(of world: World) {
    for id in Scratch.processes(naming: world.folder.path) {
      let command = Worlds.contents(of: "/proc/\(id)/cmdline") ?? ""
      let words = ["http.server", "modemd-web\0fetch", "mosquitto", "modemd-fleet"]
      if words.contains(where: { command.contains($0) }) { kill(id, SIGTERM) }
    }
  }

  @Test(
    "The page of the first tutorial, in a browser, shows what the tutorial shows", arguments: WorldBrowser.Kind.allCases
  )
  func browser(kind: WorldBrowser.Kind) async throws {
    let page = try Self.page("sim-card-authentication")
    let shown = try #require(page.text.split(separator: "\n").first { $0.hasPrefix("    bearer; ") })
    try await Worlds.with(
      try #require(Worlds.contents(of: "\(Worlds.repository)/Scenarios/tutorial/scenario.json"))
    ) { world in
      defer { Self.endBackground(of: world) }
      let steps = page.steps.filter { step in
        ["app.json", "page.html <<", "modemd-web fetch"].contains { step.commands.contains($0) }
      }
      #expect(steps.count == 3)
      for step in steps {
        let result = try await world.run(["sh", "-euc", "cd \(world.folder.path)\n\(step.commands)"])
        #expect(result.end == .exited(0), "\(step.commands)\n\(result.output)\(result.error)")
        for line in step.shown { #expect(result.output.contains(line), "\(line) is not in:\n\(result.output)") }
      }
      try world.folder.makeFolder("system")
      try await WorldBrowser.with(kind, in: world, over: world.folder.file("system")) { browser in
        #expect(try await browser.open("http://localhost:8080/page.html") == nil)
        #expect(try await browser.named("input") == ("textbox", "Phone number"))
        try await browser.click("button")
        let status = "document.querySelector('[role=status]').textContent"
        try await browser.wait(for: "\(status).includes('verified')")
        #expect(try await browser.text("\(status).trim()") == shown.dropFirst(4))
      }
    }
  }

  @Test func `the shell has everything in its PATH, and its exit status is the simulator's`() async throws {
    try await Scratch.with { scratch in
      let script = """
        for variable in MODEMD_SOCKET MODEM_SIMULATOR_CA MODEM_SIMULATOR_PROVIDERS MODEM_SIMULATOR_CREDENTIALS; do
          eval "test -e \\"\\$$variable\\"" || exit 3
        done
        command -v modemctl
        command -v modem-simulator
        modemctl list
        pwd
        exit 7
        """
      let start = [
        "\(Programs.folder)/modem-simulator", "shell", "--protocol", "qmi", "\(Worlds.repository)/Scenarios/tutorial",
      ]
      let end = try await scratch.type(script, into: start, in: scratch.path)
      #expect(end.end == .exited(7), "\(end.error)")
      #expect(
        end.output.hasPrefix("\(Programs.folder)/modemctl\n\(Programs.folder)/modem-simulator\n"), "\(end.output)")
      #expect(end.output.lowercased().contains("qmi") && end.output.hasSuffix("\(scratch.path)\n"), "\(end.output)")
    }
  }

  @Test(
    "At a terminal the shell is SHELL's, and says where it is",
    .enabled("script, of util-linux or bsdutils, is not installed") {
      try await Scratch.run(["sh", "-c", "command -v script && command -v bash"])
    })
  func terminal() async throws {
    try await Scratch.with { scratch in
      let line = "SHELL=/bin/bash \(Programs.folder)/modem-simulator shell \(Worlds.repository)/Scenarios/tutorial"
      let typed = "modemctl list\ncommand -v modemctl\nexit 5\n"
      let end = try await scratch.type(typed, into: ["script", "-qec", line, "/dev/null"], in: scratch.path)
      #expect(end.end == .exited(5), "\(end.output) \(end.error)")
      for words in ["This shell is in the world of", "(world) ", "Example Mobile", "\(Programs.folder)/modemctl"] {
        #expect(end.output.contains(words), "\(words) is not in:\n\(end.output)")
      }
    }
  }
}
