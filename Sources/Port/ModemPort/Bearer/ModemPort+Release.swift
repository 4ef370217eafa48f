import LimitClock
import ModemModel

/// How long callers wait for a modem that ends a bearer. Nothing of the bearer is left on this
/// machine during that time.
package struct ReleasePatience: Sendable {
  /// Whoever ended the bearer.
  package var end: Duration
  /// Whoever wants the next one.
  package var connect: Duration

  package init(end: Duration = .seconds(2), connect: Duration = .seconds(30)) {
    self.end = end
    self.connect = connect
  }
}

/// The modem's part of a bearer's end. A modem may take minutes, or never answer; this must not
/// block callers.
extension ModemPort {
  /// Tells the modem that the bearer ends, and waits briefly for confirmation. Anything longer
  /// continues in the background.
  func tellModem(_ tell: @escaping @Sendable () async -> Void) async {
    let word = Task { await tell() }
    bearerWork.word = word
    take(.modemTold(isConfirmed: await hasEnded(word, within: configuration.releasing.end)))
  }

  /// Asks the modem to end the session, and once more if the first answer does not come: an open
  /// session costs power, and perhaps money.
  func endInModem() async {
    for _ in 0..<2 {
      guard case .open(let backend) = controlPort else { return }
      do {
        return try await backend.disconnect()
      } catch {
        logger.warning("the modem did not confirm the end of the bearer: \(error)")
      }
    }
  }

  /// Waits for the last bearer to end, but not for ever.
  func wait(forRelease end: Task<Void, Never>) async throws {
    guard await hasEnded(end, within: configuration.releasing.connect) else {
      try Task.checkCancellation()
      throw ModemError(
        .busy,
        "the modem has yet to confirm the end of the last bearer; try again in a minute, and where `modemctl status` goes on saying so, "
          + "reset the modem")
    }
  }

  /// Waits for a task. Returns false if the time is over, or the caller has gone, before the task
  /// ends; the task then continues.
  private func hasEnded(_ task: Task<Void, Never>, within limit: Duration) async -> Bool {
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    Task {
      await task.value
      end.yield(true)
    }
    let timer = Task { [dependencies] in
      try? await dependencies.clock.pause(for: limit)
      end.yield(false)
    }
    defer { timer.cancel() }
    for await hasEnded in ends { return hasEnded }
    return false
  }
}
