import NetworkAddress
import Rtnetlink
import Testing

@Suite struct SessionTests {
  private let link = Link(index: 5, name: "wwan0", isUp: false, mtu: 1500)

  @Test func aRefusalCarriesOperationErrnoKernelTextAndNextStep() throws {
    // -EPERM, the header of the request (payload left out), NLMSGERR_ATTR_MSG "no way".
    let answer = hex(
      """
      30000000 0200 0003 01000000 07000000
      ffffffff 20000000 1000 0500 01000000 07000000
      0b00 0100 6e6f2077617900 00
      """)
    let session = NetlinkSession(FakeNetlinkSocket([answer]))
    let error = #expect(throws: NetlinkError.self) { try session.set(LinkChange(isUp: true, mtu: 1400), of: link) }
    #expect(error?.code == .notPermitted)
    #expect(
      error?.description
        == "cannot set interface wwan0 to up, MTU 1400: Operation not permitted (errno 1); "
        + "the process needs CAP_NET_ADMIN (the kernel says: no way)")
  }

  @Test func anAnswerToAnEarlierRequestIsPassedOver() throws {
    let session = NetlinkSession(
      FakeNetlinkSocket([FakeNetlinkSocket.done(9), FakeNetlinkSocket.done(1)]), firstSequence: 1)
    try session.set(LinkChange(isUp: true), of: link)
  }

  @Test func anAnswerToAnotherSocketIsPassedOver() throws {
    var foreign = FakeNetlinkSocket.done(1)
    foreign[12] = 8
    let session = NetlinkSession(FakeNetlinkSocket([foreign]))
    let error = #expect(throws: NetlinkError.self) { try session.set(LinkChange(isUp: true), of: link) }
    #expect(error?.code == .timeout)
  }

  private func rule(_ sequence: UInt8, flags: String = "0200") -> [UInt8] {
    // from all lookup main, priority 32766
    hex(
      """
      2c000000 2000 \(flags) \(FakeNetlinkSocket.byte(sequence))000000 07000000
      02 00 00 00 fe 00 00 01 00000000
      0800 0600 fe7f0000
      0800 0f00 fe000000
      """)
  }

  private func end(_ sequence: UInt8) -> [UInt8] {
    hex("14000000 0300 0200 \(FakeNetlinkSocket.byte(sequence))000000 07000000 00000000")
  }

  @Test func aListArrivesInSeveralDatagramsAndMessages() throws {
    let socket = FakeNetlinkSocket([rule(1) + rule(1), rule(1), end(1)])
    let rules = try NetlinkSession(socket).rules(.ipv4)
    #expect(rules == Array(repeating: RoutingRule(.ipv4, priority: 32766, table: 254, origin: 0), count: 3))
  }

  @Test func aListThatChangedMeanwhileIsReadAgain() throws {
    let socket = FakeNetlinkSocket([rule(1) + rule(1, flags: "1200"), end(1), rule(2), end(2)])
    #expect(try NetlinkSession(socket).rules(.ipv4).count == 1)
    #expect(socket.sent.count == 2)
  }

  @Test func aListThatNeverStandsStillEndsInAnError() throws {
    let answers = (1...5).flatMap { [rule(UInt8($0), flags: "1200"), end(UInt8($0))] }
    let session = NetlinkSession(FakeNetlinkSocket(answers))
    #expect(throws: NetlinkError.self) { try session.rules(.ipv4) }
  }

  @Test(arguments: [
    "ff000000 2000 0200 01000000 07000000", "04000000 2000 0200", "0f000000 2000 0200 01000000 070000",
  ])
  func aWrongLengthIsNoReply(_ bytes: String) throws {
    let session = NetlinkSession(FakeNetlinkSocket([hex(bytes)]))
    let error = #expect(throws: NetlinkError.self) { try session.rules(.ipv4) }
    #expect(error?.code == .badReply)
  }

  @Test func hostileBytesAreReadWithoutATrap() {
    var generator = SystemRandomNumberGenerator()
    for type in [16, 17, 20, 21, 24, 25, 32, 33, 2, 3] as [UInt16] {
      for size in 0..<64 {
        let payload = (0..<size).map { _ in UInt8.random(in: 0...16, using: &generator) }
        _ = NetlinkEvent(NetlinkMessage(type: type, flags: 0, payload: payload))
        let message = NetlinkMessage(type: type, flags: 0xffff, sequence: 1, port: 7, payload: payload)
        _ = try? NetlinkSession(FakeNetlinkSocket([message.bytes])).rules(.ipv4)
        _ = try? NetlinkSession(FakeNetlinkSocket([message.bytes])).addresses()
        _ = try? NetlinkSession(FakeNetlinkSocket([message.bytes])).links()
      }
    }
  }
}
