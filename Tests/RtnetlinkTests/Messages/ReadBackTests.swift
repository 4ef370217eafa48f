import Glibc
import NetworkAddress
import Testing

@testable import Rtnetlink

/// What is written for the kernel reads as what was meant: sent and received messages have one
/// form.
@Suite struct `What is written for the kernel` {
  private static func prefix(_ text: String, _ length: Int) -> IPPrefix { IPPrefix(IPAddress(text)!, length: length)! }

  @Test(
    arguments: [
      Route(.ipv4, table: 254, kind: .unicast(interfaceIndex: 5, gateway: nil), metric: 0, origin: 3),
      Route(.ipv4, table: 255, kind: .unreachable, metric: .max, origin: 255),
      Route(
        .ipv4, table: 256, kind: .unicast(interfaceIndex: 1, gateway: IPAddress("10.0.0.1")), metric: 1, origin: 77),
      Route(
        .ipv4, destination: prefix("10.64.0.0", 30), table: .max, kind: .unicast(interfaceIndex: 7, gateway: nil),
        metric: 1024, origin: 77),
      Route(
        .ipv4, destination: prefix("192.0.2.7", 32), table: 0x1_0001, kind: .other(2), metric: 9, origin: 2),
      Route(
        .ipv6, table: 7_700_005, kind: .unicast(interfaceIndex: 0x7fff_ffff, gateway: IPAddress("fe80::1")),
        metric: 1024,
        origin: 77),
      Route(.ipv6, destination: prefix("2001:db8::", 64), table: 1, kind: .unreachable, metric: 5, origin: 77),
      Route(.ipv6, destination: prefix("2001:db8::1", 128), table: 1, kind: .other(8), metric: 5, origin: 77),
    ])
  func `of a route reads as that route`(route: Route) {
    let message = NetlinkMessage(type: 24, flags: 0, payload: route.payload(matching: false))
    #expect(Route(message) == route)
    // A route is deleted by the same words.
    #expect(Route(NetlinkMessage(type: 25, flags: 0, payload: route.payload(matching: true))) == route)
    #expect(NetlinkEvent(message) == .route(table: route.table))
  }

  @Test(
    arguments: [
      RoutingRule(.ipv4, priority: 0, table: 255, origin: 0),
      RoutingRule(.ipv4, priority: 7701, outgoingInterface: "wwan0", table: 256, origin: 77),
      RoutingRule(
        .ipv6, priority: .max, source: prefix("2001:db8::2", 128), table: .max, action: .unreachable, origin: 77),
      RoutingRule(.ipv4, priority: 5, source: prefix("10.0.0.0", 8), users: 1000...1000, table: 9, origin: 77),
      RoutingRule(.ipv4, priority: 5, outgoingInterface: "a23456789012345", users: 0...UInt32.max, table: 9, origin: 1),
      RoutingRule(.ipv6, priority: 1000, asksVRF: true, table: 0, origin: 77),
      RoutingRule(.ipv6, priority: 1000, table: 0, action: .other(3), origin: 77),
    ])
  func `of a rule reads as that rule`(rule: RoutingRule) {
    let message = NetlinkMessage(type: 32, flags: 0, payload: rule.payload)
    #expect(RoutingRule(message) == rule)
    #expect(NetlinkEvent(message) == .rule(table: rule.table))
  }

  @Test(arguments: [false, true], [false, true])
  func `of an address reads as that address`(hasNoPrefixRoute: Bool, skipsDetection: Bool) {
    for (text, length) in [("10.64.0.2", 30), ("10.64.0.2", 32), ("2001:db8::2", 64), ("fe80::1", 128)] {
      for origin in [nil, 0, 77, 255] as [UInt8?] {
        let address = InterfaceAddress(
          interfaceIndex: 5, prefix: Self.prefix(text, length), hasNoPrefixRoute: hasNoPrefixRoute,
          skipsDuplicateDetection: skipsDetection, origin: origin)
        let message = NetlinkMessage(type: 20, flags: 0, payload: address.payload)
        #expect(InterfaceAddress(message) == address)
        #expect(NetlinkEvent(message) == .address(interfaceIndex: 5))
      }
    }
  }

  @Test func `is cut anywhere and read or refused, without a trap`() {
    let route = Route(
      .ipv6, destination: Self.prefix("2001:db8::", 64), table: 7_700_005,
      kind: .unicast(interfaceIndex: 5, gateway: IPAddress("fe80::1")), metric: 1024, origin: 77)
    let whole = route.payload(matching: false)
    for count in 0..<whole.count {
      let read = Route(NetlinkMessage(type: 24, flags: 0, payload: Array(whole.prefix(count))))
      // Its first twelve bytes are the least; then an attribute is there or not, and never another
      // one.
      #expect((read == nil) == (count < 12))
      if let read {
        #expect(read.family == .ipv6 && read.origin == 77 && [nil, route.destination].contains(read.destination))
      }
    }
  }

  @Test func `of an address of neither family, or of a wrong length, is none`() {
    let payload = InterfaceAddress(interfaceIndex: 5, prefix: Self.prefix("10.0.0.2", 30)).payload
    for (place, value) in [(0, 17), (0, 0), (1, 33), (1, 255)] as [(Int, UInt8)] {
      var other = payload
      other[place] = value
      #expect(InterfaceAddress(NetlinkMessage(type: 20, flags: 0, payload: other)) == nil, "\(place): \(value)")
    }
  }

  @Test func `is told in the words of ip(8)`() {
    let gateway = IPAddress("10.0.0.1")
    #expect(
      Route(.ipv4, table: 1, kind: .unicast(interfaceIndex: 5, gateway: gateway), metric: 0, origin: 0).words
        == "default via 10.0.0.1")
    #expect(Route(.ipv6, table: 1, kind: .unreachable, metric: 0, origin: 0).words == "unreachable default")
    #expect(
      Route(
        .ipv4, destination: Self.prefix("10.0.0.0", 30), table: 1, kind: .other(3), metric: 0, origin: 0
      ).words == "10.0.0.0/30 of type 3")
    let rule = RoutingRule(
      .ipv4, priority: 1, outgoingInterface: "wwan0", source: Self.prefix("10.0.0.2", 32), users: 1...9, table: 7,
      origin: 0)
    #expect(rule.words == "from 10.0.0.2/32 oif wwan0 uidrange 1-9 lookup 7")
    #expect(
      RoutingRule(.ipv4, priority: 1, asksVRF: true, table: 0, origin: 0).words == "from all lookup [l3mdev-table]")
    #expect(RoutingRule(.ipv4, priority: 1, table: 0, action: .unreachable, origin: 0).words == "from all unreachable")
    #expect(
      LinkChange(isUp: false, mtu: 1430, alias: "x", addressGeneration: 1, master: 0).words
        == "down, MTU 1430, alias 'x', IPv6 address generation 1, no master")
    #expect(LinkChange(isUp: true, master: 9).words == "up, master 9" && LinkChange().words.isEmpty)
  }
}

@Suite struct `An error of the kernel's` {
  @Test(
    arguments: [
      (EPERM, "notPermitted"), (ENODEV, "noDevice"), (ENXIO, "noDevice"), (ENOENT, "notFound"), (ESRCH, "notFound"),
      (EADDRNOTAVAIL, "notFound"), (EEXIST, "exists"), (EAFNOSUPPORT, "familyNotSupported"),
      (EOPNOTSUPP, "familyNotSupported"), (EAGAIN, "timeout"), (ETIMEDOUT, "timeout"), (ENOBUFS, "overrun"),
      (EBADF, "closed"), (EINVAL, "failed"), (EBUSY, "failed"), (0, "failed"), (Int32.max, "failed"),
    ])
  func `has its kind, what was tried, and its number`(errno: Int32, kind: String) {
    let error = NetlinkError("set link wwan0", errno: errno)
    #expect(error.code.description == kind)
    #expect(error.message.hasPrefix("cannot set link wwan0: ") && error.message.contains("(errno \(errno))"))
  }

  @Test func `says what to do where there is something to do, and what the kernel says`() {
    #expect(NetlinkError("x", errno: EPERM).message.hasSuffix("; the process needs CAP_NET_ADMIN"))
    #expect(NetlinkError("x", errno: ENODEV).message.contains("ip link"))
    #expect(NetlinkError(.failed, "a", cause: "b").description == "a (the kernel says: b)")
    #expect(NetlinkError(.failed, "a").description == "a")
  }

  private func read(_ text: String, type: UInt16 = 2, flags: UInt16 = 0) -> Acknowledgement? {
    Acknowledgement(NetlinkMessage(type: type, flags: flags, payload: hex(text)))
  }

  @Test func `is read from an answer, with the kernel's own words behind the request or its header`() {
    // The message of the request in full: 20 bytes and four of padding of its own, then the
    // attribute.
    let words = "0b00 0100 6e6f2077617900 00"
    let whole = read("ffffffff 13000000 1000 0500 01000000 07000000 414243 00 \(words)", flags: 0x200)
    #expect(whole?.errno == EPERM && whole?.text == "no way")
    let capped = read("eaffffff 20000000 1000 0500 01000000 07000000 \(words)", flags: 0x300)
    #expect(capped?.errno == EINVAL && capped?.text == "no way")
    // Without the flag nothing behind the request is words.
    #expect(read("eaffffff 20000000 1000 0500 01000000 07000000 \(words)", flags: 0x100)?.text == nil)
    #expect(read("00000000 20000000 1000 0500 01000000 07000000")?.errno == 0)
    // The end of a list that broke off.
    let end = read("edffffff \(words)", type: 3, flags: 0x200)
    #expect(end?.errno == ENODEV && end?.text == "no way")
  }

  @Test func `of any number and length is read without a trap`() {
    #expect(read("") == nil && read("ffffff") == nil)
    #expect(read("00000080")?.errno == Int32.max)
    #expect(read("ffffffff ffffffff", flags: 0x200)?.text == nil)
    #expect(read("ffffffff ffffffff 00000000", flags: 0x200)?.errno == 1)
  }
}

@Suite struct `Bytes of netlink` {
  @Test func `are padded to four, and so are attributes in attributes`() {
    var writer = ByteWriter()
    writer.append(UInt8(1))
    writer.attribute(7, [0xaa])
    writer.nested(9) { $0.attribute(2, text: "ab") }
    #expect(
      writer.bytes
        == hex("01 000000 0500 0700 aa 000000 0c00 0900 0700 0200 616200 00"))
    let attributes = ByteReader(writer.bytes[...]).attributes(from: 4)
    #expect(attributes.number(7, as: UInt8.self) == 0xaa && attributes.number(7, as: UInt16.self) == nil)
    #expect(attributes.nested(9)?.text(2) == "ab" && attributes.bytes(8) == nil)
  }

  @Test func `are read up to their end and no further`() {
    let reader = ByteReader([1, 2, 3, 4, 5][1...])
    #expect(reader.count == 4 && reader.number(at: 0, as: UInt16.self) == 0x0302)
    #expect(reader.number(at: 3, as: UInt16.self) == nil && reader.number(at: 3, as: UInt8.self) == 5)
    #expect(reader.number(at: -1, as: UInt8.self) == nil && reader.number(at: .max, as: UInt8.self) == nil)
    #expect(reader.slice(from: 4, count: 0)?.isEmpty == true && reader.slice(from: 5, count: 0) == nil)
    #expect(reader.slice(from: 0, count: -1) == nil && reader.slice(from: 1, count: .max) == nil)
  }

  @Test(arguments: ["", "0300 0100", "0400", "0500 0100", "ffff 0100 00000000", "0000 0000 0800 0100 01000000"])
  func `of a broken list are no attributes`(text: String) {
    #expect(ByteReader(hex(text)[...]).attributes(from: 0).bytes(1) == nil)
    #expect(ByteReader(hex(text)[...]).attributes(from: 99).bytes(1) == nil)
  }

  @Test func `have flags in the type that are no part of it, and count the last of two`() {
    let attributes = ByteReader(hex("0800 0180 01000000 0800 0140 02000000")[...]).attributes(from: 0)
    #expect(attributes.number(1, as: UInt32.self) == 2)
  }
}
