extension EAPServer {
  /// One thing that a hostile or broken server does in EAP. The words are those of a scenario.
  enum Tampering: String, Hashable, Sendable, CaseIterable {
    /// AT_MAC is not of these keys.
    case wrongMAC
    /// AUTN is not of the SIM's home network.
    case wrongAUTN
    /// AT_CHECKCODE is over other packets.
    case wrongCheckcode
    /// An attribute that must be understood and is not known.
    case unknownAttribute
    /// An attribute that may be skipped.
    case skippableAttribute
    /// The packet says that it is longer.
    case wrongLength
    /// The packet ends within an attribute.
    case cutPacket
    /// An attribute of no length.
    case emptyAttribute
    /// RAND stands twice.
    case twoChallenges
    /// No RAND at all.
    case noChallenge
    /// No AT_MAC.
    case noMAC
    /// EAP-AKA′ without the name that keys are bound to.
    case noNetworkName
    /// EAP-AKA′ with a vector that is not separated for it.
    case unseparated
    /// An answer is followed by another challenge, for ever.
    case endlessChallenges
    /// The identity is asked for, for ever.
    case endlessIdentities
    /// EAP-Failure at once.
    case failure
    /// Another method of EAP.
    case otherMethod
    /// EAP-Success, although nothing was proved.
    case success

    func change(_ vector: inout Vector) {
      if self == .wrongAUTN { vector.autn[15] ^= 1 }
    }

    func change(_ fields: inout [EAPServerPacket.Field]) {
      switch self {
      case .unknownAttribute: fields.append(.reserved(77, [1, 2, 3, 4]))
      case .skippableAttribute: fields.append(.reserved(200, [1, 2, 3, 4]))
      case .twoChallenges: fields.append(fields[0])
      case .noChallenge: fields.removeFirst()
      default: break
      }
    }

    func changed(_ bytes: [UInt8]) -> [UInt8] {
      var bytes = bytes
      switch self {
      case .wrongMAC: bytes[bytes.count - 1] ^= 1
      case .noMAC: bytes = Self.measured(Array(bytes.dropLast(20)))
      case .wrongLength: bytes[3] &+= 4
      case .cutPacket: bytes = Self.measured(Array(bytes.dropLast(6)))
      case .emptyAttribute: bytes[9] = 0
      case .otherMethod: bytes[4] = 13
      case .success: bytes = [3, bytes[1], 0, 4]
      default: break
      }
      return bytes
    }

    /// The packet with its own length.
    private static func measured(_ bytes: [UInt8]) -> [UInt8] {
      Array(bytes[..<2]) + EAPServerPacket.word(bytes.count) + Array(bytes[4...])
    }
  }
}
