import LimitClock
import Logging
import ModemModel
import ModemPort
import Synchronization
import Testing

/// Time that stands still until the test moves it: everyone who sleeps is seen, and woken by hand.
/// Limits on what the modem may take are not: here it answers at once, and they end with that.
final class ManualTime: Sendable {
  /// How long the port waits for the modem, each way unlike any wait between attempts.
  static let patience = ReleasePatience(end: .seconds(7201), connect: .seconds(7202))

  private struct State {
    var now: Int64 = 0
    var sleepers: [(id: Int, duration: Duration, wake: CheckedContinuation<Void, any Error>)] = []
    var nextID = 0
    var watchers: [AsyncStream<Duration>.Continuation] = []
  }
  private let state = Mutex(State())

  var now: Timestamp { Timestamp(milliseconds: state.withLock { $0.now }) }

  /// How long each sleeper wants to sleep, as they come.
  let sleeps: AsyncStream<Duration>
  private let slept: AsyncStream<Duration>.Continuation

  init() { (sleeps, slept) = AsyncStream.makeStream() }

  func advance(_ seconds: Int64) { state.withLock { $0.now += seconds * 1000 } }

  @Sendable func sleep(_ duration: Duration) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = Task.isCancelled
        if !isCancelled { state.withLock { $0.sleepers.append((id, duration, continuation)) } }
        if isCancelled {
          continuation.resume(throwing: CancellationError())
        } else if !Self.isLimit(duration) {
          slept.yield(duration)
        }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
      }
      sleeper?.wake.resume(throwing: CancellationError())
    }
  }

  /// Lets everyone's time pass who sleeps between attempts now.
  func wakeAll() {
    let sleepers = state.withLock { state in
      let sleepers = state.sleepers.filter { !Self.isLimit($0.duration) }
      state.sleepers.removeAll { !Self.isLimit($0.duration) }
      state.now += sleepers.map(\.duration.components.seconds).max().map { $0 * 1000 } ?? 0
      return sleepers
    }
    for sleeper in sleepers { sleeper.wake.resume() }
  }

  private static func isLimit(_ duration: Duration) -> Bool { duration == patience.end || duration == patience.connect }
}

/// A port on scripted modems, one for each opening, in a time of the test's own.
struct KeptFixture: Sendable {
  let time = ManualTime()
  let installer = ScriptedInstaller()
  let port: ModemPort
  let backends: Mutexed<[ScriptedBackend]>
  let resume: AsyncStream<Duration>.Continuation

  init(
    reconnects: Bool = true, patrol: Duration? = nil, resumes: ModemSettings.Resume = .restart,
    keptBearers: KeptBearerFolder? = nil, device: String = "/dev/scripted",
    accessPoints: @escaping @Sendable (Network) -> [AccessPoint] = { _ in [] },
    prepare: @escaping @Sendable (isolated ScriptedBackend) -> Void = { _ in }
  ) {
    let backends = Mutexed<[ScriptedBackend]>([])
    self.backends = backends
    let time = time
    var dependencies = ModemPort.Dependencies(
      makeBackend: {
        let backend = ScriptedBackend()
        await backend.change(prepare)
        backends.change { $0.append(backend) }
        return backend
      }, network: installer, clock: LimitClock(sleep: time.sleep), now: { time.now }, naming: .forTests,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    dependencies.chance = { 0 }
    dependencies.keptBearers = keptBearers
    dependencies.accessPoints = accessPoints
    (dependencies.resumptions, resume) = AsyncStream.makeStream()
    var settings = ModemSettings()
    settings.reconnects = reconnects
    settings.resumes = resumes
    var configuration = ModemPort.Configuration(
      device: device, kind: .mbim, interface: "wwan0", settings: settings, eventPace: .immediate)
    configuration.patrolInterval = patrol
    configuration.releasing = ManualTime.patience
    port = ModemPort(configuration, dependencies)
  }

  /// Lets time pass until something is so.
  func wakeUntil(_ condition: @Sendable (ModemState) -> Bool) async {
    while await !condition(port.state) {
      time.wakeAll()
      await Task.yield()
    }
  }

  var backend: ScriptedBackend { backends.value.last! }

  func run(_ body: @Sendable (ModemPort) async throws -> Void) async throws {
    let life = Task { await port.run() }
    await until { $0.identity.imei != nil && $0.registration.state != .unknown }
    let result = await Result(catching: { try await body(port) })
    life.cancel()
    await life.value
    try result.get()
  }

  func until(_ condition: @Sendable (ModemState) -> Bool) async {
    for await state in await port.changes() where condition(state) { return }
  }
}

/// A value behind a lock.
final class Mutexed<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>
  init(_ value: Value) { mutex = Mutex(value) }
  var value: Value { mutex.withLock { $0 } }
  func change(_ body: @Sendable (inout Value) -> Void) { mutex.withLock { body(&$0) } }
}

extension Result where Failure == any Error {
  init(catching body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
