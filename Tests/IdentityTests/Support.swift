import ClockTestSupport
import GLibBridge
import Glibc
import LimitClock
import Logging
import MBIMBackend
import ModemModel
import ModemPort
import ModemSimulator
import QMIBackend

/// A port with the real libraries on a simulated modem.
struct SimulatedPort: Sendable {
  let modem: SimulatedModem
  let port: ModemPort

  /// Credentials by name; the folder for what outlives the port.
  struct Deposit: Sendable {
    var credentials: [String: String] = [:]
    var folder: String?
  }

  init(
    _ modem: SimulatedModem, _ kind: ModemProtocol, settings: ModemSettings = ModemSettings(),
    deposit: Deposit = Deposit(), doubts: [Duration] = []
  ) throws {
    self.modem = modem
    let path = try modem.snapshot.path ?? modem.plugIn()
    let makeBackend: @Sendable () async throws -> any ModemBackend = {
      switch kind {
      case .mbim: MBIMBackend(MBIMConfiguration(path: path, limits: .init(query: .seconds(30))))
      case .qmi: QMIBackend(QMIConfiguration(path: path, limits: .init(query: .seconds(30))))
      }
    }
    var dependencies = ModemPort.Dependencies(
      makeBackend: makeBackend, network: NoKernel(), clock: Self.clock, now: { Timestamp(milliseconds: 0) },
      naming: ModemNaming { Checksum.hmacSHA256($0, key: Array("of a test".utf8)) },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    dependencies.deposit = PINDeposit { name in deposit.credentials[name].map { Array($0.utf8) } }
    if let folder = deposit.folder {
      dependencies.refusedPINs = PINMemoryFolder(path: folder, digest: Checksum.sha256)
    }
    port = ModemPort(
      .init(device: path, kind: kind, interface: "wwan0", settings: settings, simDoubts: doubts), dependencies)
  }

  /// Waits of less than a second pass at once, longer ones never: no test waits for a clock.
  private static let clock = LimitClock(sleep: { duration in
    try await (duration < .seconds(1) ? LimitClock.hurried : .stopped).pause(for: duration)
  })

  /// Runs the port until `body` has ended, which begins when the port has asked the modem for
  /// everything.
  func run<Result: Sendable>(_ body: @Sendable (ModemPort) async throws -> Result) async throws -> Result {
    let life = Task { await port.run() }
    do {
      await until { $0.identity.imei != nil && $0.sim.state != .unknown && $0.registration.state != .unknown }
      let result = try await body(port)
      life.cancel()
      await life.value
      return result
    } catch {
      life.cancel()
      await life.value
      throw error
    }
  }

  @discardableResult
  func until(_ condition: @Sendable (ModemState) -> Bool) async -> ModemState {
    for await state in await port.changes() where condition(state) { return state }
    return await port.state
  }
}

extension SimulatedModem {
  /// A modem of a protocol, with changes to the usual one.
  static func with(
    _ kind: ModemProtocol, _ change: (inout SimulatedModemConfiguration) -> Void = { _ in }
  ) -> SimulatedModem {
    var configuration = SimulatedModemConfiguration()
    configuration.controlProtocol = kind == .mbim ? .mbim : .qmi
    change(&configuration)
    return SimulatedModem(configuration)
  }
}

/// Takes settings and does nothing with them: these tests are about SIMs.
private struct NoKernel: BearerInstaller {
  func cleanUp(interface: String) async throws {}
  func setRawIP(interface: String) async throws {}
  func install(_ settings: BearerSettings, on interface: String) async throws -> InstalledBearer {
    InstalledBearer(settings: settings, interface: interface, interfaceIndex: 7, table: 1007)
  }
  func remove(_ bearer: InstalledBearer) async throws {}
  func verify(_ bearer: InstalledBearer) async throws {}
  func losses(of bearer: InstalledBearer) -> AsyncStream<String> { AsyncStream { _ in } }
}

/// A folder that is there for `body` alone.
func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
  var template = Array("/tmp/modemd-identity-XXXXXX".utf8CString)
  let path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
  defer {
    for name in names(in: path) { unlink("\(path)/\(name)") }
    rmdir(path)
  }
  return try await body(path)
}

/// What a folder holds.
func names(in path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// What a file holds, as text.
func contents(of path: String) -> String {
  guard let file = fopen(path, "r") else { return "" }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 65536)
  return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
}

/// The error that `body` throws.
func modemError<Result>(_ body: () async throws -> Result) async -> ModemError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? ModemError
  }
}
