import NIOCore
import RedirectChain

/// What owners spent on connections that no chain used. It is forgotten evenly: an hour after a
/// whole allowance was spent, all of it is there again. An owner without any left opens no
/// connections ahead.
///
/// It is a value, which the caller guards.
struct WarmAllowance {
  private struct Key: Hashable {
    let owner: ChainRequest.Owner
    /// Another bearer of the same name has no allowance of its own.
    let interface: String
  }

  private struct Spent {
    var bytes: Int
    var at: NIODeadline
  }

  /// Entries that there may be. Those that are forgotten make room; without room, nobody new warms.
  static let maximumEntries = 1024
  private static let hour = TimeAmount.hours(1)

  private let limit: Int
  private var entries: [Key: Spent] = [:]

  /// - Parameter limit: bytes in an hour, for one owner over one bearer.
  init(limit: Int) { self.limit = limit }

  /// Whether an owner may open connections ahead over an interface.
  mutating func isLeft(to owner: ChainRequest.Owner, over interface: String, now: NIODeadline) -> Bool {
    let key = Key(owner: owner, interface: interface)
    settle(key, now)
    if let spent = entries[key] { return spent.bytes < limit }
    guard entries.count >= Self.maximumEntries, !owner.isRoot else { return limit > 0 }
    for key in entries.keys { settle(key, now) }
    return entries.count < Self.maximumEntries
  }

  /// An owner spent bytes for nothing.
  mutating func spend(_ bytes: Int, of owner: ChainRequest.Owner, over interface: String, now: NIODeadline) {
    guard bytes > 0 else { return }
    let key = Key(owner: owner, interface: interface)
    settle(key, now)
    entries[key, default: Spent(bytes: 0, at: now)].bytes += bytes
  }

  private mutating func settle(_ key: Key, _ now: NIODeadline) {
    guard var spent = entries[key], limit > 0 else { return }
    let forgotten = Int(Double(limit) * (Double((now - spent.at).nanoseconds) / Double(Self.hour.nanoseconds)))
    // The remainder of less than a byte must not be lost at each question.
    guard forgotten > 0 else { return }
    spent.bytes -= forgotten
    spent.at = now
    entries[key] = spent.bytes > 0 ? spent : nil
  }
}
