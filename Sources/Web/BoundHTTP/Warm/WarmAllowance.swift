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
  func isLeft(to owner: ChainRequest.Owner, over interface: String, now: NIODeadline) -> Bool {
    if let spent = entries[Key(owner: owner, interface: interface)] { return left(of: spent, now) < limit }
    guard entries.count >= Self.maximumEntries, !owner.isRoot else { return limit > 0 }
    return entries.values.contains { left(of: $0, now) == 0 }
  }

  /// An owner spent bytes for nothing.
  mutating func spend(_ bytes: Int, of owner: ChainRequest.Owner, over interface: String, now: NIODeadline) {
    guard bytes > 0 else { return }
    let key = Key(owner: owner, interface: interface)
    if entries[key] == nil, entries.count >= Self.maximumEntries {
      entries = entries.filter { left(of: $0.value, now) > 0 }
    }
    let before = entries[key].map { left(of: $0, now) } ?? 0
    entries[key] = Spent(bytes: before + bytes, at: now)
  }

  /// What is not forgotten of it yet.
  private func left(of spent: Spent, _ now: NIODeadline) -> Int {
    let share = Double((now - spent.at).nanoseconds) / Double(Self.hour.nanoseconds)
    return max(spent.bytes - Int(Double(limit) * share), 0)
  }
}
