import FlowService
import Varlink

/// Decides by the peer's credentials who may call what. Root, and the user that modemd runs as, may
/// call everything.
package struct AccessPolicy: Sendable {
  /// Groups whose members may call what `table` does not name and `defaults` leave to them.
  package var groupIDs: Set<UInt32>
  /// Groups by interface or method, such as `org.modemd.TruID` or `org.modemd.TruID.SIMCheck`. They
  /// replace all other groups. A method's own entry takes precedence over its interface's, and is
  /// required for methods that may lock or spend something.
  package var table: [String: Set<UInt32>]
  /// Groups whose members may reveal a chain's secrets.
  package var revealGroupIDs: Set<UInt32>
  /// Groups whose members may read and delete short messages, if `table` does not name that
  /// interface, whether or not they may call anything else.
  package var messageGroupIDs: Set<UInt32>
  /// Groups whose members are told who the SIM and the device are; nil for whoever may call.
  package var identityGroupIDs: Set<UInt32>?
  /// The user that modemd runs as.
  package var ownUserID: UInt32
  /// What applies to a method that `table` does not name. `ModemAPIRouter` takes the defaults of
  /// the interfaces it registers.
  package var defaults: AccessDefaults

  package init(
    groupIDs: Set<UInt32>, table: [String: Set<UInt32>] = [:], revealGroupIDs: Set<UInt32> = [],
    messageGroupIDs: Set<UInt32> = [], identityGroupIDs: Set<UInt32>? = nil, ownUserID: UInt32,
    defaults: AccessDefaults = AccessDefaults(AccessDefaults.ownRights)
  ) {
    self.groupIDs = groupIDs
    self.table = table
    self.revealGroupIDs = revealGroupIDs
    self.messageGroupIDs = messageGroupIDs
    self.identityGroupIDs = identityGroupIDs
    self.ownUserID = ownUserID
    self.defaults = defaults
  }

  /// Whether the peer may call a method, by its full name.
  package func allows(_ peer: Peer, _ method: String) -> Bool {
    isOwn(peer) || !groups(for: method).isDisjoint(with: peer.groupIDs)
  }

  private func groups(for method: String) -> Set<UInt32> {
    if let named = table[method] { return named }
    let right = defaults.right(to: method)
    let interface = String(method[..<(method.lastIndex(of: ".") ?? method.endIndex)])
    // Whoever grants an interface may not think of the methods that can lock a SIM.
    if right != .ownEntry, let named = table[interface] { return named }
    return switch right {
    case .groups: groupIDs
    case .messageGroups: messageGroupIDs
    case .root, .ownEntry: []
    }
  }

  /// Whether the peer may see the data of a chain: URLs with their queries, and the values of
  /// fields.
  package func allowsRevealing(_ peer: Peer) -> Bool {
    isOwn(peer) || !revealGroupIDs.isDisjoint(with: peer.groupIDs)
  }

  /// Whether the peer is told the IMSI, the ICCID, the numbers of the SIM, and the IMEI, by methods
  /// that it may call.
  package func showsIdentity(to peer: Peer) -> Bool {
    isOwn(peer) || identityGroupIDs.map { !$0.isDisjoint(with: peer.groupIDs) } ?? true
  }

  private func isOwn(_ peer: Peer) -> Bool { peer.userID == 0 || peer.userID == ownUserID }
}
