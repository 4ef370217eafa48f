import ModemAPI
import ModemAPIClient
import Varlink

/// One run of a verb: where modemd is, where results go, and how they are shown.
struct Session: Sendable {
  let options: CommonOptions
  let console: Console

  var socket: String {
    options.socket ?? console.variable("MODEMD_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
      ?? ModemAPIClient.defaultPath
  }

  var paint: Paint { Paint(isOn: console.hasColour && !options.json) }

  /// A connection of its own.
  func connect() async throws -> ModemAPIClient { try await ModemAPIClient.connect(to: socket) }

  /// Calls a method on a connection of its own.
  ///
  /// - Throws: `ModemctlError` when `limit` passes without an answer, and what the call throws.
  func call<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, within limit: Duration
  ) async throws -> Method.Reply {
    try await withThrowingTaskGroup(of: Method.Reply.self) { group in
      group.addTask { try await connect().call(method, parameters) }
      group.addTask {
        try await Task.sleep(for: limit)
        throw ModemctlError(
          .unreachable,
          "modemd gave no answer within \(limit.components.seconds) seconds; look at `journalctl -u modemd`"
        )
      }
      defer { group.cancelAll() }
      guard let reply = try await group.next() else { throw VarlinkClientError.disconnected }
      return reply
    }
  }

  /// Writes one result: as JSON, or as `text` makes it for people.
  func show(_ value: some Encodable, text: () -> String) throws {
    try console.write(options.json ? JSONText.document(value) : text())
  }

  /// Writes one of several results, at once.
  func showNext(_ value: some Encodable, text: () -> String?) throws {
    if options.json {
      try console.write(JSONText.line(value))
    } else if let text = text() {
      try console.write(text)
    }
  }
}

extension Duration {
  /// What modemd answers from memory.
  static let answer: Duration = .seconds(10)
  /// What a modem and a network have to do something for.
  static let network: Duration = .seconds(180)
}
