import CGLib
import CMBIM
import ModemModel
import NetworkAddress

/// An IP Configuration as the modem gave it (MBIM_CID_IP_CONFIGURATION), copied out of its message.
struct IPConfiguration {
  /// One address family of it. Fields that the modem does not mark as available are left out,
  /// whatever their counts are.
  struct Family {
    var addresses: [(address: IPAddress, prefixLength: Int)] = []
    var gateway: IPAddress?
    var dns: [IPAddress] = []
    var mtu = 0
  }

  var ipv4 = Family()
  var ipv6 = Family()
}

extension BearerSettings {
  /// Takes the usable settings from a modem's configuration. The link must be asked for what the
  /// network granted and the configuration lacks.
  init(_ configuration: IPConfiguration, granted: GrantedFamilies = GrantedFamilies()) {
    let ipv4 = configuration.ipv4.assignment(prefixLengths: 1...32, otherwise: 32)
    // A device has its /64 to itself (RFC 6459). Some firmware reports /128, or leaves the length
    // unset.
    let ipv6 = configuration.ipv6.assignment(prefixLengths: 1...64, otherwise: 64)
    let mtus = [
      ipv4 != nil && (576...65535).contains(configuration.ipv4.mtu) ? configuration.ipv4.mtu : nil,
      ipv6 != nil && (1280...65535).contains(configuration.ipv6.mtu) ? configuration.ipv6.mtu : nil,
    ].compactMap { $0 }
    self.init(
      ipv4: ipv4, ipv6: ipv6,
      dns: (configuration.ipv4.dns + configuration.ipv6.dns).filter { $0.isHost }.withoutRepetition,
      mtu: mtus.min(),
      onLink: OnLink(
        usesDHCP: granted.ipv4 && ipv4 == nil, usesAdvertisements: granted.ipv6 && ipv6 == nil,
        interfaceID: granted.ipv6 && ipv6 == nil ? configuration.ipv6.interfaceID : nil))
  }
}

extension IPConfiguration.Family {
  /// The low half of the link-local address.
  fileprivate var interfaceID: UInt64? {
    for case (.v6(let address), _) in addresses where address.isLinkLocal { return address.low }
    return nil
  }

  /// The first address that reaches beyond the link, with its gateway if that is plausible.
  fileprivate func assignment(prefixLengths: ClosedRange<Int>, otherwise: Int) -> BearerSettings.Assignment? {
    guard let first = addresses.first(where: { $0.address.isHost && !$0.address.isLinkLocal }),
      let prefix = IPPrefix(
        first.address, length: prefixLengths.contains(first.prefixLength) ? first.prefixLength : otherwise)
    else { return nil }
    return BearerSettings.Assignment(prefix: prefix, gateway: gateway.flatMap { $0.isGateway(for: prefix) ? $0 : nil })
  }
}

extension IPAddress {
  /// Whether it can be the address of one host.
  fileprivate var isHost: Bool { !isUnspecified && !isLoopback && !isMulticast }

  /// Whether it is another host on the link of `prefix`. Other gateways are leftovers of the
  /// firmware. The link is point-to-point, so a route to the device itself is enough.
  fileprivate func isGateway(for prefix: IPPrefix) -> Bool {
    guard isHost, self != prefix.address, bytes.count == prefix.address.bytes.count else { return false }
    if case .v6 = self, isLinkLocal { return true }
    return zip(bytes, prefix.address.bytes).enumerated().allSatisfy { index, pair in
      let bits = min(max(prefix.length - index * 8, 0), 8)
      return (pair.0 ^ pair.1) >> (8 - bits) == 0
    }
  }
}

extension [IPAddress] {
  fileprivate var withoutRepetition: [IPAddress] {
    var seen: Set<IPAddress> = []
    return filter { seen.insert($0).inserted }
  }
}

extension IPConfiguration {
  /// Reads an IP Configuration reply.
  init(_ reply: MBIMReply) throws(ModemError) {
    var has4 = MBIM_IP_CONFIGURATION_AVAILABLE_FLAG_NONE
    var has6 = MBIM_IP_CONFIGURATION_AVAILABLE_FLAG_NONE
    var (count4, count6, dnsCount4, dnsCount6): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    var addresses4: UnsafeMutablePointer<UnsafeMutablePointer<MbimIPv4Element>?>?
    var addresses6: UnsafeMutablePointer<UnsafeMutablePointer<MbimIPv6Element>?>?
    var gateway4: UnsafePointer<MbimIPv4>?
    var gateway6: UnsafePointer<MbimIPv6>?
    var dns4: UnsafeMutablePointer<MbimIPv4>?
    var dns6: UnsafeMutablePointer<MbimIPv6>?
    var (mtu4, mtu6): (UInt32, UInt32) = (0, 0)
    try reply.read {
      mbim_message_ip_configuration_response_parse(
        $0, nil, &has4, &has6, &count4, &addresses4, &count6, &addresses6, &gateway4, &gateway6, &dnsCount4, &dns4,
        &dnsCount6, &dns6, &mtu4, &mtu6, $1)
    }
    defer {
      mbim_ipv4_element_array_free(addresses4)
      mbim_ipv6_element_array_free(addresses6)
      g_free(dns4)
      g_free(dns6)
    }
    if has4.has(MBIM_IP_CONFIGURATION_AVAILABLE_FLAG_ADDRESS), let addresses4 {
      ipv4.addresses = (0..<Int(count4)).compactMap { index in
        addresses4[index].flatMap { element in
          IPAddress(element.pointee.ipv4_address).map { ($0, Int(element.pointee.on_link_prefix_length)) }
        }
      }
    }
    if has6.has(MBIM_IP_CONFIGURATION_AVAILABLE_FLAG_ADDRESS), let addresses6 {
      ipv6.addresses = (0..<Int(count6)).compactMap { index in
        addresses6[index].flatMap { element in
          IPAddress(element.pointee.ipv6_address).map { ($0, Int(element.pointee.on_link_prefix_length)) }
        }
      }
    }
    // The gateways are pointers into the message.
    if has4.has(MBIM_IP_CONFIGURATION_AVAILABLE_FLAG_GATEWAY) {
      ipv4.gateway = gateway4.flatMap { IPAddress($0.pointee) }
    }
    if has6.has(MBIM_IP_CONFIGURATION_AVAILABLE_FLAG_GATEWAY) {
      ipv6.gateway = gateway6.flatMap { IPAddress($0.pointee) }
    }
    if has4.has(MBIM_IP_CONFIGURATION_AVAILABLE_FLAG_DNS), let dns4 {
      ipv4.dns = UnsafeBufferPointer(start: dns4, count: Int(dnsCount4)).compactMap { IPAddress($0) }
    }
    if has6.has(MBIM_IP_CONFIGURATION_AVAILABLE_FLAG_DNS), let dns6 {
      ipv6.dns = UnsafeBufferPointer(start: dns6, count: Int(dnsCount6)).compactMap { IPAddress($0) }
    }
    if has4.has(MBIM_IP_CONFIGURATION_AVAILABLE_FLAG_MTU) { ipv4.mtu = Int(mtu4) }
    if has6.has(MBIM_IP_CONFIGURATION_AVAILABLE_FLAG_MTU) { ipv6.mtu = Int(mtu6) }
  }
}

extension MbimIPConfigurationAvailableFlag {
  fileprivate func has(_ flag: MbimIPConfigurationAvailableFlag) -> Bool { rawValue & flag.rawValue != 0 }
}

extension IPAddress {
  fileprivate init?(_ address: MbimIPv4) { self.init(bytes: withUnsafeBytes(of: address.addr) { Array($0) }) }
  fileprivate init?(_ address: MbimIPv6) { self.init(bytes: withUnsafeBytes(of: address.addr) { Array($0) }) }
}
