import CLinux
import NetworkAddress

/// An address on an interface (linux/if_addr.h).
package struct InterfaceAddress: Hashable, Sendable {
  package var interfaceIndex: Int
  package var prefix: IPPrefix
  /// Prevents the kernel from adding a route to the prefix to the main table (IFA_F_NOPREFIXROUTE).
  package var hasNoPrefixRoute: Bool
  /// Skips IPv6's duplicate address detection, which cannot find anything on a point-to-point link
  /// (IFA_F_NODAD).
  package var skipsDuplicateDetection: Bool
  /// What set it (IFA_PROTO, Linux 5.18); nil if unknown.
  package var origin: UInt8?

  package init(
    interfaceIndex: Int, prefix: IPPrefix, hasNoPrefixRoute: Bool = false, skipsDuplicateDetection: Bool = false,
    origin: UInt8? = nil
  ) {
    self.interfaceIndex = interfaceIndex
    self.prefix = prefix
    self.hasNoPrefixRoute = hasNoPrefixRoute
    self.skipsDuplicateDetection = skipsDuplicateDetection
    self.origin = origin
  }

  /// Reads RTM_NEWADDR or RTM_DELADDR; nil for another family or a malformed message.
  init?(_ message: NetlinkMessage) {
    let reader = message.reader
    guard let family: UInt8 = reader.number(at: 0), AddressFamily(number: family) != nil,
      let length: UInt8 = reader.number(at: 1), let header: UInt8 = reader.number(at: 2),
      let index: UInt32 = reader.number(at: 4)
    else { return nil }
    let attributes = reader.attributes(from: 8)
    // If both are present, IFA_ADDRESS is the far end.
    guard let address = attributes.address(IFA_LOCAL) ?? attributes.address(IFA_ADDRESS),
      let prefix = IPPrefix(address, length: Int(length))
    else { return nil }
    let flags = attributes.number(IFA_FLAGS, as: UInt32.self) ?? UInt32(header)
    self.init(
      interfaceIndex: Int(index), prefix: prefix, hasNoPrefixRoute: flags & UInt32(IFA_F_NOPREFIXROUTE) != 0,
      skipsDuplicateDetection: flags & UInt32(IFA_F_NODAD) != 0, origin: attributes.number(IFA_PROTO))
  }

  var payload: [UInt8] {
    let flags =
      (hasNoPrefixRoute ? UInt32(IFA_F_NOPREFIXROUTE) : 0) | (skipsDuplicateDetection ? UInt32(IFA_F_NODAD) : 0)
    var writer = ByteWriter()
    writer.append(AddressFamily(prefix.address).number)
    writer.append(UInt8(prefix.length))
    writer.append(UInt8(truncatingIfNeeded: flags))
    writer.append(UInt8(0))
    writer.append(UInt32(interfaceIndex))
    writer.attribute(IFA_LOCAL, address: prefix.address)
    writer.attribute(IFA_ADDRESS, address: prefix.address)
    if flags != 0 { writer.attribute(IFA_FLAGS, number: flags) }
    if let origin { writer.attribute(IFA_PROTO, number: origin) }
    return writer.bytes
  }
}

/// Addresses: RTM_GETADDR, RTM_NEWADDR, RTM_DELADDR.
extension NetlinkSession {
  /// Adds an address, or changes the flags of an existing one. `interface` is its name for errors.
  package func set(_ address: InterfaceAddress, on interface: String) throws {
    try perform(
      "add address \(address.prefix) to \(interface)", type: RTM_NEWADDR, flags: NLM_F_CREATE | NLM_F_REPLACE,
      address.payload)
  }

  package func delete(_ address: InterfaceAddress, on interface: String) throws {
    try perform("remove address \(address.prefix) from \(interface)", type: RTM_DELADDR, address.payload)
  }

  /// All addresses of both families; with `index`, only those of one interface.
  package func addresses(ofInterface index: Int? = nil) throws -> [InterfaceAddress] {
    var writer = ByteWriter()
    writer.append(UInt64(0))
    return try dump("list addresses", type: RTM_GETADDR, writer.bytes).compactMap(InterfaceAddress.init)
      .filter { index == nil || $0.interfaceIndex == index }
  }
}
