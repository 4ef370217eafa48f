import ModemModel
import Synchronization

@testable import ModemctlCommands
@testable import ModemctlCore

/// The name without the one of the test library.
typealias Ending = ModemctlCore.ExitStatus

/// What a run of modemctl wrote, and how it ended.
struct Run: Sendable {
  let status: Ending?
  let output: String
  let messages: String
}

/// A console that keeps what is written.
final class RecordingConsole: Sendable {
  private let written = Mutex((output: "", messages: ""))
  private let lines = Mutex<(count: Int, waiting: AsyncStream<String>.Continuation?)>((0, nil))

  var output: String { written.withLock { $0.output } }
  var messages: String { written.withLock { $0.messages } }

  /// Gives each piece of output as it is written.
  func pieces() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    lines.withLock { $0.waiting = continuation }
    return stream
  }

  /// Ends `pieces`.
  func finish() { lines.withLock { $0.waiting?.finish() } }

  func console(secret: String? = nil, variables: [String: String] = [:]) -> Console {
    Console(
      write: { [self] text in
        written.withLock { $0.output += text }
        lines.withLock { _ = $0.waiting?.yield(text) }
      },
      complain: { [self] text in written.withLock { $0.messages += text } },
      readSecret: { _ in secret }, variable: { variables[$0] }, time: { "12:00:00" },
      now: { Timestamp(milliseconds: 1_700_000_000_000) })
  }

  /// Runs modemctl to its end.
  static func run(
    _ arguments: String..., secret: String? = nil, variables: [String: String] = [:]
  ) async -> Run {
    let recorder = RecordingConsole()
    let status = await Modemctl.run(arguments, on: recorder.console(secret: secret, variables: variables))
    return Run(status: Ending(rawValue: status), output: recorder.output, messages: recorder.messages)
  }
}
