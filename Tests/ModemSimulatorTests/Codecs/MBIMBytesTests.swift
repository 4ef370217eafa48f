import ModemModel
import NetworkAddress
import Testing

@testable import ModemSimulator

/// What the MBIM function says, byte for byte. Transaction 2 throughout.
@Suite struct MBIMBytesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let cid: UInt32
    var configuration = SimulatedModemConfiguration.german
    let answer: String
  }

  @Test(
    "a query is answered with the bytes of the specification",
    arguments: [
      Case(
        testDescription: "Subscriber Ready Status, one number", cid: 2,
        answer: """
          03000080 b8000000 02000000 01000000 00000000  // COMMAND_DONE, 184 bytes, fragment 0 of 1
          a289cc33bcbb8b4fb6b0133ec2aae6df 02000000 00000000 88000000  // Basic Connect, CID 2, success
          01000000 24000000 1e000000 44000000 28000000 00000000 01000000  // initialised; IMSI, ICCID, flags, count
          6c000000 1c000000  // the number
          320036003200300031003500300031003200330034003500360037003800 0000
          38003900340039003000320030003000300030003100320033003400350036003700380039003000
          2b003400390031003500310031003200330034003500360037003800
          """),
      Case(
        testDescription: "Subscriber Ready Status, locked", cid: 2, configuration: locked,
        answer: """
          03000080 74000000 02000000 01000000 00000000
          a289cc33bcbb8b4fb6b0133ec2aae6df 02000000 00000000 44000000
          06000000 00000000 00000000 1c000000 28000000 00000000 00000000
          38003900340039003000320030003000300030003100320033003400350036003700380039003000
          """),
      Case(
        testDescription: "PIN, locked with three attempts", cid: 4, configuration: locked,
        answer: """
          03000080 3c000000 02000000 01000000 00000000
          a289cc33bcbb8b4fb6b0133ec2aae6df 04000000 00000000 0c000000
          02000000 01000000 03000000
          """),
      Case(
        testDescription: "Home Provider, three-digit MNC", cid: 6, configuration: american,
        answer: """
          03000080 6c000000 02000000 01000000 00000000
          a289cc33bcbb8b4fb6b0133ec2aae6df 06000000 00000000 3c000000
          20000000 0c000000 01000000 2c000000 10000000 01000000 63000000 63000000
          330031003000320036003000 54002d004d006f00620069006c006500
          """),
      Case(
        testDescription: "Radio State, on", cid: 3,
        answer: """
          03000080 38000000 02000000 01000000 00000000
          a289cc33bcbb8b4fb6b0133ec2aae6df 03000000 00000000 08000000
          01000000 01000000
          """),
      Case(
        testDescription: "a CID that is not served", cid: 24,
        answer: """
          03000080 30000000 02000000 01000000 00000000
          a289cc33bcbb8b4fb6b0133ec2aae6df 18000000 09000000 00000000  // NoDeviceSupport
          """),
    ])
  func query(expected: Case) {
    var host = MBIMHost(expected.configuration)
    _ = host.open()
    #expect(host.send(MBIMHost.message(expected.cid)) == [hex(expected.answer)])
  }

  @Test("an open is answered as a modem's was")
  func open() {
    var host = MBIMHost()
    #expect(host.send(hex("01000000 10000000 02000000 00100000")) == [hex("01000080 10000000 02000000 00000000")])
    #expect(host.send(hex("02000000 0c000000 03000000")) == [hex("02000080 10000000 03000000 00000000")])
  }

  @Test("a command before the open is a function error")
  func notOpened() {
    var host = MBIMHost()
    let command = hex("03000000 30000000 05000000 01000000 00000000") + MBIMHost.message(1).dropFirst(20)
    #expect(host.send(command) == [hex("04000080 10000000 05000000 05000000")])
  }

  @Test("a wrong PIN is answered with the attempts left")
  func wrongPIN() {
    var host = MBIMHost(Self.locked)
    _ = host.open()
    let body = InformationBuffer.build {
      $0.u32(2)
      $0.u32(0)
      $0.string("9999")
      $0.string("")
    }
    let answers = host.send(MBIMHost.message(4, isSet: true, body))
    #expect(
      answers == [
        hex(
          """
          03000080 3c000000 02000000 01000000 00000000
          a289cc33bcbb8b4fb6b0133ec2aae6df 04000000 05000000 0c000000  // PinRequired
          02000000 01000000 02000000
          """)
      ])
  }

  @Test("IPv4 where both families were wanted is a success with cause 50, and a drop is indicated")
  func connect() {
    var configuration = SimulatedModemConfiguration()
    configuration.bearers[0].ipv6 = nil
    var host = MBIMHost(configuration)
    _ = host.open()
    // What umbim sends: session 0, activate, no APN, no authentication.
    let request = hex(
      """
      03000000 6c000000 02000000 01000000 00000000
      a289cc33bcbb8b4fb6b0133ec2aae6df 0c000000 01000000 3c000000
      00000000 01000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
      7e5e2a7e4e6f7272736b656e7e5e2a7e
      """)
    #expect(
      host.send(request) == [
        hex(
          """
          03000080 54000000 02000000 01000000 00000000
          a289cc33bcbb8b4fb6b0133ec2aae6df 0c000000 00000000 24000000
          00000000 01000000 00000000 01000000 7e5e2a7e4e6f7272736b656e7e5e2a7e 32000000
          """)
      ])
    let (_, actions) = host.core.change { $0.endSessions(.network(cause: 36)) { _ in true } }
    #expect(
      actions.messages == [
        hex(
          """
          07000080 50000000 00000000 01000000 00000000
          a289cc33bcbb8b4fb6b0133ec2aae6df 0c000000 24000000
          00000000 03000000 00000000 01000000 7e5e2a7e4e6f7272736b656e7e5e2a7e 24000000
          """)
      ])
  }

  @Test("IP settings are laid out as MBIM 1.0, 10.5.20 has them")
  func ipConfiguration() throws {
    var configuration = SimulatedModemConfiguration()
    configuration.bearers = [
      SimulatedBearer(
        ipv4: .init(
          prefix: try #require(IPPrefix(IPAddress("100.98.240.100")!, length: 29)),
          gateway: IPAddress("100.98.240.101")),
        ipv6: nil, dns: [IPAddress("61.31.1.1")!, IPAddress("61.31.233.1")!], mtu: 1500)
    ]
    var host = MBIMHost(configuration)
    _ = host.open()
    _ = host.command(12, isSet: true, MBIMHost.connect(type: 1))
    let answer = host.command(15, [UInt8](repeating: 0, count: 60))
    #expect(answer.status == 0)
    #expect(
      answer.body
        == hex(
          """
          00000000 0f000000 00000000  // session, IPv4: address, gateway, DNS, MTU; IPv6: nothing
          01000000 3c000000 00000000 00000000  // one address
          44000000 00000000  // gateway
          02000000 48000000 00000000 00000000  // two servers
          dc050000 00000000
          1d000000 6462f064 6462f065 3d1f0101 3d1fe901
          """))
  }

  private static var locked: SimulatedModemConfiguration {
    var configuration = SimulatedModemConfiguration.german
    configuration.sim?.pin = "1234"
    return configuration
  }

  private static var american: SimulatedModemConfiguration {
    var configuration = SimulatedModemConfiguration()
    configuration.sim?.home = Network(PLMN("310260")!, name: "T-Mobile")
    return configuration
  }
}
