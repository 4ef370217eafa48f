import FlowService
import Varlink

/// Who may ask what, decided by the peer's credentials. Root, and the user that modemd runs as, always may.
public struct AccessPolicy: Sendable {
  /// Groups whose members may ask what `table` does not name and `defaults` leave to them.
  public var groupIDs: Set<UInt32>
  /// Groups by interface or method, as `org.modemd.TruID` or `org.modemd.TruID.SIMCheck`: they count in place of all other
  /// groups. A method's own entry comes before its interface's, and alone counts for what may lock or spend something.
  public var table: [String: Set<UInt32>]
  /// Groups whose members may have a chain's secrets revealed.
  public var revealGroupIDs: Set<UInt32>
  /// Groups whose members may read and delete short messages where `table` does not name that interface, whether or not they may
  /// ask anything else.
  public var messageGroupIDs: Set<UInt32>
  /// The user that modemd runs as.
  public var ownUserID: UInt32
  /// What holds for a method that `table` does not name. `ModemAPIRouter` takes those of what it registers.
  public var defaults: AccessDefaults

  public init(
    groupIDs: Set<UInt32>, table: [String: Set<UInt32>] = [:], revealGroupIDs: Set<UInt32> = [],
    messageGroupIDs: Set<UInt32> = [], ownUserID: UInt32,
    defaults: AccessDefaults = AccessDefaults(AccessDefaults.ownRights)
  ) {
    self.groupIDs = groupIDs
    self.table = table
    self.revealGroupIDs = revealGroupIDs
    self.messageGroupIDs = messageGroupIDs
    self.ownUserID = ownUserID
    self.defaults = defaults
  }

  /// Whether the peer may call a method, by its full name.
  public func allows(_ peer: Peer, _ method: String) -> Bool {
    isOwn(peer) || !groups(for: method).isDisjoint(with: peer.groupIDs)
  }

  private func groups(for method: String) -> Set<UInt32> {
    if let named = table[method] { return named }
    let right = defaults.right(to: method)
    let interface = String(method[..<(method.lastIndex(of: ".") ?? method.endIndex)])
    // Who gives an interface away does not think of what may lock a SIM.
    if right != .ownEntry, let named = table[interface] { return named }
    return switch right {
    case .groups: groupIDs
    case .messageGroups: messageGroupIDs
    case .root, .ownEntry: []
    }
  }

  /// Whether the peer may see what passes through a chain: URLs with their queries, and the values of fields.
  public func allowsRevealing(_ peer: Peer) -> Bool {
    isOwn(peer) || !revealGroupIDs.isDisjoint(with: peer.groupIDs)
  }

  private func isOwn(_ peer: Peer) -> Bool { peer.userID == 0 || peer.userID == ownUserID }
}
