import NetworkAddress
import Rtnetlink
import Testing

/// What a guard is made of, byte for byte.
@Suite struct GuardBytesTests {
  private func sent(_ answers: [UInt8] = [1], _ work: (NetlinkSession) throws -> Void) throws -> [[UInt8]] {
    let socket = FakeNetlinkSocket(answers.map(FakeNetlinkSocket.done))
    try work(NetlinkSession(socket))
    return socket.sent
  }

  @Test func aVRFIsMadeWithItsTable() throws {
    let bytes = try sent { try $0.makeVRF("vrf-wwan0", table: 7_700_005) }
    #expect(
      bytes == [
        hex(
          """
          48000000 1000 0506 01000000 07000000  ; length 72, RTM_NEWLINK, REQUEST|ACK|EXCL|CREATE
          00 00 0000 00000000 00000000 00000000
          0e00 0300 7672662d7777616e3000 0000   ; IFLA_IFNAME "vrf-wwan0", padded
          1800 1200                             ; IFLA_LINKINFO
            0800 0100 76726600                  ; IFLA_INFO_KIND "vrf"
            0c00 0200 0800 0100 257e7500        ; IFLA_INFO_DATA: IFLA_VRF_TABLE 7700005
          """)
      ])
  }

  @Test func aLinkBecomesAPort() throws {
    let link = Link(index: 5, name: "wwan0", isUp: false, mtu: 1500)
    let bytes = try sent { try $0.set(LinkChange(master: 9), of: link) }
    #expect(
      bytes == [
        hex(
          """
          28000000 1000 0500 01000000 07000000
          00 00 0000 05000000 00000000 00000000
          0800 0a00 09000000                    ; IFLA_MASTER 9
          """)
      ])
  }

  @Test func aGateRuleNamesItsUsers() throws {
    let rule = RoutingRule(
      .ipv4, priority: 770, outgoingInterface: "wwan0", users: 0...989, table: 7_700_005, action: .unreachable,
      origin: 77)
    let bytes = try sent { try $0.add(rule) }
    #expect(
      bytes == [
        hex(
          """
          4c000000 2000 0506 01000000 07000000  ; length 76, RTM_NEWRULE
          02 00 00 00 00 00 00 07 00000000      ; AF_INET, FR_ACT_UNREACHABLE
          0800 0600 02030000                    ; FRA_PRIORITY 770
          0a00 1100 7777616e3000 0000           ; FRA_OIFNAME "wwan0", padded
          0c00 1400 00000000 dd030000           ; FRA_UID_RANGE 0 to 989
          0800 0f00 257e7500
          0500 1500 4d000000
          """)
      ])
    #expect(rule.words == "from all oif wwan0 uidrange 0-989 unreachable")
  }

  @Test func aTableOfTheFilterGoesInOneBatch() throws {
    // The list of what is there comes first: it is empty. Then each message but the batch's ends is
    // acknowledged.
    let empty = hex("14000000 0300 0200 01000000 07000000 00000000")
    let socket = FakeNetlinkSocket([empty] + (3...7).map(FakeNetlinkSocket.done))
    let table = FilterTable(
      name: "modemd_wwan0",
      chains: [.init(.output, [FilterRule([.leavesBy("wwan0"), .isOfAnotherUser(than: 990)], .reject)])])
    try NetlinkSession(socket).replace(table)
    let sent = socket.sent
    #expect(sent.count == 2)
    #expect(
      sent.first
        == hex(
          """
          28000000 070a 0103 01000000 07000000  ; NFT_MSG_GETRULE, REQUEST|DUMP
          01 00 0000                            ; NFPROTO_INET
          1100 0100 6d6f64656d645f7777616e3000 000000
          """))
    let name = "1100 0100 6d6f64656d645f7777616e3000 000000"
    #expect(
      sent.last
        == hex(
          """
          14000000 1000 0100 02000000 07000000 00 00 000a  ; NFNL_MSG_BATCH_BEGIN for nf_tables
          28000000 000a 0504 03000000 07000000 01 00 0000  ; NFT_MSG_NEWTABLE
          \(name)
          28000000 020a 0500 04000000 07000000 01 00 0000  ; NFT_MSG_DELTABLE
          \(name)
          28000000 000a 0504 05000000 07000000 01 00 0000  ; NFT_MSG_NEWTABLE
          \(name)
          5c000000 030a 0504 06000000 07000000 01 00 0000  ; NFT_MSG_NEWCHAIN
          \(name)
          0b00 0300 6f757470757400 00                      ; NFTA_CHAIN_NAME "output"
          1400 0400 0800 0100 00000003 0800 0200 00000000  ; NFTA_CHAIN_HOOK: NF_INET_LOCAL_OUT, priority 0
          0800 0500 00000001                               ; NFTA_CHAIN_POLICY: accept
          0b00 0700 66696c74657200 00                      ; NFTA_CHAIN_TYPE "filter"
          28010000 060a 050c 07000000 07000000 01 00 0000  ; NFT_MSG_NEWRULE, APPEND
          \(name)
          0b00 0200 6f757470757400 00                      ; NFTA_RULE_CHAIN
          d400 0400                                        ; NFTA_RULE_EXPRESSIONS
            2400 0100 0900 0100 6d65746100 000000          ; "meta"
              1400 0200 0800 0100 00000001 0800 0200 00000007  ; into register 1: NFT_META_OIFNAME
            3800 0100 0800 0100 636d7000                   ; "cmp"
              2c00 0200 0800 0100 00000001 0800 0200 00000000  ; register 1, equal
              1800 0300 1400 0100 7777616e3000000000000000000000 00
            2400 0100 0900 0100 6d65746100 000000
              1400 0200 0800 0100 00000001 0800 0200 0000000a  ; NFT_META_SKUID
            2c00 0100 0800 0100 636d7000
              2000 0200 0800 0100 00000001 0800 0200 00000001  ; register 1, not equal
              0c00 0300 0800 0100 de030000
            2400 0100 0b00 0100 72656a65637400 00          ; "reject"
              1400 0200 0800 0100 00000002 0500 0200 03000000  ; ICMPX, administratively prohibited
          \(Self.comment(sent.last ?? []))
          14000000 1100 0100 08000000 07000000 00 00 000a  ; NFNL_MSG_BATCH_END
          """))
  }

  /// NFTA_RULE_USERDATA: a comment with the rule's mark, whose digits nobody wants to work out by
  /// hand.
  private static func comment(_ sent: [UInt8]) -> String {
    guard let words = sent.firstRange(of: Array("modemd ".utf8))?.lowerBound else { return "" }
    // Before the words: the attribute's length and type, then the comment's type and length.
    let start = words - 6
    #expect(sent[(start + 1)..<(start + 5)] == [0x00, 0x07, 0x00, 0x00])
    return sent[start..<(start + (Int(sent[start]) + 3) & ~3)].map(FakeNetlinkSocket.byte).joined()
  }

  @Test func anErrorInTheMiddleOfABatchIsThrown() throws {
    let refusal = hex("24000000 0200 0000 02000000 07000000  feffffff  20000000 000a 0500 02000000 07000000")
    let socket = FakeNetlinkSocket([refusal])
    let error = #expect(throws: NetlinkError.self) { try NetlinkSession(socket).deleteFilterTable("modemd_wwan0") }
    #expect(error?.code == .notFound)
  }
}
