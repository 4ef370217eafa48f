import CGLib
import CMBIM
import GLibBridge
import MBIMBackend
import ModemModel
import ModemSimulator
import QMIBackend
import Testing

/// Traps 3 and 4: what libmbim does not do when a port hangs up.
@Suite(.timeLimit(.minutes(1))) struct `A port that hangs up` {
  private func makeBackend(_ kind: ModemProtocol, _ path: String) -> any ModemBackend {
    libqmiIsQuiet
    return switch kind {
    case .mbim: MBIMBackend(MBIMConfiguration(path: path, limits: .init(query: .seconds(50))))
    case .qmi: QMIBackend(QMIConfiguration(path: path, limits: .init(query: .seconds(50))))
    }
  }

  private func modem(_ kind: ModemProtocol) -> SimulatedModem {
    var configuration = SimulatedModemConfiguration()
    configuration.controlProtocol = kind == .mbim ? .mbim : .qmi
    return SimulatedModem(configuration)
  }

  /// libmbim leaves commands under way to their time limits: 50 seconds here.
  @Test(arguments: ModemProtocol.allCases)
  func `ends every call at once, those under way and those that wait for their turn`(kind: ModemProtocol) async throws {
    let modem = modem(kind)
    let backend = makeBackend(kind, try modem.plugIn())
    try await backend.open()
    modem.setFaults([SimulatedFault(on: .any, .swallow)])
    let before = modem.snapshot.commands.values.reduce(0, +)
    let start = ContinuousClock.now
    await withTaskGroup(of: ModemError.Code?.self) { group in
      for _ in 0..<20 { group.addTask { await modemError { try await backend.registration() }?.code } }
      group.addTask { await modemError { try await backend.connect(BearerRequest()) }?.code }
      // As many as may be on their way: 8, of which QMI keeps one for the control service.
      while modem.snapshot.commands.values.reduce(0, +) < before + 7 { await Task.yield() }
      modem.unplug()
      for await code in group { #expect(code == .removed) }
    }
    #expect(ContinuousClock.now - start < .seconds(30))
    var last: ModemEvent?
    for await event in backend.events { last = event }
    #expect(last == .removed)
    await backend.close()
  }

  /// libmbim 1.28 takes a device for open that was closed by force, and does not open it again; so
  /// each opening makes a new one.
  @Test(arguments: ModemProtocol.allCases)
  func `is not opened again by its backend, and is by a new one`(kind: ModemProtocol) async throws {
    let modem = modem(kind)
    let link = "/tmp/hang-up-\(kind.rawValue)-\(UInt32.random(in: 0 ... .max))"
    try modem.plugIn(link: link)
    let first = makeBackend(kind, link)
    try await first.open()
    modem.unplug()
    for await _ in first.events {}
    try modem.plugIn(link: link)
    let again = await modemError { try await first.open() }
    #expect(again?.code == .deviceUnavailable)
    #expect(again?.message.contains("make a new one") == true)
    let second = makeBackend(kind, link)
    try await second.open()
    let imei = try await second.identity().imei
    #expect(imei == "004999010640000")
    await second.close()
    await first.close()
    modem.unplug()
  }

  /// The library itself, so that we learn when it changes.
  @Test func `leaves libmbim's device of no use after a close by force`() async throws {
    let bench = try await LibraryBench(modem(.mbim))
    let (wasOpen, isOpen, error) = try await bench.closeByForceAndReopen()
    #expect(wasOpen)
    if isOpen {
      #expect(error?.contains("open") == true, "1.28: the device says that it is open, and a re-open fails")
    } else {
      #expect(error == nil, "1.32: the device can be opened again")
    }
  }

  private actor LibraryBench {
    nonisolated let glib = GLibExecutor(name: "library")
    nonisolated var unownedExecutor: UnownedSerialExecutor { glib.asUnownedSerialExecutor() }
    private let modem: SimulatedModem
    private let path: String

    init(_ modem: SimulatedModem) async throws {
      self.modem = modem
      path = try modem.plugIn()
    }

    func closeByForceAndReopen() async throws -> (wasOpen: Bool, isOpen: Bool, error: String?) {
      let file = GLibReference(adopting: g_file_new_for_path(path), on: glib)
      let device: GObjectRef<MbimDevice> = try await glib.call { cancellable, done in
        mbim_device_new(file.pointer, cancellable, done.callback, done.data)
      } adopting: { (_: OpaquePointer, result, error) in
        mbim_device_new_finish(result, error)
      }
      try await open(device)
      let wasOpen = mbim_device_is_open(device.pointer) != 0
      mbim_device_close_force(device.pointer, nil)
      let isOpen = mbim_device_is_open(device.pointer) != 0
      do {
        try await open(device)
        mbim_device_close_force(device.pointer, nil)
        return (wasOpen, isOpen, nil)
      } catch {
        return (wasOpen, isOpen, "\(error)")
      }
    }

    private func open(_ device: GObjectRef<MbimDevice>) async throws(GLibBridgeError) {
      try await glib.call(within: .seconds(20)) { cancellable, done in
        mbim_device_open_full(device.pointer, MBIM_DEVICE_OPEN_FLAGS_NONE, 20, cancellable, done.callback, done.data)
      } succeeded: { (device: UnsafeMutablePointer<MbimDevice>, result, error) in
        mbim_device_open_full_finish(device, result, error)
      }
    }
  }
}
