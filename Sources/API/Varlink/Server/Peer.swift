import CLinux
import Glibc

/// The peer of a connection, as the kernel reports it (SO_PEERCRED, SO_PEERGROUPS).
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
}

extension Peer {
  /// Asks the kernel for the peer of a Unix socket; nil if it does not report one.
  init?(of descriptor: CInt) {
    var credentials = clinux_peer_credentials()
    var length = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(descriptor, SOL_SOCKET, 17, &credentials, &length) == 0 else { return nil }
    var groups = clinux_peer_groups()
    length = socklen_t(MemoryLayout.size(ofValue: groups))
    // A user with more groups than this only counts with the primary group.
    if getsockopt(descriptor, SOL_SOCKET, 59, &groups, &length) != 0 { length = 0 }
    // The kernel fills the front, and returns the length.
    var ids = withUnsafeBytes(of: &groups) { bytes in
      Set(bytes.bindMemory(to: UInt32.self).prefix(Int(length) / MemoryLayout<UInt32>.stride))
    }
    // The group root is never a supplementary one.
    ids.remove(0)
    ids.insert(credentials.gid)
    self.init(processID: credentials.pid, userID: credentials.uid, groupIDs: ids)
  }
}
