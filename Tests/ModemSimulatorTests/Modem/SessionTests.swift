import ModemModel
import Testing

@testable import ModemSimulator

@Suite struct SessionTests {
  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let refusal: SessionRefusal
    let prepare: @Sendable (inout ModemEngine) -> Void
  }

  private func request(_ id: UInt32 = 0, _ families: Set<AddressFamily> = [.ipv4, .ipv6]) -> SessionRequest {
    SessionRequest(owner: .mbim(id), accessPoint: "internet", families: families)
  }

  @Test(
    "a session is refused with the reason",
    arguments: [
      Refusal(testDescription: "no SIM", refusal: .noSIM) { $0.setSlot(.empty) },
      Refusal(testDescription: "SIM locked", refusal: .simLocked) { engine in
        _ = engine.withCard { card in
          card.relock(pin: "1111")
          return .done
        }
      },
      Refusal(testDescription: "radio off", refusal: .radioOff) { $0.isRadioOn = false },
      Refusal(testDescription: "searching", refusal: .notRegistered) { $0.network.state = .searching },
      Refusal(testDescription: "denied", refusal: .notRegistered) { $0.network.state = .denied },
      Refusal(testDescription: "detached", refusal: .detached) { $0.wantsAttach = false },
      Refusal(testDescription: "unknown access point", refusal: .network(cause: 27)) {
        $0.configuration.accessPoints = ["ims"]
      },
      Refusal(testDescription: "wrong credentials", refusal: .network(cause: 29)) {
        $0.configuration.credentials = SimulatedCredentials(user: "a", password: APNPassword("b"))
      },
      Refusal(testDescription: "no address of that family", refusal: .network(cause: 51)) {
        $0.configuration.bearers[0].ipv4 = nil
        $0.configuration.bearers[0].ipv6 = nil
      },
      Refusal(testDescription: "no bearer left", refusal: .noFreeBearer) { $0.configuration.bearers = [] },
    ])
  func refused(expected: Refusal) {
    var engine = ModemEngine(SimulatedModemConfiguration())
    expected.prepare(&engine)
    #expect(throws: expected.refusal) { try engine.activate(request()) }
  }

  @Test("each session has a bearer of its own, and the second of one owner is refused")
  func severalSessions() throws {
    var engine = ModemEngine(SimulatedModemConfiguration())
    _ = try engine.activate(request(0))
    _ = try engine.activate(request(1))
    #expect(engine.activeBearers == engine.configuration.bearers)
    #expect(throws: SessionRefusal.alreadyActive) { try engine.activate(request(1)) }
    #expect(throws: SessionRefusal.noFreeBearer) { try engine.activate(request(2)) }
    engine.endSessions(.hostAsked) { $0.owner == .mbim(0) }
    #expect(engine.activeBearers == [engine.configuration.bearers[1]])
  }

  @Test("two QMI clients share the bearer of a dual stack; each half ends with its client")
  func dualStack() {
    var host = QMIHost()
    let (four, six) = (host.allocate(.wds), host.allocate(.wds))
    #expect(host.send(.wds, client: six, 0x4d, [(1, [6])])[0].error == 0)
    for client in [four, six] { #expect(host.send(.wds, client: client, 0x20)[0].error == 0) }
    #expect(host.core.engine.activeBearers == [SimulatedBearer()])
    #expect(host.send(.wds, client: four, 0x20)[0].error == 26)
    let released = host.send(.ctl, client: 0, 0x23, [(1, [1, four])])
    #expect(released.map(\.error) == [0])
    #expect(host.core.engine.activeBearers.map(\.ipv4) == [nil])
    #expect(host.core.engine.activeBearers.map(\.ipv6) == [SimulatedBearer().ipv6])
  }

  @Test("what takes the registration away ends sessions and is indicated", arguments: [true, false])
  func serviceLost(bySIM: Bool) {
    var host = MBIMHost()
    _ = host.open()
    _ = host.command(12, isSet: true, MBIMHost.connect())
    let (_, actions) = host.core.change { engine in
      if bySIM { engine.setSlot(.empty) } else { engine.follow { $0.network.state = .searching } }
    }
    #expect(host.core.engine.sessions.isEmpty)
    let indicated = actions.messages.map { UInt32(littleEndian: $0[36..<40]) }
    // Register State, Packet Service, Connect, and Subscriber Ready Status for the SIM.
    #expect(indicated == [9, 10, 12] + (bySIM ? [2] : []))
  }

  @Test("a host that ends its own session is not told of it twice")
  func ownDisconnect() {
    var host = MBIMHost()
    _ = host.open()
    _ = host.command(12, isSet: true, MBIMHost.connect())
    let answer = host.command(12, isSet: true, MBIMHost.connect(isUp: false))
    #expect(answer.status == 0)
    #expect(answer.others.isEmpty)
    #expect(host.command(12, isSet: true, MBIMHost.connect(isUp: false)).status == 16)
  }

  @Test("close ends the sessions")
  func close() {
    var host = MBIMHost()
    _ = host.open()
    _ = host.command(12, isSet: true, MBIMHost.connect())
    _ = host.send(hex("02000000 0c000000 03000000"))
    #expect(host.core.engine.sessions.isEmpty)
  }

  @Test("faults meet as many commands as they say")
  func faults() {
    var configuration = SimulatedModemConfiguration()
    configuration.faults = [
      SimulatedFault(on: .signal, .fail, times: 1), SimulatedFault(on: .signal, .answer(status: 1), times: 1),
      SimulatedFault(on: .radio, .swallow),
    ]
    var host = MBIMHost(configuration)
    _ = host.open()
    #expect([11, 11, 11].map { host.command($0).status } == [2, 1, 0])
    #expect(host.send(MBIMHost.message(3)).isEmpty)
    #expect(host.core.engine.counts == [.open: 1, .signal: 3, .radio: 1])
  }
}
