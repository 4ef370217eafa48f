/// Items that wait for their turn. Users take turns, and each user's items keep their order. A
/// value without clock or lock.
struct UserTurns<Item: Sendable>: Sendable {
  private var waiting: [UInt32: [Item]] = [:]
  /// How many of a user's items were taken; they are dropped once they are half of all.
  private var taken: [UInt32: Int] = [:]
  /// The waiting users; the one at `next` has the next turn.
  private var users: [UInt32] = []
  private var next = 0

  var isEmpty: Bool { users.isEmpty }

  mutating func add(_ item: Item, of user: UInt32) {
    if waiting[user] == nil { users.append(user) }
    waiting[user, default: []].append(item)
  }

  /// The next item of the user whose turn it is.
  mutating func take() -> Item? {
    guard !users.isEmpty else { return nil }
    if next >= users.count { next = 0 }
    let user = users[next]
    let position = taken[user] ?? 0
    guard let item = waiting[user]?[position] else { return nil }
    if position + 1 == waiting[user]?.count {
      waiting[user] = nil
      taken[user] = nil
      users.remove(at: next)
      return item
    }
    taken[user] = position + 1
    if position >= 32, position * 2 >= waiting[user]?.count ?? 0 {
      waiting[user]?.removeFirst(position + 1)
      taken[user] = nil
    }
    next += 1
    return item
  }
}
