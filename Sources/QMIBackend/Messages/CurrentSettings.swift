import CGLib
import CQMI
import ModemModel
import NetworkAddress

/// The settings of one session as the modem gave them (WDS Get Current Settings), each field nil where it left it out.
struct CurrentSettings {
  var ipv4Address: IPv4Address?
  var ipv4Mask: IPv4Address?
  var ipv4Gateway: IPv4Address?
  var ipv4DNS: [IPv4Address] = []
  var ipv6Address: IPv6Address?
  var ipv6PrefixLength: Int?
  var ipv6Gateway: IPv6Address?
  var ipv6DNS: [IPv6Address] = []
  var mtu: Int?
}

extension BearerSettings {
  /// Puts the sessions of a bearer together, and leaves out what cannot be used.
  init(_ sessions: [CurrentSettings]) {
    let ipv4 = sessions.compactMap(\.ipv4Assignment).first
    let ipv6 = sessions.compactMap(\.ipv6Assignment).first
    let servers =
      sessions.flatMap { $0.ipv4DNS.map(IPAddress.v4) } + sessions.flatMap { $0.ipv6DNS.map(IPAddress.v6) }
    var seen: Set<IPAddress> = []
    let least = ipv6 != nil ? 1280 : 576
    self.init(
      ipv4: ipv4, ipv6: ipv6,
      dns: servers.filter { !$0.isUnspecified && !$0.isMulticast && seen.insert($0).inserted },
      mtu: sessions.compactMap(\.mtu).filter { (least...65_535).contains($0) }.min())
  }
}

extension CurrentSettings {
  /// Netmask and gateway are often missing: the link is point-to-point, and a route to the device itself does.
  fileprivate var ipv4Assignment: BearerSettings.Assignment? {
    guard let address = ipv4Address, !address.isUnspecified, !address.isLoopback, !address.isMulticast else {
      return nil
    }
    let length = ipv4Mask.flatMap(Self.prefixLength) ?? 32
    guard let prefix = IPPrefix(.v4(address), length: length) else { return nil }
    let mask = length == 0 ? 0 : UInt32.max << UInt32(32 - length)
    let gateway = ipv4Gateway.flatMap { gateway in
      gateway != address && !gateway.isUnspecified && (gateway.number ^ address.number) & mask == 0 ? gateway : nil
    }
    return BearerSettings.Assignment(prefix: prefix, gateway: gateway.map(IPAddress.v4))
  }

  /// A device has its /64 to itself (RFC 6459); some firmware says /128, or leaves the length unset.
  fileprivate var ipv6Assignment: BearerSettings.Assignment? {
    guard let address = ipv6Address, !address.isUnspecified, !address.isLoopback, !address.isMulticast,
      !address.isLinkLocal
    else { return nil }
    let length = ipv6PrefixLength.flatMap { (1...64).contains($0) ? $0 : nil } ?? 64
    guard let prefix = IPPrefix(.v6(address), length: length) else { return nil }
    let mask = UInt64.max << UInt64(64 - length)
    let gateway = ipv6Gateway.flatMap { gateway in
      gateway != address && (gateway.isLinkLocal || (gateway.high ^ address.high) & mask == 0)
        && !gateway.isUnspecified ? gateway : nil
    }
    return BearerSettings.Assignment(prefix: prefix, gateway: gateway.map(IPAddress.v6))
  }

  /// Nil for a mask with a gap, and for 0.0.0.0, which leaves no link.
  private static func prefixLength(_ mask: IPv4Address) -> Int? {
    let length = mask.number.nonzeroBitCount
    return length > 0 && (~mask.number).leadingZeroBitCount == 0 && mask.number.leadingOnes == length ? length : nil
  }
}

extension UInt32 {
  fileprivate var leadingOnes: Int { (~self).leadingZeroBitCount }
}

extension CurrentSettings {
  /// Reads a WDS Get Current Settings reply.
  init(_ reply: QMIReply) {
    let output = reply.pointer
    let ipv4 = { (read: (OpaquePointer?, UnsafeMutablePointer<guint32>?, GErrorPlaceOrNil) -> gboolean) in
      var number: guint32 = 0
      return read(output, &number, nil) != 0 ? IPv4Address(number: number) : nil
    }
    ipv4Address = ipv4(qmi_message_wds_get_current_settings_output_get_ipv4_address)
    ipv4Mask = ipv4(qmi_message_wds_get_current_settings_output_get_ipv4_gateway_subnet_mask)
    ipv4Gateway = ipv4(qmi_message_wds_get_current_settings_output_get_ipv4_gateway_address)
    ipv4DNS = [
      ipv4(qmi_message_wds_get_current_settings_output_get_primary_ipv4_dns_address),
      ipv4(qmi_message_wds_get_current_settings_output_get_secondary_ipv4_dns_address),
    ].compactMap { $0 }

    var groups: UnsafeMutablePointer<GArray>?
    var length: guint8 = 0
    if qmi_message_wds_get_current_settings_output_get_ipv6_address(output, &groups, &length, nil) != 0 {
      ipv6Address = Self.ipv6(groups)
      ipv6PrefixLength = Int(length)
    }
    if qmi_message_wds_get_current_settings_output_get_ipv6_gateway_address(output, &groups, &length, nil) != 0 {
      ipv6Gateway = Self.ipv6(groups)
    }
    for read in [
      qmi_message_wds_get_current_settings_output_get_ipv6_primary_dns_address,
      qmi_message_wds_get_current_settings_output_get_ipv6_secondary_dns_address,
    ] where read(output, &groups, nil) != 0 {
      if let server = Self.ipv6(groups) { ipv6DNS.append(server) }
    }
    var mtu: guint32 = 0
    if qmi_message_wds_get_current_settings_output_get_mtu(output, &mtu, nil) != 0 { self.mtu = Int(mtu) }
  }

  private typealias GErrorPlaceOrNil = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?

  /// libqmi has the eight groups in host order.
  private static func ipv6(_ groups: UnsafeMutablePointer<GArray>?) -> IPv6Address? {
    IPv6Address(
      bytes: elements(of: groups, as: UInt16.self).flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] })
  }
}
