import Varlink

/// Who may ask what, decided by the peer's credentials.
public struct AccessPolicy: Sendable {
  /// Groups whose members may ask; root, and the user that modemd runs as, always may.
  public var groupIDs: Set<UInt32>
  /// The user that modemd runs as.
  public var ownUserID: UInt32

  public init(groupIDs: Set<UInt32>, ownUserID: UInt32) {
    self.groupIDs = groupIDs
    self.ownUserID = ownUserID
  }

  /// Whether the peer may use org.modemd.*, subscriber identity included.
  public func allows(_ peer: Peer) -> Bool {
    peer.userID == 0 || peer.userID == ownUserID || !groupIDs.isDisjoint(with: peer.groupIDs)
  }
}
