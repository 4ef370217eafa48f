import CLinux
import NIOCore

/// Who is at the other end of a connection, as the kernel says (SO_PEERCRED, SO_PEERGROUPS).
public struct Peer: Hashable, Sendable {
  public let processID: Int32
  public let userID: UInt32
  /// Primary and supplementary groups.
  public let groupIDs: Set<UInt32>

  public init(processID: Int32, userID: UInt32, groupIDs: Set<UInt32>) {
    self.processID = processID
    self.userID = userID
    self.groupIDs = groupIDs
  }

  /// The kernel fills the front of `groups`; a zero behind it counts as no group, so group root is never a supplementary one.
  init(_ credentials: clinux_peer_credentials, supplementary groups: clinux_peer_groups?) {
    let others = groups.map { groups in
      withUnsafeBytes(of: groups.gid) { Set($0.bindMemory(to: UInt32.self)) }
    }
    self.init(
      processID: credentials.pid, userID: credentials.uid,
      groupIDs: (others ?? []).subtracting([0]).union([credentials.gid]))
  }
}

extension Peer {
  /// Asks the kernel who is at the other end of a channel; on its event loop.
  static func of(_ channel: any Channel) -> EventLoopFuture<Peer> {
    guard let options = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }
    let credentials: EventLoopFuture<clinux_peer_credentials> = options.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: 17))
    let groups: EventLoopFuture<clinux_peer_groups?> = options.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: 59)
    ).map { (groups: clinux_peer_groups) in groups }.recover { _ in nil }
    return credentials.and(groups).map { credentials, groups in Peer(credentials, supplementary: groups) }
  }
}
