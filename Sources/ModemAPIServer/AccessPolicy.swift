import ModemAPI
import Varlink

/// Who may ask what, decided by the peer's credentials. Root, and the user that modemd runs as, always may.
public struct AccessPolicy: Sendable {
  /// Groups whose members may ask what `table` does not name, beside messages, sign-in by phone and MIRACL's identities.
  public var groupIDs: Set<UInt32>
  /// Groups by interface or method, as `org.modemd.TruID` or `org.modemd.TruID.SIMCheck`: they count in place of all other
  /// groups. A method's own entry comes before its interface's.
  public var table: [String: Set<UInt32>]
  /// Groups whose members may have a chain's secrets revealed.
  public var revealGroupIDs: Set<UInt32>
  /// Groups whose members may read and delete short messages where `table` does not name that interface, whether or not they may
  /// ask anything else.
  public var messageGroupIDs: Set<UInt32>
  /// The user that modemd runs as.
  public var ownUserID: UInt32

  public init(
    groupIDs: Set<UInt32>, table: [String: Set<UInt32>] = [:], revealGroupIDs: Set<UInt32> = [],
    messageGroupIDs: Set<UInt32> = [], ownUserID: UInt32
  ) {
    self.groupIDs = groupIDs
    self.table = table
    self.revealGroupIDs = revealGroupIDs
    self.messageGroupIDs = messageGroupIDs
    self.ownUserID = ownUserID
  }

  /// Whether the peer may call a method, by its full name.
  public func allows(_ peer: Peer, _ method: String) -> Bool {
    isOwn(peer) || !groups(for: method).isDisjoint(with: peer.groupIDs)
  }

  private func groups(for method: String) -> Set<UInt32> {
    let interface = String(method[..<(method.lastIndex(of: ".") ?? method.endIndex)])
    if let named = table[method] ?? table[interface] { return named }
    // Who reads a machine's messages can sign in as its owner in many places: the groups of the other interfaces are not enough.
    if interface == MessagesInterface.name { return messageGroupIDs }
    // The first reads a code from the messages too, and gives what the code opens. Who may ask the second can use up an identity's attempts.
    return [PhoneSignInInterface.name, MIRACLInterface.name].contains(interface) ? [] : groupIDs
  }

  /// Whether the peer may see what passes through a chain: URLs with their queries, and the values of fields.
  public func allowsRevealing(_ peer: Peer) -> Bool {
    isOwn(peer) || !revealGroupIDs.isDisjoint(with: peer.groupIDs)
  }

  private func isOwn(_ peer: Peer) -> Bool { peer.userID == 0 || peer.userID == ownUserID }
}
