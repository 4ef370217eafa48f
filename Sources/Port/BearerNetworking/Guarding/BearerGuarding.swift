import ModemModel
import Rtnetlink

/// How bearers are to be guarded.
package struct BearerGuarding: Sendable {
  package var choice: ModemSettings.Guard
  /// The user that modemd runs as.
  package var user: UInt32
  let openFilterSocket: @Sendable (_ isWatching: Bool) throws -> any NetlinkSocket

  /// - Parameters:
  ///   - user: the user whose sockets may leave by a bearer.
  ///   - openFilterSocket: opens a socket to the packet filter; true also subscribes it to changes.
  package init(
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

/// The ways to guard a bearer.
enum GuardAttempt: Hashable {
  case vrf
  case filter
  /// Nothing, with the reason.
  case nothing(String)

  /// The ways to try, the best first. If there is only one, the bearer does not come up without it.
  ///
  /// - Parameter isAdopted: whether the link belongs to another program and must not be changed.
  static func all(_ choice: ModemSettings.Guard, isAdopted: Bool) -> [GuardAttempt] {
    switch choice {
    case .off: [.nothing("it is switched off by `bearer.guard`")]
    case .nftables: [.filter]
    case .vrf where isAdopted, .auto where isAdopted:
      [.nothing("the link is ModemManager's; to guard it with the packet filter, set `bearer.guard` to nftables")]
    case .vrf: [.vrf]
    case .auto: [.vrf, .filter, .nothing("")]
    }
  }
}
