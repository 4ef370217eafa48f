import Varlink

/// Who may ask what, decided by the peer's credentials.
public struct AccessPolicy: Sendable {
  /// Groups whose members may ask; root, and the user that modemd runs as, always may.
  public var groupIDs: Set<UInt32>
  /// Groups whose members may have a chain's secrets revealed.
  public var revealGroupIDs: Set<UInt32>
  /// Groups whose members may read and delete short messages, whether or not they may ask anything else.
  public var messageGroupIDs: Set<UInt32>
  /// The user that modemd runs as.
  public var ownUserID: UInt32

  public init(
    groupIDs: Set<UInt32>, revealGroupIDs: Set<UInt32> = [], messageGroupIDs: Set<UInt32> = [], ownUserID: UInt32
  ) {
    self.groupIDs = groupIDs
    self.revealGroupIDs = revealGroupIDs
    self.messageGroupIDs = messageGroupIDs
    self.ownUserID = ownUserID
  }

  /// Whether the peer may use org.modemd.*, subscriber identity included.
  public func allows(_ peer: Peer) -> Bool {
    isOwn(peer) || !groupIDs.isDisjoint(with: peer.groupIDs)
  }

  /// Whether the peer may see what passes through a chain: URLs with their queries, and the values of fields.
  public func allowsRevealing(_ peer: Peer) -> Bool {
    isOwn(peer) || !revealGroupIDs.isDisjoint(with: peer.groupIDs)
  }

  /// Whether the peer may use org.modemd.Messages. Who reads a machine's messages can sign in as its owner in many places: the groups
  /// of the other interfaces are not enough.
  public func allowsMessages(_ peer: Peer) -> Bool {
    isOwn(peer) || !messageGroupIDs.isDisjoint(with: peer.groupIDs)
  }

  private func isOwn(_ peer: Peer) -> Bool { peer.userID == 0 || peer.userID == ownUserID }
}
