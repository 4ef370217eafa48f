import ArgumentParser
import PlainArguments
import Testing

@testable import ModemctlCommands
@testable import ModemctlCore
@testable import modemd

/// The short ways around ArgumentParser, each of whose answers must be ArgumentParser's.
@Suite("Command lines read in a short way", .timeLimit(.minutes(5)))
struct ShortParsingTests {
  /// A command with the words that lead to it.
  struct Place: Sendable, CustomTestStringConvertible {
    var words: [String]
    let command: any ParsableCommand.Type
    var testDescription: String { words.joined(separator: " ") }

    static func all(_ commands: [any ParsableCommand.Type], below words: [String] = []) -> [Place] {
      commands.flatMap { command in
        let place = Place(words: words + [command._commandName], command: command)
        return [place] + all(command.configuration.subcommands, below: place.words)
      }
    }
  }

  static let places = Place.all(Modemctl.configuration.subcommands)

  @Test("Each verb of modemctl tells its name, by which it is found")
  func names() {
    let verbs = Modemctl.configuration.subcommands
    #expect(verbs.count > 25)
    for verb in verbs { #expect(verb.configuration.commandName == verb._commandName) }
  }

  @Test("The version is the one that ArgumentParser gives")
  func version() async {
    let error = #expect(throws: (any Error).self) { try Modemctl.parseAsRoot(["--version"]) }
    let run = await RecordingConsole.run("--version")
    #expect(run.status == .done && run.output == error.map { Modemctl.fullMessage(for: $0) + "\n" })
  }

  @Test("Help, completion, the version and what is wrong are left to the whole tree", arguments: places)
  func left(_ place: Place) {
    for words in [
      place.words + ["--help"], place.words + ["-h"], ["help"] + place.words, place.words + ["--no-such-option"],
      place.words + ["--generate-completion-script", "bash"], place.words + ["--experimental-dump-help"],
      place.words + ["--version"], place.words + ["--help-hidden"], place.words + ["--socket"],
      place.words.dropLast() + [place.words.last.map { "\($0)x" } ?? ""], ["--"] + place.words,
      ["---completion"] + place.words,
    ] {
      // A word too many may be an argument of the verb before it.
      guard let verb = ShortParsing.verb(of: Array(words)) else { continue }
      let whole = try? Modemctl.parseAsRoot(Array(words))
      #expect(whole.map { String(describing: $0) } == String(describing: verb), "\(words)")
    }
  }

  @Test("Command lines of any words mean what they mean to ArgumentParser", arguments: 0..<4)
  func modemctl(_ part: Int) {
    let words = [
      "list", "status", "bearer", "sim", "sms", "list", "show", "help", "--json", "--reveal", "--socket", "/run/a",
      "--socket=/run/b", "--socket=", "--json=1", "--modem", "wwan0", "", "-", "--", "-h", "--help", "--js", "é=ü",
      "---", "--socket=-x", "--all",
    ]
    var generator = Numbers(seed: UInt64(part) + 1)
    var short = 0
    for _ in 0..<400 {
      var line = [["list", "status", "bearer", "sim", "sms", "connect"].randomElement(using: &generator) ?? "list"]
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        line.append(words.randomElement(using: &generator) ?? "")
      }
      guard let verb = ShortParsing.verb(of: line) else { continue }
      short += 1
      let whole = try? Modemctl.parseAsRoot(line)
      #expect(whole.map { String(describing: $0) } == String(describing: verb), "\(line)")
    }
    #expect(short > 25)
  }

  @Test("So do modemd's", arguments: 0..<4)
  func modemd(_ part: Int) {
    let names = [
      "--socket", "--proxy", "--proxy-port", "--metrics", "--metrics-http", "--ports", "--configuration", "--providers",
      "--state-directory", "--extra-roots", "--log-level",
    ]
    let words =
      names + names.map { "\($0)=/run/x" } + [
        "--check", "/run/y", "80", "65536", "+5", "debug", "Debug", "info", "", "-", "--", "-h", "--help", "--version",
        "--proxy-port=8080", "--log-level=error", "--proxy-port=x", "--socket=", "value",
      ]
    var generator = Numbers(seed: UInt64(part) + 101)
    var short = 0
    for _ in 0..<500 {
      var line: [String] = []
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        line.append(words.randomElement(using: &generator) ?? "")
        if names.contains(line.last ?? ""), Bool.random(using: &generator) {
          line.append(["/run/z", "81", "notice"].randomElement(using: &generator) ?? "")
        }
      }
      guard let command = ModemdCommand.plain(line[...]) else { continue }
      short += 1
      let whole = try? ModemdCommand.parse(line)
      #expect(whole.map { String(describing: $0) } == String(describing: command), "\(line)")
    }
    #expect(short > 50)
    #expect(ModemdCommand.plain([]) != nil)
  }

  @Test("What is given twice, empty, unknown or too much is left to ArgumentParser")
  func plain() {
    func read(_ words: String...) -> PlainArguments? {
      PlainArguments(words[...], flags: ["--flag"], values: ["--name"], positional: 1)
    }
    #expect(read("--flag", "--name", "a", "b")?.positional == ["b"])
    #expect(read("--name=a=b")?["--name"] == "a=b")
    #expect(read("--flag")?.contains("--flag") == true && read()?.contains("--flag") == false)
    #expect(read("--flag", "--flag") == nil && read("--name", "a", "--name=b") == nil)
    #expect(read("a", "b") == nil && read("") == nil && read("--name") == nil && read("--name", "--flag") == nil)
    #expect(read("--name=") == nil && read("--flag=1") == nil && read("--") == nil && read("-") == nil)
    #expect(read("--nam", "a") == nil)
  }

  /// The same numbers in each run.
  private struct Numbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }
}
