import Rtnetlink
import Testing

/// Links for sessions side by side, as the bytes that go to the kernel (linux/rtnetlink.h,
/// linux/if_link.h, linux/wwan.h).
@Suite struct StackedLinkTests {
  private let parent = Link(index: 5, name: "wwan0", isUp: true, mtu: 1500)

  private func sent(_ link: StackedLink, named name: String) throws -> [UInt8] {
    let socket = FakeNetlinkSocket([FakeNetlinkSocket.done(1)])
    try NetlinkSession(socket).make(link, named: name, over: parent)
    return try #require(socket.sent.first)
  }

  @Test func `MBIM session 77 of cdc_mbim is VLAN 77`() throws {
    #expect(
      try sent(.vlan(77), named: "wwan0.77")
        == hex(
          """
          54000000 1000 0506 01000000 07000000   ; RTM_NEWLINK, REQUEST ACK EXCL CREATE
          00 00 0000 00000000 00000000 00000000  ; struct ifinfomsg
          0d00 0300 7777616e302e3737 00 000000   ; IFLA_IFNAME "wwan0.77"
          0800 0500 05000000                     ; IFLA_LINK 5
          1c00 1200                              ; IFLA_LINKINFO
            0900 0100 766c616e 00 000000         ;   IFLA_INFO_KIND "vlan"
            0c00 0200                            ;   IFLA_INFO_DATA
              0600 0100 4d00 0000                ;     IFLA_VLAN_ID 77
          """))
  }

  @Test func `a multiplexing id of rmnet comes with the flag to take aggregates apart`() throws {
    #expect(
      try sent(.rmnet(3), named: "rmnet3")
        == hex(
          """
          5c000000 1000 0506 01000000 07000000
          00 00 0000 00000000 00000000 00000000
          0b00 0300 726d6e657433 00 00           ; IFLA_IFNAME "rmnet3"
          0800 0500 05000000                     ; IFLA_LINK 5
          2800 1200                              ; IFLA_LINKINFO
            0a00 0100 726d6e6574 00 0000         ;   IFLA_INFO_KIND "rmnet"
            1800 0200                            ;   IFLA_INFO_DATA
              0600 0100 0300 0000                ;     IFLA_RMNET_MUX_ID 3
              0c00 0200 01000000 01000000        ;     IFLA_RMNET_FLAGS
          """))
  }

  @Test func `checksums of QMAP's later versions are flags of rmnet`() throws {
    let link = StackedLink.rmnet(3, [.takesApart, .readsChecksumsV5, .writesChecksumsV5])
    #expect(
      try sent(link, named: "rmnet3").suffix(12) == hex("0c00 0200 31000000 31000000")[...],
      "IFLA_RMNET_FLAGS: deaggregation, ingress and egress MAPv5")
    #expect(
      try sent(.rmnet(3, [.readsChecksumsV4, .writesChecksumsV4]), named: "rmnet3").suffix(8)
        == hex("0c000000 0d000000")[...], "what is not wanted is switched off")
  }

  @Test func `a session of a WWAN class device needs no other link`() throws {
    let socket = FakeNetlinkSocket([FakeNetlinkSocket.done(1)])
    try NetlinkSession(socket).make(.wwan(0, device: "wwan0"), named: "wwan0.0", over: nil)
    #expect(
      socket.sent.first
        == hex(
          """
          54000000 1000 0506 01000000 07000000
          00 00 0000 00000000 00000000 00000000
          0c00 0300 7777616e302e30 00            ; IFLA_IFNAME "wwan0.0"
          0a00 3800 7777616e30 00 0000           ; IFLA_PARENT_DEV_NAME "wwan0"
          1c00 1200                              ; IFLA_LINKINFO
            0900 0100 7777616e 00 000000         ;   IFLA_INFO_KIND "wwan"
            0c00 0200                            ;   IFLA_INFO_DATA
              0800 0100 00000000                 ;     IFLA_WWAN_LINK_ID 0
          """))
  }

  @Test func `a link is taken away by its index`() throws {
    let socket = FakeNetlinkSocket([FakeNetlinkSocket.done(1)])
    try NetlinkSession(socket).delete(Link(index: 12, name: "wwan0.0", isUp: true, mtu: 1500))
    #expect(
      socket.sent.first
        == hex(
          """
          20000000 1100 0500 01000000 07000000   ; RTM_DELLINK, REQUEST ACK
          00 00 0000 0c000000 00000000 00000000  ; index 12
          """))
  }

  /// RTM_NEWLINK that ends a dump of one link, with these attributes behind its name.
  private func listed(_ attributes: String) throws -> Link? {
    let body = hex("0000 0702 0c000000 90000000 00000000  0c00 0300 7777616e302e30 00 \(attributes)")
    let head = NetlinkMessage(type: 16, flags: 2, sequence: 1, port: 7, payload: body).bytes
    let done = NetlinkMessage(type: 3, flags: 2, sequence: 1, port: 7, payload: [0, 0, 0, 0]).bytes
    return try NetlinkSession(FakeNetlinkSocket([head + done])).links().first
  }

  @Test func `the kernel tells whose part a link is`() throws {
    let session = try listed(
      """
      0a00 3800 7777616e30 00 0000
      1c00 1200
        0900 0100 7777616e 00 000000
        0c00 0200  0800 0100 05000000
      """)
    #expect(session?.part == StackedPart(kind: "wwan", number: 5, device: "wwan0"))
    let multiplexed = try listed(
      """
      0800 0500 05000000
      1c00 1200
        0a00 0100 726d6e6574 00 0000
        0c00 0200  0600 0100 4d00 0000
      """)
    #expect(multiplexed?.part == StackedPart(kind: "rmnet", number: 77, parent: 5))
  }

  @Test(
    arguments: [
      "", "0800 0500 05000000", "1000 1200 0900 0100 76657468 00 000000",
      // Of a kind that has numbers, without one, and with one that is cut.
      "1000 1200 0900 0100 7777616e 00 000000",
      "1800 1200 0900 0100 7777616e 00 000000 0800 0200 0500 0100",
    ])
  func `other links are no parts`(attributes: String) throws {
    let link = try listed(attributes)
    #expect(link?.name == "wwan0.0" && link?.part == nil)
  }

  @Test func `a session of a WWAN class device names the device`() throws {
    #expect(
      try sent(.wwan(77, device: "wwan0"), named: "wwan0.77")
        == hex(
          """
          58000000 1000 0506 01000000 07000000
          00 00 0000 00000000 00000000 00000000
          0d00 0300 7777616e302e3737 00 000000   ; IFLA_IFNAME "wwan0.77"
          0a00 3800 7777616e30 00 0000           ; IFLA_PARENT_DEV_NAME "wwan0"
          1c00 1200                              ; IFLA_LINKINFO
            0900 0100 7777616e 00 000000         ;   IFLA_INFO_KIND "wwan"
            0c00 0200                            ;   IFLA_INFO_DATA
              0800 0100 4d000000                 ;     IFLA_WWAN_LINK_ID 77
          """))
  }

  /// NLMSG_ERROR with this errno for request 1.
  private func refusal(_ errno: UInt8) -> [UInt8] {
    hex(
      "24000000 0200 0001 01000000 07000000 \(FakeNetlinkSocket.byte(UInt8(256 - Int(errno))))ffffff "
        + "20000000 1000 0500 01000000 07000000")
  }

  @Test(arguments: [(UInt8(95), false), (22, true), (19, true)])
  func `a kernel that lacks a kind of link says so before anything is made`(errno: UInt8, isKnown: Bool) throws {
    #expect(try NetlinkSession(FakeNetlinkSocket([refusal(errno)])).knowsLinks(ofKind: "vlan") == isKnown)
  }

  @Test func `a kernel without the permission is no kernel without the links`() throws {
    #expect(throws: NetlinkError.self) {
      let isKnown = try NetlinkSession(FakeNetlinkSocket([refusal(1)])).knowsLinks(ofKind: "vlan")
      Issue.record("the kernel was taken to say \(isKnown)")
    }
  }
}
