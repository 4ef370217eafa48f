import Logging
import ModemAPI
import ModemModel
import ModemPort
import ModemSimulator
import NIOPosix
import PortAPI
import PortServer
import Testing
import Varlink

@Suite(.timeLimit(.minutes(2))) struct `The slots of a modem` {
  private static func modem(_ kind: ModemProtocol) -> SimulatedModem {
    SimulatedModem.with(kind) {
      var second = SimulatedSIM()
      second.iccid = "8949020000000000028"
      second.imsi = "262010000000002"
      second.numbers = ["+4915112345678"]
      second.home = Network(PLMN("26201")!)
      $0.otherSIMs = [second, nil]
    }
  }

  @Test(arguments: ModemProtocol.allCases) func `are told and changed`(kind: ModemProtocol) async throws {
    let modem = Self.modem(kind)
    let simulated = try SimulatedPort(modem, kind)
    try await simulated.run { port in
      let slots = try await port.slots()
      #expect(slots.canSwitch && slots.active == 1)
      #expect(slots.slots.map(\.number) == [1, 2, 3] && slots.slots.map(\.isActive) == [true, false, false])
      #expect(slots.slots.map(\.card) == [.present, .present, .absent])
      // Only QMI tells the serial numbers of SIMs that are not in use.
      let iccids: [String?] = kind == .qmi ? ["8944100000000000015", "8949020000000000028", nil] : [nil, nil, nil]
      #expect(slots.slots.map { $0.iccid?.revealed } == iccids)
      #expect(await port.state.sim.slot == 1)

      _ = try await port.switchSlot(to: 2)
      let state = await simulated.until { $0.sim.state == .ready && $0.registration.state == .home }
      #expect(state.sim.slot == 2 && state.sim.imsi == IMSI("262010000000002"))
      #expect(state.sim.numbers.map(\.revealed) == ["+4915112345678"])
      let now = try await port.slots()
      #expect(modem.snapshot.slot == 2 && now.active == 2)

      _ = try await port.switchSlot(to: 3)
      await simulated.until { $0.sim.state == .absent }
      #expect(await modemError { try await port.switchSlot(to: 4) }?.code == .noSuchSlot)
      #expect(await modemError { try await port.switchSlot(to: 0) }?.code == .noSuchSlot)
      _ = try await port.switchSlot(to: 3)
    }
    modem.unplug()
  }

  @Test(arguments: ModemProtocol.allCases) func `stay while the bearer is up`(kind: ModemProtocol) async throws {
    let modem = Self.modem(kind)
    let simulated = try SimulatedPort(modem, kind)
    try await simulated.run { port in
      _ = try await port.connect(BearerRequest())
      #expect(await modemError { try await port.switchSlot(to: 2) }?.code == .inUse)
      #expect(modem.snapshot.slot == 1 && !modem.snapshot.bearers.isEmpty)
      _ = await port.disconnect()
      _ = try await port.switchSlot(to: 2)
      await simulated.until { $0.sim.state == .ready && $0.registration.state == .home }
      _ = try await port.connect(BearerRequest())
    }
    modem.unplug()
  }

  @Test(arguments: ModemProtocol.allCases) func `are chosen by the configuration`(kind: ModemProtocol) async throws {
    var settings = ModemSettings()
    settings.slot = 2
    let modem = Self.modem(kind)
    let simulated = try SimulatedPort(modem, kind, settings: settings)
    try await simulated.run { _ in
      let state = await simulated.until { $0.sim.state == .ready }
      #expect(state.sim.slot == 2 && modem.snapshot.slot == 2)
    }
    modem.unplug()
    // A modem that cannot works with what it has.
    let single = SimulatedModem.with(kind)
    try await SimulatedPort(single, kind, settings: settings).run { #expect(await $0.state.sim.state == .ready) }
    single.unplug()
  }

  @Test(arguments: ModemProtocol.allCases) func `that change by themselves are noticed`(kind: ModemProtocol)
    async throws
  {
    let modem = Self.modem(kind)
    let simulated = try SimulatedPort(modem, kind)
    try await simulated.run { _ in
      modem.useSlot(2)
      await simulated.until { $0.sim.slot == 2 && $0.sim.imsi == IMSI("262010000000002") }
    }
    modem.unplug()
  }

  @Test(arguments: ModemProtocol.allCases) func `may not be known to a modem`(kind: ModemProtocol) async throws {
    let modem = SimulatedModem.with(kind)
    try await SimulatedPort(modem, kind).run { port in
      let error = await modemError { try await port.switchSlot(to: 2) }
      #expect(error?.code == .notSupported)
      switch kind {
      case .mbim: #expect(await modemError { try await port.slots() }?.code == .notSupported)
      // The cards are known all the same.
      case .qmi:
        let slots = try await port.slots()
        #expect(slots == SIMSlots([SIMSlot(number: 1, isActive: true, card: .present)], canSwitch: false))
      }
    }
    modem.unplug()
  }

  @Test(arguments: ModemProtocol.allCases) func `are asked for over the port's socket`(kind: ModemProtocol) async throws
  {
    let modem = Self.modem(kind)
    let simulated = try SimulatedPort(modem, kind)
    try await withFolder { folder in
      try await simulated.run { port in
        let server = try await VarlinkServer.start(
          PortRouter.make(for: port, version: "test") { _, _ in true }, at: .path("\(folder)/port", mode: 0o600),
          on: MultiThreadedEventLoopGroup.singleton, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let client = try await VarlinkClient.connect(to: "\(folder)/port")
        let reply = try await client.call(PortInterface.Slots.self, .init())
        #expect(
          reply.switchable && reply.slots.map(\.slot) == [1, 2, 3] && reply.slots.map(\.active) == [true, false, false])
        let missing = await #expect(throws: VarlinkError.self) {
          try await client.call(PortInterface.SwitchSlot.self, .init(slot: 9))
        }
        #expect(missing?.parameters(as: PortInterface.NoSuchSlot.self) != nil)
        _ = try await client.call(PortInterface.Connect.self, .init())
        let used = await #expect(throws: VarlinkError.self) {
          try await client.call(PortInterface.SwitchSlot.self, .init(slot: 2))
        }
        #expect(used?.parameters(as: PortInterface.InUse.self) != nil)
        _ = try await client.call(PortInterface.Disconnect.self, .init())
        let state = try await client.call(PortInterface.SwitchSlot.self, .init(slot: 2)).state
        #expect(state.sim.slot == 2)
        await server.close()
      }
    }
    modem.unplug()
  }
}
