/// How many connections there are, of each user and of all.
package struct ConnectionCounts: Sendable {
  private let most: Int
  private let mostOfOne: Int
  private var users: [UInt32: Int] = [:]
  private var all = 0

  /// - Parameters:
  ///   - most: of all users together.
  ///   - mostOfOne: of one user.
  package init(most: Int, mostOfOne: Int) {
    self.most = most
    self.mostOfOne = mostOfOne
  }

  /// Counts one more connection, whose user is not known yet.
  ///
  /// - Returns: false if there are as many as there may be; nothing is counted then.
  package mutating func begin() -> Bool {
    guard all < most else { return false }
    all += 1
    return true
  }

  /// Counts a connection for its user.
  ///
  /// - Returns: false if the user has as many as one may have; nothing is counted then.
  package mutating func note(_ user: UInt32) -> Bool {
    guard users[user, default: 0] < mostOfOne else { return false }
    users[user, default: 0] += 1
    return true
  }

  /// Counts one connection less.
  ///
  /// - Parameter user: for whom it was counted; nil if for nobody.
  package mutating func end(_ user: UInt32?) {
    all -= 1
    guard let user, let count = users[user] else { return }
    users[user] = count > 1 ? count - 1 : nil
  }
}
