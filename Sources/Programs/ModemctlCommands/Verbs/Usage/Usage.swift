import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl usage`
struct Usage: Verb {
  static let configuration = CommandConfiguration(
    commandName: "usage",
    abstract: "What went over the bearers: by user and purpose, by day, and what is left of budgets.",
    discussion: """
      Root sees everybody's usage, other users their own. Bytes are those of connections, without the headers of IP \
      and TCP, which operators count too.
      """)

  @Option(help: ArgumentHelp("The modem's id, device or interface; without it, all modems.", valueName: "modem"))
  var modem: String?

  @Option(help: ArgumentHelp("A user's name or id; another user's only for root.", valueName: "user"))
  var user: String?

  @Option(help: ArgumentHelp("Show this many days, 0 to 400.", valueName: "count"))
  var days = 14

  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    guard (0...400).contains(days) else { throw ModemctlError(.usage, "--days: expected 0 to 400") }
    let user = try user.map { name in
      guard let id = UserNames.id(of: name) else { throw ModemctlError(.usage, "there is no user \(name)") }
      return id
    }
    let reply = try await session.call(
      UsageInterface.Get.self, .init(modem: modem, user: user, days: days), within: .answer)
    let drawing = UsageDrawing(
      width: session.console.screen()?.columns ?? session.console.variable("COLUMNS").flatMap { Int($0) } ?? 80,
      isPlain: !Self.knowsUnicode(session.console.variable))
    try session.show(reply) { UsageText(reply, drawing, session.paint).text }
    return .done
  }

  /// Whether the locale's characters are UTF-8: the first of its variables that is set counts.
  static func knowsUnicode(_ variable: (String) -> String?) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { variable($0) }.first { !$0.isEmpty } ?? ""
    let name = locale.lowercased()
    return name.contains("utf-8") || name.contains("utf8")
  }
}
