import LimitClock
import ModemAPI
import Varlink

/// One run of a verb: where modemd is, where results go, and how they are shown.
package struct Session: Sendable {
  package let options: CommonOptions
  package let console: Console
  package let clock: LimitClock

  package init(options: CommonOptions, console: Console, clock: LimitClock = .machine) {
    self.options = options
    self.console = console
    self.clock = clock
  }

  package var socket: String {
    options.socket ?? console.variable("MODEMD_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
      ?? ModemdSocket.path
  }

  package var paint: Paint { Paint(isOn: console.hasColour && !options.json) }

  /// A connection of its own.
  package func connect() async throws -> VarlinkClient { try await VarlinkClient.connect(to: socket, clock: clock) }

  /// Calls a method on a connection of its own.
  ///
  /// - Throws: `ModemctlError` when `limit` passes without an answer, and what the call throws.
  package nonisolated(nonsending) func call<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, within limit: Duration
  ) async throws -> Method.Reply {
    try await VarlinkClient.callAlone(method, parameters, at: socket, clock: clock) { [clock] rest in
      try await withThrowingTaskGroup(of: [UInt8].self) { group in
        group.addTask { try await rest() }
        group.addTask {
          try await clock.pause(for: limit)
          throw ModemctlError(
            .unreachable,
            "modemd gave no answer within \(limit.components.seconds) seconds; look at `journalctl -u modemd`"
          )
        }
        defer { group.cancelAll() }
        guard let frame = try await group.next() else { throw VarlinkClientError.disconnected }
        return frame
      }
    }
  }

  /// Writes a message of modemctl's own.
  package func complain(_ sentence: String) { console.complain("modemctl: \(sentence)\n") }

  /// Writes one result: as JSON on one line, or as `text` makes it for people.
  package func show(_ value: some Encodable, text: () -> String) throws {
    try console.write(options.json ? JSONText.line(value) : text())
  }

  /// Writes one of several results, at once.
  package func showNext(_ value: some Encodable, text: () -> String?) throws {
    if options.json {
      try console.write(JSONText.line(value))
    } else if let text = text() {
      try console.write(text)
    }
  }
}

extension Duration {
  /// What modemd answers from memory.
  package static let answer: Duration = .seconds(10)
  /// What a modem and a network have to do something for.
  package static let network: Duration = .seconds(180)
}
