/// Builds the information buffers of the basic service's messages (MBIM 1.0).
enum Information {
  /// A field of a buffer: a number, or a string whose offset and size stand there and whose text
  /// follows the fields.
  enum Field {
    case number(UInt32)
    case text(String)
    case bytes([UInt8])
  }

  static func buffer(_ fields: [Field]) -> [UInt8] {
    let fixed = fields.reduce(0) { length, field in
      switch field {
      case .number: length + 4
      case .text: length + 8
      case .bytes(let bytes): length + bytes.count
      }
    }
    var head: [UInt8] = []
    var tail: [UInt8] = []
    for field in fields {
      switch field {
      case .number(let number): head += [number].bytes
      case .bytes(let bytes): head += bytes
      case .text(let text):
        let units = text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        head += (units.isEmpty ? [0, 0] : [UInt32(fixed + tail.count), UInt32(units.count)]).bytes
        tail += units + [UInt8](repeating: 0, count: (4 - units.count % 4) % 4)
      }
    }
    return head + tail
  }

  /// MBIM_DEVICE_SERVICES_INFO.
  static func services(_ services: [([UInt8], [UInt32])]) -> [UInt8] {
    var elements: [[UInt8]] = []
    for (uuid, cids) in services { elements.append(uuid + ([0, 0, UInt32(cids.count)] + cids).bytes) }
    var offset = 8 + 8 * elements.count
    var places: [UInt32] = []
    for element in elements {
      places += [UInt32(offset), UInt32(element.count)]
      offset += element.count
    }
    return ([UInt32(elements.count), 0] + places).bytes + elements.flatMap(\.self)
  }

  static func deviceCaps(id: String, firmware: String = "", hardware: String = "") -> [UInt8] {
    buffer(
      [1, 1, 1, 2, 0x3f, 3, 1, 1].map { .number($0) } + [.text(""), .text(id), .text(firmware), .text(hardware)])
  }

  static func subscriberReady(
    _ state: UInt32, imsi: String = "", iccid: String = "", numbers: [String] = [], count: UInt32? = nil
  ) -> [UInt8] {
    buffer(
      [.number(state), .text(imsi), .text(iccid), .number(0), .number(count ?? UInt32(numbers.count))]
        + numbers.map { .text($0) })
  }

  static func pin(type: UInt32, state: UInt32, attempts: UInt32) -> [UInt8] { [type, state, attempts].bytes }

  static func provider(_ id: String, name: String = "") -> [UInt8] {
    buffer([.text(id), .number(1), .text(name), .number(1), .number(0), .number(0)])
  }

  static func registerState(
    _ state: UInt32, cause: UInt32 = 0, classes: UInt32 = 0x20, provider: String = "", name: String = ""
  ) -> [UInt8] {
    buffer(
      [cause, state, 1, classes, 1].map { .number($0) } + [.text(provider), .text(name), .text(""), .number(0)])
  }

  static func signal(rssi: UInt32) -> [UInt8] { [rssi, 99, 0, 0, 0].bytes }

  static func packetService(_ state: UInt32, cause: UInt32 = 0) -> [UInt8] { [cause, state, 0x20, 0, 0, 0, 0].bytes }

  static func connect(session: UInt32 = 0, _ state: UInt32, cause: UInt32 = 0) -> [UInt8] {
    [session, state, 0, 1].bytes
      + [0x7e, 0x5e, 0x2a, 0x7e, 0x4e, 0x6f, 0x72, 0x72, 0x73, 0x6b, 0x65, 0x6e, 0x7e, 0x5e, 0x2a, 0x7e] + [cause].bytes
  }

  /// What an IP Configuration says of one family.
  struct Family {
    var available: UInt32 = 0
    var addresses: [(prefix: UInt32, bytes: [UInt8])] = []
    var gateway: [UInt8]?
    var dns: [[UInt8]] = []
    var mtu: UInt32 = 0
  }

  static func ipConfiguration(ipv4: Family = Family(), ipv6: Family = Family()) -> [UInt8] {
    var tail: [UInt8] = []
    func place(_ bytes: [UInt8]) -> UInt32 {
      defer { tail += bytes }
      return bytes.isEmpty ? 0 : UInt32(60 + tail.count)
    }
    func addresses(_ family: Family) -> [UInt32] {
      [UInt32(family.addresses.count), place(family.addresses.flatMap { [$0.prefix].bytes + $0.bytes })]
    }
    func servers(_ family: Family) -> [UInt32] { [UInt32(family.dns.count), place(family.dns.flatMap(\.self))] }
    var head = [0, ipv4.available, ipv6.available]
    head += addresses(ipv4) + addresses(ipv6)
    head += [place(ipv4.gateway ?? []), place(ipv6.gateway ?? [])]
    head += servers(ipv4) + servers(ipv6)
    head += [ipv4.mtu, ipv6.mtu]
    return head.bytes + tail
  }
}

/// Command ids of the basic service (MBIM 1.0).
enum CID {
  static let deviceCaps: UInt32 = 1
  static let subscriberReady: UInt32 = 2
  static let pin: UInt32 = 4
  static let homeProvider: UInt32 = 6
  static let registerState: UInt32 = 9
  static let packetService: UInt32 = 10
  static let signalState: UInt32 = 11
  static let connect: UInt32 = 12
  static let ipConfiguration: UInt32 = 15
}
