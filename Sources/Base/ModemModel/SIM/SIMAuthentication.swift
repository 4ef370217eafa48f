/// What a home network asks its SIM (3GPP TS 33.102, 6.3). It prints nothing of it.
public struct AKAChallenge: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// Bytes of each part.
  public static let partCount = 16

  /// The random challenge.
  public let rand: [UInt8]
  /// The network's token: sequence number, AMF and MAC.
  public let autn: [UInt8]

  /// Nil unless each part has 16 bytes.
  public init?(rand: [UInt8], autn: [UInt8]) {
    guard rand.count == Self.partCount, autn.count == Self.partCount else { return nil }
    self.rand = rand
    self.autn = autn
  }

  public var description: String { "(challenge)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The SIM's answer to a challenge (3GPP TS 31.102, 7.1.2).
public enum AKAAnswer: Hashable, Sendable {
  case response(AKAResponse)
  /// The SIM accepted a later challenge before; AUTS tells the network where to go on.
  case synchronise(AUTS)
  /// The challenge is not from the SIM's home network (status words 9862).
  case refused
}

/// RES and the keys that the SIM derived. They are wiped with their last copy.
public struct AKAResponse: Hashable, Sendable {
  /// Lengths of RES that are possible (3GPP TS 33.102, 6.3.7), in bytes.
  public static let resCounts = 4...16
  /// Bytes of CK and of IK.
  public static let keyCount = 16

  public let res: WipedBytes
  public let ck: WipedBytes
  public let ik: WipedBytes

  /// Nil for a RES of another length than 4 to 16 bytes, and for keys of other than 16.
  public init?(res: WipedBytes, ck: WipedBytes, ik: WipedBytes) {
    guard Self.resCounts.contains(res.count), ck.count == Self.keyCount, ik.count == Self.keyCount else { return nil }
    self.res = res
    self.ck = ck
    self.ik = ik
  }
}

/// The SIM's sequence number, concealed, with its MAC (3GPP TS 33.102, 6.3.3). It prints nothing of
/// it.
public struct AUTS: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Bytes of an AUTS.
  public static let count = 14

  public let bytes: [UInt8]

  /// Nil unless there are 14 bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Self.count else { return nil }
    self.bytes = Array(bytes)
  }

  public var description: String { "(AUTS)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
