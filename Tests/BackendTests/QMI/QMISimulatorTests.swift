import FoundationEssentials
import Glibc
import ModemModel
import ModemSimulator
import NetworkAddress
import QMIBackend
import Testing

/// The backend against a modem that behaves.
@Suite(.timeLimit(.minutes(1))) struct `A QMI modem as a whole` {
  private func withModem(
    _ change: (inout SimulatedModemConfiguration) -> Void = { _ in },
    limits: QMIConfiguration.Limits = .init(query: .seconds(20)), stateFile: String? = nil,
    _ body: (QMIBackend, SimulatedModem) async throws -> Void
  ) async throws {
    libqmiIsQuiet
    var configuration = SimulatedModemConfiguration()
    configuration.controlProtocol = .qmi
    change(&configuration)
    let modem = SimulatedModem(configuration)
    let backend = QMIBackend(QMIConfiguration(path: try modem.plugIn(), stateFile: stateFile, limits: limits))
    do {
      try await backend.open()
      try await body(backend, modem)
    } catch {
      Issue.record(error)
    }
    await backend.close()
    #expect(Self.clients(of: modem) == 0)
    modem.unplug()
  }

  private static func clients(of modem: SimulatedModem) -> Int {
    modem.snapshot.clientIDs.values.reduce(0) { $0 + $1.count }
  }

  @Test func `tells who it is, its SIM and where it is registered`() async throws {
    try await withModem { backend, modem in
      let identity = try await backend.identity()
      #expect(
        identity
          == DeviceIdentity(manufacturer: "Simulated", model: "SM1", firmware: "SM1_1.0.0", imei: "004999010640000"))
      let sim = try await backend.simStatus()
      #expect(sim.state == .ready)
      #expect(sim.iccid?.revealed == "8944100000000000015")
      #expect(sim.imsi?.revealed == "234150000000001")
      #expect(sim.numbers.map(\.revealed) == ["+447700900123"])
      #expect(sim.home == Network(PLMN("23415")!, name: "Simulated Mobile"))
      let registration = try await backend.registration()
      #expect(registration.state == .home)
      #expect(registration.technology == .lte)
      #expect(registration.rssi == -71)
      #expect(registration.referenceSignal == ReferenceSignal(rsrp: -99, rsrq: -11, sinr: 13))
      modem.setSignal(rssi: -93, ReferenceSignal(rsrp: -124, sinr: -5))
      for await event in backend.events where event == .signalChanged { break }
      #expect(try await backend.registration().referenceSignal == ReferenceSignal(rsrp: -124, sinr: -5))
      #expect(registration.serving?.plmn == PLMN("23415"))
    }
  }

  @Test func `serves a network with a three-digit code and a leading zero`() async throws {
    let plmn = PLMN("302020")!
    try await withModem {
      $0.sim?.home = Network(plmn)
      $0.sim?.imsi = "302020123456789"
      $0.network.serving = Network(plmn)
      $0.network.state = .roaming
    } _: { backend, _ in
      #expect(try await backend.simStatus().home?.plmn == plmn)
      let registration = try await backend.registration()
      #expect(registration.serving?.plmn == plmn)
      #expect(registration.state == .roaming)
    }
  }

  @Test func `is asked about a denial`() async throws {
    try await withModem {
      $0.network.state = .denied
    } _: { backend, _ in
      let registration = try await backend.registration()
      #expect(registration.state == .denied)
    }
  }

  @Test func `takes the right PIN, and counts wrong ones`() async throws {
    try await withModem {
      $0.sim?.pin = "1234"
    } _: { backend, modem in
      #expect(
        try await backend.simStatus()
          == SIMStatus(state: .pinRequired, retriesLeft: 3, slot: 1, iccid: ICCID("8944100000000000015")))
      let error = await modemError { try await backend.unlock(with: PIN("0000")!) }
      #expect(error?.code == .wrongPIN)
      #expect(error?.retriesLeft == 2)
      try await backend.unlock(with: PIN("1234")!)
      #expect(try await backend.simStatus().state == .ready)
      #expect(await modemError { try await backend.unlock(with: PIN("1234")!) }?.code == .pinNotRequired)
    }
  }

  @Test func `tells of a SIM that comes and goes`() async throws {
    try await withModem { backend, modem in
      var events = backend.events.makeAsyncIterator()
      modem.removeSIM()
      while await events.next() != .simChanged {}
      let absent = try await backend.simStatus()
      #expect(absent.state == .absent)
      modem.insertSIM(SimulatedSIM())
      while await events.next() != .simChanged {}
      let ready = try await backend.simStatus()
      #expect(ready.state == .ready)
    }
  }

  @Test(arguments: BearerRequest.IPType.allCases) func `brings a bearer up and down`(type: BearerRequest.IPType)
    async throws
  {
    try await withModem { backend, modem in
      try await backend.attach()
      let format = try await backend.negotiateLinkFormat()
      #expect(format == .rawIP)
      let settings = try await backend.connect(BearerRequest(apn: "internet", ipType: type))
      let given = try #require(modem.snapshot.bearers.first)
      #expect(settings.ipv4?.prefix == (type == .ipv6 ? nil : given.ipv4?.prefix))
      #expect(settings.ipv6?.prefix == (type == .ipv4 ? nil : given.ipv6?.prefix))
      #expect(try await backend.settings() == settings)
      try await backend.disconnect()
      #expect(modem.snapshot.bearers.isEmpty)
    }
  }

  @Test func `attaches when it does not do so by itself`() async throws {
    try await withModem {
      $0.attachesByItself = false
    } _: { backend, modem in
      #expect(!modem.snapshot.isAttached)
      try await backend.attach()
      #expect(modem.snapshot.isAttached)
    }
  }

  @Test func `tells why the network refuses, and keeps no client id for it`() async throws {
    try await withModem {
      $0.faults = [SimulatedFault(on: .connect, .refuse(cause: 33))]
    } _: { backend, modem in
      let before = Self.clients(of: modem)
      let error = await modemError { try await backend.connect(BearerRequest(apn: "internet")) }
      #expect(error?.code == .refused)
      #expect(error?.networkCause == .session(33))
      while Self.clients(of: modem) != before { await Task.yield() }
    }
  }

  @Test func `is up with one family when the other is refused`() async throws {
    try await withModem {
      $0.faults = [SimulatedFault(on: .connect, .refuse(cause: 51), times: 1)]
    } _: { backend, _ in
      let settings = try await backend.connect(BearerRequest(apn: "internet"))
      #expect(settings.ipv4 == nil)
      #expect(settings.ipv6 != nil)
    }
  }

  @Test func `tells when the network drops the bearer`() async throws {
    try await withModem { backend, modem in
      _ = try await backend.connect(BearerRequest(apn: "internet"))
      modem.dropBearers(cause: 39)
      for await event in backend.events {
        if case .bearerDropped(let cause) = event {
          #expect(cause == .session(39))
          break
        }
      }
      #expect(await modemError { try await backend.settings() }?.code == .notConnected)
      let again = try await backend.connect(BearerRequest(apn: "internet"))
      #expect(again.hasAddress)
    }
  }

  @Test func `that goes away in the middle of a command ends it`() async throws {
    try await withModem {
      $0.faults = [SimulatedFault(on: .signal, .hangUp)]
    } _: { backend, modem in
      #expect(await modemError { try await backend.registration() }?.code == .removed)
      var last: ModemEvent?
      for await event in backend.events { last = event }
      #expect(last == .removed)
      #expect(await modemError { try await backend.registration() }?.code == .removed)
    }
  }

  @Test func `that does not answer in time is asked again`() async throws {
    try await withModem(
      { $0.faults = [SimulatedFault(on: .connect, .swallow, times: 1)] },
      limits: .init(query: .seconds(20), connect: .seconds(2))
    ) { backend, _ in
      #expect(await modemError { try await backend.connect(BearerRequest(ipType: .ipv4)) }?.code == .timeout)
      let settings = try await backend.connect(BearerRequest(ipType: .ipv6))
      #expect(settings.hasAddress)
    }
  }

  @Test func `gets a client id back that comes while it is closed`() async throws {
    libqmiIsQuiet
    var configuration = SimulatedModemConfiguration()
    configuration.controlProtocol = .qmi
    configuration.faults = [SimulatedFault(on: .clientIDs, .delay(.seconds(2)))]
    let modem = SimulatedModem(configuration)
    let backend = QMIBackend(QMIConfiguration(path: try modem.plugIn()))
    let opening = Task { await modemError { try await backend.open() } }
    while Self.clients(of: modem) == 0 { await Task.yield() }
    await backend.close()
    #expect(await opening.value?.code == .cancelled)
    #expect(Self.clients(of: modem) == 0)
    modem.unplug()
  }

  @Test func `gets a client id back that comes after its asker has gone`() async throws {
    try await withModem { backend, modem in
      let before = Self.clients(of: modem)
      modem.setFaults([SimulatedFault(on: .clientIDs, .delay(.seconds(2)), times: 1)])
      let connecting = Task { await modemError { try await backend.connect(BearerRequest(apn: "internet")) } }
      while Self.clients(of: modem) == before { await Task.yield() }
      connecting.cancel()
      #expect(await connecting.value?.code == .cancelled)
      while Self.clients(of: modem) != before { await Task.yield() }
    }
  }

  /// How often this process has a terminal open; the simulated modem has it once itself.
  private static func openings(of path: String) -> Int {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.count { name in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)) == path
    }
  }

  @Test func `gets the client ids of a killed backend back`() async throws {
    var template = Array("/tmp/qmi-clients-XXXXXX".utf8CString)
    let directory = String(cString: try #require(mkdtemp(&template)))
    defer { rmdir(directory) }
    let file = directory + "/clients"
    try await withModem { backend, modem in
      let path = try #require(modem.snapshot.path)
      let before = Self.clients(of: modem)
      var killed: QMIBackend? = QMIBackend(QMIConfiguration(path: path, stateFile: file))
      // Two readers of one terminal would take each other's answers.
      await backend.close()
      let others = Self.openings(of: path)
      try await killed?.open()
      _ = try await killed?.connect(BearerRequest(apn: "internet"))
      killed = nil
      // The device goes a moment later, on the GLib thread; until then it would read, too.
      while Self.openings(of: path) > others { await Task.yield() }
      #expect(Self.clients(of: modem) == before + 2)
      let next = QMIBackend(QMIConfiguration(path: path, stateFile: file))
      try await next.open()
      #expect(Self.clients(of: modem) == before)
      #expect(modem.snapshot.bearers.isEmpty)
      await next.close()
    }
    #expect(access(file, F_OK) != 0)
  }
}
