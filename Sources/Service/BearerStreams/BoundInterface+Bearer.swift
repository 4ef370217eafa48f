import BoundHTTP
import ModemModel
import NetworkAddress

extension BoundInterface {
  /// The interface of an installed bearer, with its DNS servers and addresses.
  ///
  /// - Throws: `BoundHTTPError` `badInterface`.
  package init(_ bearer: InstalledBearer) throws {
    try self.init(
      name: bearer.interface, index: bearer.interfaceIndex, dnsServers: bearer.settings.dns,
      sources: [bearer.settings.ipv4, bearer.settings.ipv6].compactMap { $0?.prefix.address })
  }
}
