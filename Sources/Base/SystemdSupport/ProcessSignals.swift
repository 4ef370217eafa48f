@preconcurrency import Dispatch

/// Signals that this process takes in place of what they would do by default.
package enum ProcessSignals {
  /// Takes signals from now on, as long as the process lives.
  ///
  /// - Parameter signals: each once, as in `SIGTERM`.
  /// - Returns: which came, in their order. Of a signal that comes several times before it is read,
  ///   one may be all that is told.
  package static func take(_ signals: Int32...) async -> AsyncStream<Int32> {
    // Nobody needs to know how often somebody pressed a key.
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(16))
    let queue = DispatchQueue(label: "signals")
    for signal in signals {
      let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
      // The source lives in its own handler.
      source.setEventHandler {
        extendLifetime(source)
        continuation.yield(signal)
      }
      // One that comes while it is set up must not be lost.
      await withCheckedContinuation { isReady in
        source.setRegistrationHandler { isReady.resume() }
        source.activate()
      }
    }
    return stream
  }
}
