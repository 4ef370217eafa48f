import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl sockets`
struct Sockets: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sockets", abstract: "The sockets and streams that programs have over bearers, and their end.",
    discussion: "Root sees and ends everybody's, other users their own.",
    subcommands: [SocketsList.self, SocketsEnd.self], defaultSubcommand: SocketsList.self)
}

/// `modemctl sockets list`
struct SocketsList: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Who has which connection over which bearer, and how much went through it.")

  @Option(help: ArgumentHelp("The modem's id, device or interface; without it, all modems.", valueName: "modem"))
  var modem: String?

  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    let reply = try await session.call(UsageInterface.Sockets.self, .init(modem: modem), within: .answer)
    try session.show(reply) {
      reply.sockets.isEmpty ? "no program has a connection over a bearer\n" : Self.table(reply.sockets, session.paint)
    }
    return .done
  }

  private static func table(_ sockets: [UsageInterface.Socket], _ paint: Paint) -> String {
    let columns: [TableLayout.Column] = [
      .init("ID"), .init("INTERFACE"), .init("USER"), .init("PROCESS", isNumber: true), .init("PROGRAM"), .init("WAY"),
      .init("SINCE"), .init("SENT", isNumber: true), .init("RECEIVED", isNumber: true), .init("TO"),
    ]
    let rows = sockets.map { socket in
      [
        Cell(socket.id), Cell(socket.interface), Cell(UserNames.name(of: socket.user)),
        Cell(socket.process.map(String.init)), Cell(socket.program),
        Cell(socket.kind == .datagram ? "\(socket.way.rawValue) (UDP)" : socket.way.rawValue),
        Cell(ShownTime.text(socket.opened)), Cell(socket.sent.map { ShownBytes.text($0) }),
        Cell(socket.received.map { ShownBytes.text($0) }), Cell(destination(socket)),
      ]
    }
    return TableLayout.render(columns, rows, paint)
  }

  /// The host as it was named, and its address where that is another text.
  private static func destination(_ socket: UsageInterface.Socket) -> String? {
    let port = socket.port.map { ":\($0)" } ?? ""
    guard let host = socket.host else { return socket.address.map { $0 + port } }
    return host + port + (socket.address.map { $0 == host ? "" : " (\($0))" } ?? "")
  }
}

/// `modemctl sockets end`
struct SocketsEnd: Verb {
  static let configuration = CommandConfiguration(
    commandName: "end", abstract: "End connections at once: their programs read an error, or the end of the data.")

  @Argument(help: "The ids, as `modemctl sockets` shows them.")
  var ids: [String]

  @OptionGroup var common: CommonOptions

  /// The document that `--json` gives.
  struct Document: Codable, Hashable {
    var ended: [String]
  }

  func run(in session: Session) async throws -> ExitStatus {
    for id in ids { _ = try await session.call(UsageInterface.EndSocket.self, .init(id: id), within: .answer) }
    try session.show(Document(ended: ids)) { ids.map { "\($0) ended\n" }.joined() }
    return .done
  }
}
