import Glibc
import NetworkAddress

/// IPv4 or IPv6. This target treats both in the same way.
package enum AddressFamily: String, Sendable, CaseIterable, CustomStringConvertible {
  case ipv4, ipv6

  package init(_ address: IPAddress) {
    switch address {
    case .v4: self = .ipv4
    case .v6: self = .ipv6
    }
  }

  init?(number: UInt8) {
    switch Int32(number) {
    case AF_INET: self = .ipv4
    case AF_INET6: self = .ipv6
    default: return nil
    }
  }

  var number: UInt8 { UInt8(self == .ipv4 ? AF_INET : AF_INET6) }

  /// Bits of an address.
  package var bits: Int { self == .ipv4 ? 32 : 128 }

  package var description: String { self == .ipv4 ? "IPv4" : "IPv6" }
}
