import CLinux

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
