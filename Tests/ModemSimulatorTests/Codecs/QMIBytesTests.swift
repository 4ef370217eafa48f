import ModemModel
import NetworkAddress
import Testing

@testable import ModemSimulator

/// What the QMI services say, byte for byte. Client 1 and transaction 1 throughout.
@Suite struct QMIBytesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let service: QMIService
    let message: UInt16
    var fields: [(UInt8, [UInt8])] = []
    var configuration = SimulatedModemConfiguration.german
    let answer: String
  }

  @Test(
    "a request is answered with the bytes of the specification",
    arguments: [
      Case(
        testDescription: "DMS Get MSISDN, not provisioned", service: .dms, message: 0x24, configuration: silent,
        answer: "01 1300 80 02 01  02 0100 2400 0700  02 0400 0100 1000"),
      Case(
        testDescription: "NAS Get Home Network 262-01", service: .nas, message: 0x25,
        answer: """
          01 2a00 80 03 01  02 0100 2500 1e00  02 0400 0000 0000
          01 0f00 0601 0100 0a 54656c656b6f6d2e6465  // MCC, MNC, name
          12 0200 01 00  // 3GPP, two digits
          """),
      Case(
        testDescription: "NAS Get Home Network 302-020", service: .nas, message: 0x25, configuration: canadian,
        answer: """
          01 2000 80 03 01  02 0100 2500 1400  02 0400 0000 0000
          01 0500 2e01 1400 00
          12 0200 01 01
          """),
      Case(
        testDescription: "UIM Get Card Status, ready", service: .uim, message: 0x2f,
        answer: """
          01 3f00 80 0b 01  02 0100 2f00 3300  02 0400 0000 0000
          10 2900 0000 ffff ffff ffff 01  // provisioning sessions, one slot
          01 00 00 00 00 01  // present, no UPIN, no error, one application
          02 07 02 00 00 00 0c a0000000871002ff49ff0589  // USIM, ready
          00 03 03 0a 02 03 0a  // PIN1 disabled, PIN2 verified
          """),
      Case(
        testDescription: "UIM Read Transparent EF_AD, three digits", service: .uim, message: 0x20,
        fields: read(0x6fad), configuration: canadian,
        answer: """
          01 2100 80 0b 01  02 0100 2000 1500  02 0400 0000 0000
          10 0200 9000
          11 0600 0400 00000003
          """),
      Case(
        testDescription: "a message that is not served", service: .dms, message: 0x43,
        answer: "01 1300 80 02 01  02 0100 4300 0700  02 0400 0100 4700"),
    ])
  func request(expected: Case) {
    var host = QMIHost(expected.configuration)
    let client = host.allocate(expected.service)
    #expect(client == 1)
    let answers = host.send(expected.service, client: client, expected.message, expected.fields)
    #expect(answers.map(\.bytes) == [hex(expected.answer)])
  }

  @Test("client ids are given out as a modem did")
  func allocate() {
    var host = QMIHost()
    // Request and answer of a capture, for DMS; its transaction was 4.
    let answers = host.send(hex("01 0f00 00 00 00  00 04 2200 0400  01 0100 02"))
    #expect(answers.map(\.bytes) == [hex("01 1700 80 00 00  01 04 2200 0c00  02 0400 0000 0000  01 0200 02 01")])
  }

  @Test("a request of a capture is read: Get File Attributes of a file that this SIM lacks")
  func fileAttributes() {
    var host = QMIHost()
    _ = host.allocate(.uim)
    let answers = host.send(hex("01 1b00 00 0b 01  00 0100 2400 0f00  02 0700 626f 04 003f ff7f  01 0200 0000"))
    #expect(answers.map(\.error) == [80])
    #expect(answers[0].fields[0x10].map { Array(copy: $0) } == hex("6a82"))
  }

  @Test("searching is indicated to who asked for it")
  func searching() {
    var host = QMIHost()
    let client = host.allocate(.nas)
    _ = host.send(.nas, client: client, 0x03, [(0x13, [1])])
    let (_, actions) = host.core.change { engine in engine.follow { $0.network.state = .searching } }
    let expected = hex("01 1400 80 03 01  04 0000 2400 0800  01 0500 02 02 02 00 00")
    // Registration and attachment both changed.
    #expect(actions.messages == [expected, expected])
  }

  @Test("it looks for networks by itself, and takes the wish for that")
  func automaticRegistration() {
    var host = QMIHost()
    let client = host.allocate(.nas)
    #expect(host.send(.nas, client: client, 0x22, [(1, [1])]).map(\.error) == [0])
    #expect(host.send(.nas, client: client, 0x22, [(1, [2])]).map(\.error) == [48])
    #expect(host.send(.nas, client: client, 0x22).map(\.error) == [17])
  }

  @Test("a SIM that is taken out is indicated")
  func cardAbsent() {
    var host = QMIHost()
    let client = host.allocate(.uim)
    _ = host.send(.uim, client: client, 0x2e, [(1, hex("01000000"))])
    let (_, actions) = host.core.change { $0.setSlot(.empty) }
    #expect(
      actions.messages == [
        hex("01 1e00 80 0b 01  04 0000 3200 1200  10 0f00 ffff ffff ffff ffff 01 00 00 00 00 00 00")
      ])
  }

  @Test("IPv4 settings are numbers on the wire")
  func settings() throws {
    var configuration = SimulatedModemConfiguration()
    configuration.bearers = [
      SimulatedBearer(
        ipv4: .init(
          prefix: try #require(IPPrefix(IPAddress("10.203.178.24")!, length: 28)), gateway: IPAddress("10.203.178.25")),
        ipv6: nil, dns: [IPAddress("10.74.210.210")!, IPAddress("10.74.210.211")!], mtu: 1500)
    ]
    var host = QMIHost(configuration)
    let client = host.allocate(.wds)
    #expect(host.send(.wds, client: client, 0x20)[0].error == 0)
    let answer = host.send(.wds, client: client, 0x2d, [(0x10, UInt32(0xa310).littleEndianBytes)])
    #expect(
      answer.map(\.bytes) == [
        hex(
          """
          01 4100 80 01 01  02 0100 2d00 3500  02 0400 0000 0000
          1e 0400 18b2cb0a  21 0400 f0ffffff  20 0400 19b2cb0a  // address, mask, gateway
          15 0400 d2d24a0a  16 0400 d3d24a0a  29 0400 dc050000  2b 0100 04  // DNS, MTU, family
          """)
      ])
  }

  @Test("a refused call gives the 3GPP cause")
  func refused() {
    var configuration = SimulatedModemConfiguration()
    configuration.accessPoints = ["internet"]
    var host = QMIHost(configuration)
    let client = host.allocate(.wds)
    let answer = host.send(.wds, client: client, 0x20, [(0x14, Array("wrong".utf8))])
    #expect(
      answer.map(\.bytes) == [
        hex(
          """
          01 1f00 80 01 01  02 0100 2000 1300  02 0400 0100 0e00  // CallFailed
          10 0200 f503  11 0400 0600 1b00  // unknown APN; 3GPP, cause 27
          """)
      ])
  }

  @Test("a call that the network ends is indicated with its cause")
  func dropped() {
    var host = QMIHost()
    let client = host.allocate(.wds)
    _ = host.send(.wds, client: client, 0x20)
    let (_, actions) = host.core.change { $0.endSessions(.network(cause: 36)) { _ in true } }
    #expect(
      actions.messages == [
        hex(
          """
          01 2100 80 01 01  04 0000 2200 1500  01 0200 01 00
          10 0200 f003  11 0400 0600 2400  12 0100 04  // regular deactivation, IPv4
          """)
      ])
  }

  @Test("a firmware that starts over says so with a sync indication, and client ids are void")
  func restart() {
    var host = QMIHost()
    let client = host.allocate(.dms)
    #expect(host.core.restart().messages == [hex("01 0b00 80 00 00  02 00 2700 0000")])
    #expect(host.send(.dms, client: client, 0x22)[0].error == 7)
  }

  @Test("what is no frame is passed over")
  func garbage() {
    var host = QMIHost()
    #expect(host.send(hex("ff00ff 02 7f")).isEmpty)
    #expect(host.allocate(.nas) == 1)
    // A field that is longer than its message.
    #expect(host.send(hex("01 0f00 00 00 00  00 04 2200 0400  01 0900 02")).isEmpty)
  }

  private static func read(_ id: UInt16) -> [(UInt8, [UInt8])] {
    [(1, [0, 0]), (2, id.littleEndianBytes + hex("04 003f ff7f")), (3, hex("0000 0000"))]
  }

  private static var silent: SimulatedModemConfiguration {
    var configuration = SimulatedModemConfiguration()
    configuration.reportsNumberOverDMS = false
    return configuration
  }

  private static var canadian: SimulatedModemConfiguration {
    var configuration = SimulatedModemConfiguration()
    configuration.sim?.home = Network(PLMN("302020")!)
    return configuration
  }
}

extension [UInt8] {
  fileprivate init(copy reader: ByteReader) {
    var reader = reader
    self = reader.rest()
  }
}
