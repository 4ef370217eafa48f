import RedirectChain

/// For whom a flow runs: the user at the other end of the socket, as the kernel reports.
///
/// Two callers are the same if they are the same user: groups may change between two connections.
package struct Caller: Hashable, Sendable {
  package let userID: UInt32
  /// Primary and supplementary groups; empty where they do not matter.
  package let groupIDs: Set<UInt32>

  package init(userID: UInt32, groupIDs: Set<UInt32> = []) {
    self.userID = userID
    self.groupIDs = groupIDs
  }

  package static func == (one: Caller, other: Caller) -> Bool { one.userID == other.userID }

  package func hash(into hasher: inout Hasher) { hasher.combine(userID) }

  package var isRoot: Bool { userID == 0 }

  /// As whom a chain remembers.
  package var owner: ChainRequest.Owner { ChainRequest.Owner(userID: userID) }
}
