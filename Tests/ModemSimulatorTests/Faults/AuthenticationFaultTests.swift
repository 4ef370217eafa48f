import Testing

@testable import ModemSimulator

@Suite("Challenges that go wrong")
struct AuthenticationFaultTests {
  private let home = SimulatedHome()

  private func query(_ sequence: UInt64) -> [UInt8] {
    let vector = home.vector(sequence)
    return MBIMHost.message(1, vector.rand + vector.autn, service: .auth)
  }

  private func delays(_ actions: [EndpointAction]) -> [Duration] {
    actions.compactMap { if case .send(_, let delay) = $0 { delay } else { nil } }
  }

  @Test func `a card that is out of step says so once, and follows the operator then`() throws {
    var host = MBIMHost(.answering { $0.card = .outOfStep })
    _ = host.open()
    let first = host.send(query(32))[0]
    #expect(UInt32(littleEndian: first[40..<44]) == 36)
    let sequence = try #require(home.sequence(in: Array(first[100..<114])))
    #expect(sequence > 1_000_000)
    #expect(UInt32(littleEndian: host.send(query(64))[0][40..<44]) == 36)
    #expect(UInt32(littleEndian: host.send(query(sequence + 32))[0][40..<44]) == 0)
  }

  @Test func `a slow card delays the answers to challenges, and nothing else`() {
    var host = MBIMHost(.answering { $0.delay = .seconds(3) })
    _ = host.open()
    #expect(delays(host.core.receive(query(32))) == [.seconds(3)])
    #expect(delays(host.core.receive(MBIMHost.message(1))) == [.zero])
    // The card does not compute for a command that is refused before.
    #expect(delays(host.core.receive(MBIMHost.message(1, service: .auth))) == [.zero])
    let application = SIMCard.applicationID
    let open = [UInt32(application.count), 16, 12, 1].flatMap(\.littleEndianBytes) + application
    #expect(delays(host.core.receive(MBIMHost.message(2, isSet: true, open, service: .uicc))) == [.zero])
    let vector = home.vector(64)
    let command = [0x00, 0x88, 0x00, 0x81, 0x22, 0x10] + vector.rand + [0x10] + vector.autn
    let body = [1, 0, 0, UInt32(command.count), 20].flatMap(\.littleEndianBytes) + command
    #expect(delays(host.core.receive(MBIMHost.message(4, isSet: true, body, service: .uicc))) == [.seconds(3)])
    var qmi = QMIHost(.answering { $0.delay = .seconds(2) })
    let client = qmi.allocate(.uim)
    let challenge = [3, 34, 0, 16] + vector.rand + [16] + vector.autn
    var fields = QMITLVs()
    fields.add(1, [0, 0])
    fields.add(2, challenge)
    let data = [0, 1, 0, 0x34, 0] + UInt16(fields.bytes.count).littleEndianBytes + fields.bytes
    let frame = [1] + UInt16(data.count + 5).littleEndianBytes + [0, QMIService.uim.rawValue, client] + data
    #expect(delays(qmi.core.receive(frame)) == [.seconds(2)])
  }

  @Test func `faults name the commands of either way`() {
    var configuration = SimulatedModemConfiguration()
    configuration.faults = [
      SimulatedFault(on: .authenticate, .swallow, times: 1), SimulatedFault(on: .channel, .answer(status: 1), times: 1),
    ]
    var host = MBIMHost(configuration)
    _ = host.open()
    #expect(host.send(query(32)).isEmpty)
    #expect(host.core.engine.challenges == 0)
    #expect(UInt32(littleEndian: host.send(query(32))[0][40..<44]) == 0)
    let close = MBIMHost.message(3, isSet: true, [0, 0, 0, 0, 1, 0, 0, 0], service: .uicc)
    #expect(UInt32(littleEndian: host.send(close)[0][40..<44]) == 1)
    #expect(UInt32(littleEndian: host.send(close)[0][40..<44]) == 0)
    #expect(host.core.engine.counts[.authenticate] == 2 && host.core.engine.counts[.channel] == 2)
    configuration.faults = [SimulatedFault(on: .authenticate, .fail), SimulatedFault(on: .channel, .fail)]
    var qmi = QMIHost(configuration)
    let client = qmi.allocate(.uim)
    for message in [0x34, 0x3b, 0x3f, 0x42] as [UInt16] {
      #expect(qmi.send(.uim, client: client, message)[0].error == 3)
    }
  }

  @Test func `they change while the modem runs, and a snapshot tells of the card`() throws {
    let modem = SimulatedModem()
    #expect(modem.snapshot.challenges == 0 && modem.snapshot.openChannels == [])
    var authentication = SimulatedAuthentication()
    authentication.ways = []
    modem.setAuthentication(authentication)
    #expect(modem.state.withLock { $0.core.engine.authentication.ways.isEmpty })
    modem.change { _ = $0.openChannel(to: SIMCard.applicationID, group: 1) }
    #expect(modem.snapshot.openChannels == [1])
    let vector = home.vector(32)
    modem.change { _ = $0.challenge(rand: vector.rand, autn: vector.autn) }
    #expect(modem.snapshot.challenges == 1)
    modem.removeSIM()
    #expect(modem.snapshot.openChannels == [] && modem.snapshot.challenges == 1)
  }
}
