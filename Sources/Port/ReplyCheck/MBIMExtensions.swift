/// The version of Microsoft's extensions to MBIM (MBIMEx) that modem and host have agreed on. Later
/// versions change messages of the basic service.
package enum MBIMExtensions: UInt8, Sendable, CaseIterable, Comparable {
  /// Plain MBIM 1.0; a modem may still have services of Microsoft's.
  case none = 1
  case v2 = 2
  case v3 = 3

  /// The version whose messages a modem sends after agreeing on `version`.
  ///
  /// - Parameter version: as on the wire, major version in the high byte (MBIM_CID_VERSION).
  package init(wire version: UInt16) {
    switch version >> 8 {
    case ..<2: self = .none
    case 2: self = .v2
    default: self = .v3
    }
  }

  /// As in MBIM_CID_VERSION: 0x0300 for 3.0.
  package var wire: UInt16 { UInt16(rawValue) << 8 }

  package static func < (one: MBIMExtensions, other: MBIMExtensions) -> Bool { one.rawValue < other.rawValue }
}
