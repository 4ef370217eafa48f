import NetworkAddress
import Rtnetlink
import Testing

@Suite struct MessageBytesTests {
  private func sent(_ work: (NetlinkSession) throws -> Void) throws -> [UInt8] {
    let socket = FakeNetlinkSocket([FakeNetlinkSocket.done(1)])
    try work(NetlinkSession(socket))
    return try #require(socket.sent.first)
  }

  @Test func aLinkIsSetUp() throws {
    let link = Link(index: 5, name: "wwan0", isUp: false, mtu: 1500)
    #expect(
      try sent { try $0.set(LinkChange(isUp: true), of: link) }
        == hex(
          """
          20000000 1000 0500 01000000 07000000  ; length 32, RTM_NEWLINK, REQUEST|ACK, sequence 1, port 7
          00 00 0000 05000000                   ; any family, any type, index 5
          01000000 01000000                     ; IFF_UP, and only this flag changes
          """))
  }

  @Test func anIPv4AddressIsAddedWithoutItsPrefixRoute() throws {
    let address = InterfaceAddress(
      interfaceIndex: 5, prefix: IPPrefix(try #require(IPAddress("10.64.0.2")), length: 30)!,
      hasNoPrefixRoute: true, origin: 77)
    #expect(
      try sent { try $0.set(address, on: "wwan0") }
        == hex(
          """
          38000000 1400 0505 01000000 07000000  ; length 56, RTM_NEWADDR, REQUEST|ACK|REPLACE|CREATE
          02 1e 00 00 05000000                  ; AF_INET, /30, index 5
          0800 0200 0a400002                    ; IFA_LOCAL
          0800 0100 0a400002                    ; IFA_ADDRESS
          0800 0800 00020000                    ; IFA_FLAGS: NOPREFIXROUTE
          0500 0b00 4d000000                    ; IFA_PROTO: 77, padded
          """))
  }

  @Test func anIPv4DefaultRouteGoesStraightToTheDevice() throws {
    let route = Route(
      .ipv4, table: 7_700_005, kind: .unicast(interfaceIndex: 5, gateway: nil), metric: 1024, origin: 77)
    #expect(
      try sent { try $0.replace(route) }
        == hex(
          """
          34000000 1800 0505 01000000 07000000  ; length 52, RTM_NEWROUTE
          02 00 00 00 00 4d fd 01 00000000      ; AF_INET, to /0, table below, protocol 77, scope link, unicast
          0800 0f00 257e7500                    ; RTA_TABLE 7700005
          0800 0600 00040000                    ; RTA_PRIORITY 1024
          0800 0400 05000000                    ; RTA_OIF 5
          """))
  }

  @Test func anIPv6UnreachableRouteHasNoDevice() throws {
    let route = Route(.ipv6, table: 7_700_005, kind: .unreachable, metric: 4_278_198_272, origin: 77)
    #expect(
      try sent { try $0.replace(route) }
        == hex(
          """
          2c000000 1800 0505 01000000 07000000
          0a 00 00 00 00 4d 00 07 00000000      ; AF_INET6, to /0, protocol 77, unreachable
          0800 0f00 257e7500                    ; RTA_TABLE
          0800 0600 002000ff                    ; RTA_PRIORITY
          """))
  }

  @Test func anIPv6SourceRuleNamesItsTable() throws {
    let rule = RoutingRule(
      .ipv6, priority: 7701, source: IPPrefix(try #require(IPAddress("2001:db8::2")), length: 128), table: 7_700_005,
      origin: 77)
    #expect(
      try sent { try $0.add(rule) }
        == hex(
          """
          48000000 2000 0506 01000000 07000000  ; length 72, RTM_NEWRULE, REQUEST|ACK|EXCL|CREATE
          0a 00 80 00 00 00 00 01 00000000      ; AF_INET6, from /128, FR_ACT_TO_TBL
          0800 0600 151e0000                    ; FRA_PRIORITY 7701
          1400 0200 20010db8000000000000000000000002
          0800 0f00 257e7500                    ; FRA_TABLE
          0500 1500 4d000000                    ; FRA_PROTOCOL 77
          """))
  }

  @Test func aRuleOfAnInterfaceIsDeletedByAllItSays() throws {
    let rule = RoutingRule(
      .ipv4, priority: 7702, outgoingInterface: "wwan0", table: 7_700_005, action: .unreachable, origin: 77)
    #expect(
      try sent { try $0.delete(rule) }
        == hex(
          """
          40000000 2100 0500 01000000 07000000  ; length 64, RTM_DELRULE, REQUEST|ACK
          02 00 00 00 00 00 00 07 00000000      ; AF_INET, FR_ACT_UNREACHABLE
          0800 0600 161e0000                    ; FRA_PRIORITY 7702
          0a00 1100 7777616e3000 0000           ; FRA_OIFNAME "wwan0", padded
          0800 0f00 257e7500
          0500 1500 4d000000
          """))
  }
}
