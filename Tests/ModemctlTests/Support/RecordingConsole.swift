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

  /// - Parameter answers: lines that a person types, one for each question, secrets among them; nil
  ///   for nobody who could be asked.
  func console(secret: String? = nil, answers: [String]? = nil, variables: [String: String] = [:]) -> Console {
    let left = Mutex(answers ?? [])
    let next: @Sendable () -> String? = { left.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    return console(secret: { answers == nil ? secret : next() }, next, answers != nil, variables)
  }

  private func console(
    secret: @escaping @Sendable () -> String?, _ text: @escaping @Sendable () -> String?, _ isInteractive: Bool,
    _ variables: [String: String]
  ) -> Console {
    Console(
      write: { [self] text in
        written.withLock { $0.output += text }
        lines.withLock { _ = $0.waiting?.yield(text) }
      },
      complain: { [self] text in written.withLock { $0.messages += text } },
      readSecret: { _ in secret() },
      readText: { [self] prompt in
        written.withLock { $0.messages += prompt }
        return text()
      }, isInteractive: isInteractive, variable: { variables[$0] }, time: { "12:00:00" },
      now: { Timestamp(milliseconds: 1_700_000_000_000) })
  }

  /// Runs modemctl to its end.
  static func run(
    _ arguments: String..., secret: String? = nil, variables: [String: String] = [:]
  ) async -> Run {
    await run(arguments, secret: secret, variables: variables)
  }

  /// Runs modemctl to its end.
  ///
  /// - Parameter answers: as `console` has them.
  static func run(
    _ arguments: [String], secret: String? = nil, answers: [String]? = nil, variables: [String: String] = [:]
  ) async -> Run {
    let recorder = RecordingConsole()
    let status = await Modemctl.run(
      arguments, on: recorder.console(secret: secret, answers: answers, variables: variables))
    return Run(status: Ending(rawValue: status), output: recorder.output, messages: recorder.messages)
  }
}
