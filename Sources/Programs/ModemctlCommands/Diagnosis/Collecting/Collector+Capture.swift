import ModemAPI
import ModemctlCore
import PortAPI
import Varlink

extension Collector {
  /// A session with a port instead of modemd.
  func session(withPort name: String) -> Session {
    var options = session.options
    options.socket = machine.root + "\(ports)/\(name)"
    return Session(options: options, console: session.console, clock: session.clock)
  }

  /// Captures the control channels for some time.
  ///
  /// - Parameter seconds: 1 to 300.
  mutating func capture(seconds: Int) async {
    guard !askedPorts.isEmpty else {
      unread.append(
        "the control channel: "
          + (machine.isRoot
            ? "no port answers" : "only root may capture it: sudo modemctl diagnose --capture \(seconds)"))
      return
    }
    let ports = askedPorts.map { ($0, session(withPort: $0)) }
    let texts = await withTaskGroup(of: (String, String).self) { group in
      for (name, port) in ports { group.addTask { (name, await Capture.text(from: port, seconds: seconds)) } }
      return await group.reduce(into: [String: String]()) { $0[$1.0] = $1.1 }
    }
    for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
      add("Control channel of \(name), \(seconds) s", text)
    }
  }
}

/// The messages on one port's control channel.
enum Capture {
  /// Messages that are kept.
  private static let limit = 4096

  /// Captures, and renders what came.
  static func text(from port: Session, seconds: Int) async -> String {
    let collected = MessageList()
    let reason = await withTaskGroup(of: String?.self) { group in
      group.addTask {
        do {
          let stream = try await port.connect().stream(
            PortInterface.Capture.self, .init(seconds: seconds, refresh: true))
          for try await reply in stream {
            guard let message = reply.message, await collected.add(message, limit: limit) else { return nil }
          }
          return nil
        } catch {
          return ModemctlError(explaining: error, socket: port.socket).message
        }
      }
      group.addTask {
        // The port ends the capture; this is for a port that hangs.
        try? await port.clock.pause(for: .seconds(seconds + 15))
        return "the port did not end the capture in time"
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    let lines = table(await collected.messages)
    return (lines.isEmpty ? "(no message)\n" : lines) + (reason.map { "(\($0))\n" } ?? "")
  }

  private actor MessageList {
    var messages: [PortInterface.ControlMessage] = []

    /// - Returns: whether more fit.
    func add(_ message: PortInterface.ControlMessage, limit: Int) -> Bool {
      messages.append(message)
      return messages.count < limit
    }
  }

  /// One line per message: its time, direction, number, name and status, and how long the reply
  /// took.
  static func table(_ messages: [PortInterface.ControlMessage]) -> String {
    var sent: [Int: Int] = [:]
    return messages.map { message in
      var line = "\(message.milliseconds) ms  \(message.direction.rawValue)"
      if let transaction = message.transaction {
        line += "  #\(transaction)"
        if message.direction == .sent { sent[transaction] = message.milliseconds }
      }
      line += "  \(message.name), \(message.length) bytes"
      if let status = message.status { line += ", status \(status)" }
      if message.direction == .received, let start = message.transaction.flatMap({ sent[$0] }) {
        line += ", after \(message.milliseconds - start) ms"
      }
      return line + (message.detail.map { ": \($0)" } ?? "") + "\n"
    }.joined()
  }
}
