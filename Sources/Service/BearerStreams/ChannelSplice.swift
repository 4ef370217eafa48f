import NIOCore
import Synchronization

/// Moves bytes between a program's channel and a connection over a bearer, until both have said all
/// or one of them is gone.
///
/// Each end reads only what the other can take. The end of what one side says is passed on as such
/// (half close). What passes is counted and paid before it is moved. There is no idle limit.
package enum ChannelSplice {
  /// How it ended.
  package enum End: Hashable, Sendable {
    /// Both sides said all, and everything was passed on.
    case finished
    /// The program closed its channel, or cannot be written to.
    case programLeft
    /// The connection over the bearer was reset.
    case remoteLeft
    case budgetSpent
    /// Someone asked for it (org.modemd.Usage.EndSocket).
    case requested
    case bearerLost
    /// The other end said all, and the programs of this user hold back too much that they do not
    /// read.
    case tooMuchHeld
    /// An error of a channel.
    case failed
  }

  /// Begins to move bytes. Call it on the loop of the program's channel, when everything else that
  /// reads from it has left its pipeline. It closes both channels in the end.
  ///
  /// - Parameters:
  ///   - program: must be active. It may have handlers of its owner, which pass bytes on.
  ///   - early: what the program said before, and nobody has read.
  /// - Returns: how it ended, when both channels are closing. It never fails.
  @discardableResult
  package static func start(
    _ program: any Channel, early: ByteBuffer = ByteBuffer(), with stream: BearerStream
  ) -> EventLoopFuture<End> {
    let half = SpliceHalf(.program, on: program, stream.account)
    let pair = Pair(half, stream.half, program.eventLoop.makePromise())
    do {
      // Before the handler is there, so that nothing is read that nobody asked for.
      let options = program.syncOptions
      try options?.setOption(.autoRead, value: false)
      try options?.setOption(.allowRemoteHalfClosure, value: true)
      try program.pipeline.syncOperations.addHandler(half)
    } catch {
      pair.end(.programLeft)
      return pair.future
    }
    stream.life.onEnd { pair.end(End($0)) }
    half.start(pair, early: early)
    stream.half.onLoop { $0.start(pair) }
    return pair.future
  }

  /// Both halves, and what has become of them.
  final class Pair: Sendable {
    private enum State {
      /// How many directions are not closed.
      case open(Int)
      case ended
    }

    private let program: SpliceHalf
    private let bearer: SpliceHalf
    private let promise: EventLoopPromise<End>
    private let state = Mutex(State.open(2))

    var future: EventLoopFuture<End> { promise.futureResult }

    init(_ program: SpliceHalf, _ bearer: SpliceHalf, _ promise: EventLoopPromise<End>) {
      self.program = program
      self.bearer = bearer
      self.promise = promise
    }

    func other(than half: SpliceHalf) -> SpliceHalf { half === program ? bearer : program }

    /// One direction is closed.
    func passedOn() {
      let isLast = state.withLock { state in
        guard case .open(let left) = state else { return false }
        state = .open(left - 1)
        return left == 1
      }
      if isLast { end(.finished) }
    }

    /// Ends both. Only the first reason counts.
    func end(_ end: End) {
      let isFirst = state.withLock { state in
        guard case .open = state else { return false }
        state = .ended
        return true
      }
      guard isFirst else { return }
      let isOrderly = end == .finished || end == .programLeft
      for half in [bearer, program] { half.onLoop { isOrderly ? $0.finish() : $0.abort() } }
      promise.succeed(end)
    }
  }
}

extension ChannelSplice.End {
  fileprivate init(_ end: ConnectionLife.End) {
    self =
      switch end {
      case .budgetSpent: .budgetSpent
      case .requested: .requested
      case .bearerLost: .bearerLost
      }
  }
}
