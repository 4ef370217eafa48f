import RedirectChain

/// For whom a flow runs: the user at the other end of the socket, as the kernel reports.
package struct Caller: Hashable, Sendable {
  package let userID: UInt32

  package init(userID: UInt32) { self.userID = userID }

  package var isRoot: Bool { userID == 0 }

  /// As whom a chain remembers.
  var owner: ChainRequest.Owner { ChainRequest.Owner(userID: userID) }
}
