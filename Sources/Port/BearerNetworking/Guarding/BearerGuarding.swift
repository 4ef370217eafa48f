import ModemModel
import Rtnetlink

/// How bearers are to be guarded.
public struct BearerGuarding: Sendable {
  public var choice: ModemSettings.Guard
  /// The user that modemd runs as.
  public var user: UInt32
  let openFilterSocket: @Sendable (_ isWatching: Bool) throws -> any NetlinkSocket

  /// - Parameters:
  ///   - user: the one whose sockets may leave by a bearer.
  ///   - openFilterSocket: opens a socket to the packet filter, which tells of changes or does not.
  public init(
    _ choice: ModemSettings.Guard, user: UInt32,
    openFilterSocket: @escaping @Sendable (_ isWatching: Bool) throws -> any NetlinkSocket = {
      try KernelNetlinkSocket.filter(isWatching: $0)
    }
  ) {
    self.choice = choice
    self.user = user
    self.openFilterSocket = openFilterSocket
  }
}

/// What may be tried to guard a bearer.
enum GuardAttempt: Hashable {
  case vrf
  case filter
  /// Nothing, with the reason.
  case nothing(String)

  /// What is tried, the best first. Where only one thing is left the bearer does not come up without it.
  ///
  /// - Parameter isAdopted: whether the link is another program's, which is left alone.
  static func all(_ choice: ModemSettings.Guard, isAdopted: Bool) -> [GuardAttempt] {
    switch choice {
    case .off: [.nothing("it is switched off by `bearer.guard`")]
    case .nftables: [.filter]
    case .vrf where isAdopted, .auto where isAdopted:
      [.nothing("the link is ModemManager's; with `bearer.guard` nftables the packet filter guards it")]
    case .vrf: [.vrf]
    case .auto: [.vrf, .filter, .nothing("")]
    }
  }
}
