import ModemModel
import Synchronization
import Testing

/// What backends and installers do that say nothing of it themselves.
@Suite(.timeLimit(.minutes(1))) struct `By default` {
  /// The least that an installer has.
  private final class Installer: BearerInstaller {
    let rawIP = Mutex<[String]>([])

    func cleanUp(interface: String) async throws {}
    func setRawIP(interface: String) async throws { rawIP.withLock { $0.append(interface) } }
    func install(_ settings: BearerSettings, on interface: String) async throws -> InstalledBearer {
      InstalledBearer(settings: settings, interface: interface, interfaceIndex: 3, table: 1003)
    }
    func remove(_ bearer: InstalledBearer) async throws {}
    func verify(_ bearer: InstalledBearer) async throws {}
    func losses(of bearer: InstalledBearer) -> AsyncStream<String> { AsyncStream { $0.finish() } }
  }

  @Test func `an installer tells the driver of bare packets, and of frames nothing`() async throws {
    let installer = Installer()
    for format: LinkFormat in [.rawIP, .ethernet, .multiplexed(Multiplexing(id: 1))] {
      try await installer.setLinkFormat(format, interface: "wwan0")
    }
    #expect(installer.rawIP.withLock { $0 } == ["wwan0", "wwan0"])
  }

  @Test func `an installer asks nothing on the link: what the modem gave is all there is`() async throws {
    let installer = Installer()
    let error = await #expect(throws: ModemError.self) {
      _ = try await installer.obtain(BearerSettings(onLink: .init(usesDHCP: true)), on: "wwan0")
    }
    #expect(error?.code == .noAddress)
    let bearer = try await installer.install(BearerSettings(), on: "wwan0")
    for await change in await installer.changes(of: bearer) { Issue.record("\(change) came of nothing") }
    #expect(await installer.diagnose(bearer, format: .rawIP) == nil)
  }

  @Test func `a data port is where its bus has it`() {
    #expect(DataEndpoint.usb(4) == DataEndpoint(type: 2, interface: 4))
    #expect(DataEndpoint.usb(255).interface == 255)
    let others = [DataEndpoint.pcie, .embedded, .bamDMUX]
    #expect(others.map(\.type) == [3, 4, 5] && others.map(\.interface) == [4, 1, 0])
  }

  @Test func `multiplexing is of the first version, by QMI's numbers`() {
    let multiplexing = Multiplexing(id: 7)
    #expect(multiplexing.up == .v1 && multiplexing.down == .v1 && multiplexing.largestAggregate == nil)
    #expect(Multiplexing.Version.allCases.map(\.rawValue) == [5, 8, 9])
  }

  @Test func `a modem is used as what runs allows, and what was kept comes back after its port's end`() {
    let settings = ModemSettings()
    #expect(settings.sharing == .auto && settings.guardian == .auto && settings.resumes == .restart)
    #expect(settings.reconnects && settings.probes)
    #expect(settings.slot == nil && settings.session == nil && settings.numbers.isEmpty && settings.homeCountry == nil)
    #expect(settings.authenticationsPerDay == 100)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Listeners to a control channel` {
  private static func message(_ number: Int) -> ControlMessage {
    ControlMessage(.sent, name: "Basic Connect CONNECT set", transaction: number, length: 84)
  }

  @Test func `get what is said from then on, each all of it`() async {
    let tap = ControlTap()
    tap.note { Self.message(0) }
    var readers = [tap.listen(), tap.listen()].compactMap { $0?.makeAsyncIterator() }
    for number in 1...3 { tap.note { Self.message(number) } }
    for index in readers.indices {
      for number in 1...3 { #expect(await readers[index].next() == Self.message(number)) }
    }
  }

  @Test func `cost nothing while there are none, and make way when they leave`() async {
    let tap = ControlTap()
    tap.note {
      Issue.record("a message was made for nobody")
      return nil
    }
    let task = Task { for await _ in tap.listen()! {} }
    task.cancel()
    await task.value
    var streams = (0..<ControlTap.limit.listeners).compactMap { _ in tap.listen() }
    #expect(streams.count == ControlTap.limit.listeners && tap.listen() == nil)
    streams.removeAll()
    #expect(tap.listen() != nil)
  }
}
