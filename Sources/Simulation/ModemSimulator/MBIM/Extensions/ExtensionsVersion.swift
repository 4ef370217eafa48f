/// A version of Microsoft's extensions to MBIM (MBIMEx).
package enum ExtensionsVersion: UInt8, Sendable, CaseIterable, Comparable {
  /// MBIM 1.0 alone.
  case none = 1
  case v2 = 2
  case v3 = 3

  package static func < (one: ExtensionsVersion, other: ExtensionsVersion) -> Bool { one.rawValue < other.rawValue }
}

extension MBIMService {
  /// Microsoft's Basic Connect Extensions, of which the versions' exchange and its device
  /// capabilities are served here.
  static let versions = MBIMService(
    [0x3d, 0x01, 0xdc, 0xc5, 0xfe, 0xf5, 0x4d, 0x05, 0x0d, 0x3a, 0xbe, 0xf7, 0x05, 0x8e, 0x9a, 0xaf])
}

extension MBIMEndpoint {
  /// Device Caps and Version.
  static let versionCommands: [UInt32] = [6, 15]

  /// The version in force: 1.0 after every OPEN, until the host requests more.
  var extensions: ExtensionsVersion { opened?.extensions ?? .none }

  /// The answer to a command of the extensions' own; nil for other commands, and on a modem without
  /// extensions.
  mutating func versioned(_ command: MBIMCommand, engine: ModemEngine) -> MBIMReply? {
    let most = engine.configuration.mbimExtensions
    guard most > .none, command.service == .versions, !command.isSet else { return nil }
    switch command.cid {
    case 6: return .success(engine.extendedDeviceCaps(extensions))
    case 15: return agree(command.body, upTo: most)
    default: return nil
    }
  }

  /// MBIM_CID_VERSION: the host states its version, and gets the common one.
  private mutating func agree(_ body: [UInt8], upTo most: ExtensionsVersion) -> MBIMReply {
    var fields = ByteReader(body)
    guard fields.u16() != nil, let wanted = fields.u16() else { return .failed(.invalidParameters) }
    let asked = ExtensionsVersion(rawValue: UInt8(min(wanted >> 8, 3))) ?? .none
    opened?.extensions = min(asked, most)
    return .success(
      UInt16(0x0100).littleEndianBytes + (UInt16(extensions.rawValue) << 8).littleEndianBytes)
  }
}
