import CLinux

/// A network interface (linux/if_link.h).
package struct Link: Hashable, Sendable {
  /// Above 0. An interface that returns under the same name has another index.
  package var index: Int
  package var name: String
  /// Whether it is administratively up (IFF_UP).
  package var isUp: Bool
  /// Bytes.
  package var mtu: Int
  /// A description that an administrator or program gave it; nil if there is none.
  package var alias: String?
  /// How IPv6 makes link-local addresses on it (IN6_ADDR_GEN_MODE_*: 0 EUI-64, 1 none); nil without
  /// IPv6.
  package var addressGeneration: UInt8?
  /// ARPHRD_*: 1 is Ethernet, 519 and 65534 are bare IP (linux/if_arp.h).
  package var type: UInt16
  /// Six bytes on Ethernet, none on bare IP.
  package var hardwareAddress: [UInt8]
  /// Index of the device that it is a port of, such as a VRF (IFLA_MASTER); nil for none.
  package var master: Int?
  /// The table of a VRF device (IFLA_VRF_TABLE); nil for every other kind of link.
  package var vrfTable: UInt32?
  /// Its part, if it carries one part of the traffic of another link or device; nil for every other
  /// kind.
  package var part: StackedPart?

  package init(
    index: Int, name: String, isUp: Bool, mtu: Int, alias: String? = nil, addressGeneration: UInt8? = nil,
    type: UInt16 = 65534, hardwareAddress: [UInt8] = [], master: Int? = nil, vrfTable: UInt32? = nil,
    part: StackedPart? = nil
  ) {
    self.part = part
    self.master = master
    self.vrfTable = vrfTable
    self.type = type
    self.hardwareAddress = hardwareAddress
    self.index = index
    self.name = name
    self.isUp = isUp
    self.mtu = mtu
    self.alias = alias
    self.addressGeneration = addressGeneration
  }

  /// Reads RTM_NEWLINK or RTM_DELLINK; nil if it is malformed.
  init?(_ message: NetlinkMessage) {
    let reader = message.reader
    guard let index: Int32 = reader.number(at: 4), index > 0, let flags: UInt32 = reader.number(at: 8) else {
      return nil
    }
    let attributes = reader.attributes(from: 16)
    guard let name = attributes.text(IFLA_IFNAME) else { return nil }
    let ipv6 = attributes.nested(IFLA_AF_SPEC)?.nested(AddressFamily.ipv6.number)
    let information = attributes.nested(IFLA_LINKINFO)
    let isVRF = information?.text(IFLA_INFO_KIND) == VRFLink.kind
    self.init(
      index: Int(index), name: name, isUp: flags & UInt32(IFF_UP) != 0,
      mtu: Int(attributes.number(IFLA_MTU, as: UInt32.self) ?? 0),
      alias: attributes.text(IFLA_IFALIAS).flatMap { $0.isEmpty ? nil : $0 },
      addressGeneration: ipv6?.number(IFLA_INET6_ADDR_GEN_MODE), type: reader.number(at: 2) ?? 65534,
      hardwareAddress: attributes.bytes(IFLA_ADDRESS).map(Array.init) ?? [],
      master: attributes.number(IFLA_MASTER, as: UInt32.self).map(Int.init),
      vrfTable: isVRF ? information?.nested(IFLA_INFO_DATA)?.number(VRFLink.tableAttribute) : nil,
      part: StackedPart(attributes))
  }
}

/// Changes to a link; nil leaves a property unchanged.
package struct LinkChange: Hashable, Sendable {
  package var isUp: Bool?
  /// Bytes.
  package var mtu: Int?
  /// Empty takes the alias away.
  package var alias: String?
  package var addressGeneration: UInt8?
  /// Index of the device to make it a port of; 0 for none. For that, the kernel takes a link that
  /// is up down and up again, and drops its global IPv6 addresses.
  package var master: Int?

  package init(
    isUp: Bool? = nil, mtu: Int? = nil, alias: String? = nil, addressGeneration: UInt8? = nil, master: Int? = nil
  ) {
    self.master = master
    self.isUp = isUp
    self.mtu = mtu
    self.alias = alias
    self.addressGeneration = addressGeneration
  }

  var words: String {
    var words: [String] = []
    if let isUp { words.append(isUp ? "up" : "down") }
    if let mtu { words.append("MTU \(mtu)") }
    if let alias { words.append("alias '\(alias)'") }
    if let addressGeneration { words.append("IPv6 address generation \(addressGeneration)") }
    if let master { words.append(master == 0 ? "no master" : "master \(master)") }
    return words.joined(separator: ", ")
  }
}
