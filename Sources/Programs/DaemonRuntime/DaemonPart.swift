import Logging

/// A part of what a daemon does: it goes on until its task is cancelled, and has cleaned up when it
/// returns.
package struct DaemonPart: Sendable {
  /// For the log.
  package let name: String
  private let work: @Sendable () async throws -> Void

  package init(_ name: String, _ work: @escaping @Sendable () async throws -> Void) {
    self.name = name
    self.work = work
  }

  /// A part that ended although nobody had told it to.
  package struct EndedEarly: Error, Equatable, CustomStringConvertible {
    package let part: String
    package var description: String { "the part '\(part)' ended, which it must not; the log above may say why" }
  }

  /// Runs parts side by side until a signal tells them to end: then each, the last first, is
  /// cancelled and waited for before the next, so that nobody is served by what is no more. Later
  /// signals change nothing.
  ///
  /// A part that fails, or ends by itself, ends all others at once.
  ///
  /// - Parameter signals: the first tells the parts to end.
  /// - Throws: the error of the first part that failed; `EndedEarly` of one that ended by itself.
  package static func run(_ parts: [DaemonPart], until signals: AsyncStream<Int32>, logger: Logger) async throws {
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let listener = Task { for await signal in signals { continuation.yield(.signal(signal)) } }
    defer { listener.cancel() }
    let tasks = parts.enumerated().map { index, part in
      Task { continuation.yield(.ended(index, await part.result())) }
    }
    var run = Run(parts: parts)
    for await event in events {
      if case .signal(let signal) = event { logger.debug("signal \(signal)") }
      for index in run.take(event) {
        logger.debug("ending the part '\(parts[index].name)'")
        tasks[index].cancel()
      }
      if run.left.isEmpty { break }
    }
    if let failure = run.failure { throw failure }
  }

  private func result() async -> Result<Void, any Error> {
    do {
      return .success(try await work())
    } catch {
      return .failure(error)
    }
  }

  private enum Event: Sendable {
    case signal(Int32)
    case ended(Int, Result<Void, any Error>)
  }

  /// What goes on, and what was told to end.
  private struct Run {
    private enum Phase {
      case serving
      /// This part was told to end, and the ones behind it have ended.
      case ending(Int)
      case failed(any Error)
    }

    private let parts: [DaemonPart]
    private(set) var left: Set<Int>
    private var phase = Phase.serving

    init(parts: [DaemonPart]) {
      self.parts = parts
      left = Set(parts.indices)
    }

    var failure: (any Error)? {
      guard case .failed(let error) = phase else { return nil }
      return error
    }

    /// - Returns: the parts to cancel.
    mutating func take(_ event: Event) -> [Int] {
      switch (event, phase) {
      case (.signal, .serving): return endLast()
      case (.signal, .ending), (.signal, .failed): return []
      case (.ended(let index, _), .failed):
        left.remove(index)
        return []
      case (.ended(let index, let result), .serving):
        left.remove(index)
        return fail(result, index)
      case (.ended(let index, let result), .ending(let told)):
        left.remove(index)
        return index == told && Self.isEnd(result) ? endLast() : fail(result, index)
      }
    }

    /// A part that is cancelled may say so.
    private static func isEnd(_ result: Result<Void, any Error>) -> Bool {
      guard case .failure(let error) = result else { return true }
      return error is CancellationError
    }

    private mutating func endLast() -> [Int] {
      guard let last = left.max() else { return [] }
      phase = .ending(last)
      return [last]
    }

    private mutating func fail(_ result: Result<Void, any Error>, _ index: Int) -> [Int] {
      if case .failure(let error) = result {
        phase = .failed(error)
      } else {
        phase = .failed(EndedEarly(part: parts[index].name))
      }
      return Array(left)
    }
  }
}
