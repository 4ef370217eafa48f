import NIOConcurrencyHelpers

/// Reports what a set of connections moves to whoever has the set: first to its maker, then to the
/// chain that took it.
final class ByteMeter: Sendable {
  private struct Contents {
    var report: ByteReport?
    var bytes = 0
    /// Called once the maker's part is over its limit.
    var onLimit: (@Sendable () -> Void)?
  }

  private let limit: Int
  private let contents: NIOLockedValueBox<Contents>

  /// - Parameter limit: most bytes before somebody takes the set over.
  init(limit: Int, _ report: ByteReport?) {
    self.limit = limit
    contents = NIOLockedValueBox(Contents(report: report))
  }

  /// What was moved before somebody took the set over.
  var bytes: Int { contents.withLockedValue(\.bytes) }

  func note(_ sent: Int, _ received: Int, _ connections: Int) {
    let (report, onLimit) = contents.withLockedValue { contents -> (ByteReport?, (@Sendable () -> Void)?) in
      guard let stop = contents.onLimit else { return (contents.report, nil) }
      contents.bytes += sent + received
      guard contents.bytes > limit else { return (contents.report, nil) }
      contents.onLimit = nil
      return (contents.report, stop)
    }
    report?(sent, received, connections)
    onLimit?()
  }

  /// Counts from now on.
  ///
  /// - Parameter stop: called once when there is more than the limit allows.
  func begin(atLimit stop: @escaping @Sendable () -> Void) { contents.withLockedValue { $0.onLimit = stop } }

  /// A chain has the connections now, and hears of all further bytes.
  func hand(over report: ByteReport?) {
    contents.withLockedValue { contents in
      contents.report = report
      contents.onLimit = nil
    }
  }
}
