import RedirectChain

/// For whom a flow runs: the user at the other end of the socket, as the kernel reports.
public struct Caller: Hashable, Sendable {
  public let userID: UInt32

  public init(userID: UInt32) { self.userID = userID }

  public var isRoot: Bool { userID == 0 }

  /// As whom a chain remembers.
  var owner: ChainRequest.Owner { ChainRequest.Owner(userID: userID) }
}
