import ClockTestSupport
import LimitClock
import Logging
import ModemModel
import ModemPort
import Synchronization

/// A clock that is a millisecond later whenever someone looks.
final class CountingClock: Sendable {
  private let milliseconds = Mutex<Int64>(0)

  func next() -> Timestamp {
    Timestamp(
      milliseconds: milliseconds.withLock { milliseconds in
        milliseconds += 1
        return milliseconds
      })
  }
}

extension ModemNaming {
  /// Names that tell modems apart, without a key.
  static let forTests = ModemNaming { bytes in
    let hash = bytes.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// A port on a scripted modem. `run` ends it when the body ends.
struct PortFixture: Sendable {
  let backend = ScriptedBackend()
  let installer = ScriptedInstaller()
  let port: ModemPort

  init(
    interface: String? = "wwan0", releasing: ReleasePatience = ReleasePatience(),
    sockets: (any BearerSocketAccess)? = nil
  ) {
    let backend = backend
    let clock = CountingClock()
    var dependencies = ModemPort.Dependencies(
      makeBackend: { backend }, network: installer, now: { clock.next() }, naming: .forTests,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    dependencies.waitForRetry = { try await LimitClock.stopped.pause(for: $0) }
    dependencies.sockets = sockets
    var configuration = ModemPort.Configuration(
      device: "/dev/scripted", kind: .mbim, interface: interface, eventPace: .immediate)
    configuration.releasing = releasing
    port = ModemPort(configuration, dependencies)
  }

  func run<Result: Sendable>(_ body: @Sendable (ModemPort) async throws -> Result) async throws -> Result {
    let life = Task { await port.run() }
    do {
      await until { $0.identity.imei != nil && $0.registration.state != .unknown }
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

  /// Waits for a state.
  func until(_ condition: @Sendable (ModemState) -> Bool) async {
    for await state in await port.changes() where condition(state) { return }
  }

  /// Waits until the kernel has no bearer any more: it leaves there behind the word that it is
  /// down.
  func untilNothingIsInstalled() async throws {
    while await !installer.installed.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
  }
}
