import Logging
import ModemModel

/// One modem: it keeps the control port open, knows the modem's state, and owns its bearer.
///
/// `run()` is the port's life. Everything else may be called from any task while it runs.
public actor ModemPort {
  /// What to open, and where packets go.
  public struct Configuration: Sendable {
    /// Path of the control port, as in `/dev/cdc-wdm0`.
    public var device: String
    public var kind: ModemProtocol
    /// The bearer's network interface; nil when there is none to be found, and then no bearer can be brought up.
    public var interface: String?
    /// Waits before the control port is opened again after a failure; the last one repeats.
    public var reopenDelays: [Duration]

    public init(
      device: String, kind: ModemProtocol, interface: String?,
      reopenDelays: [Duration] = [.seconds(1), .seconds(2), .seconds(5), .seconds(15), .seconds(30)]
    ) {
      self.device = device
      self.kind = kind
      self.interface = interface
      self.reopenDelays = reopenDelays
    }
  }

  /// What the port reaches the world through.
  public struct Surroundings: Sendable {
    public var makeBackend: @Sendable () async throws -> any ModemBackend
    public var network: any BearerInstaller
    public var sleep: @Sendable (Duration) async throws -> Void
    public var now: @Sendable () -> Timestamp
    public var logger: Logger

    public init(
      makeBackend: @escaping @Sendable () async throws -> any ModemBackend, network: any BearerInstaller,
      sleep: @escaping @Sendable (Duration) async throws -> Void, now: @escaping @Sendable () -> Timestamp,
      logger: Logger
    ) {
      self.makeBackend = makeBackend
      self.network = network
      self.sleep = sleep
      self.now = now
      self.logger = logger
    }
  }

  enum ControlPort {
    /// The outcome is near: who asks now waits for it.
    case opening
    case closed
    case open(any ModemBackend)
  }

  enum Bearer {
    /// Nothing in the modem or the kernel is ours.
    case idle
    case bringingUp(Task<BearerStatus, any Error>)
    case up(InstalledBearer, watch: Task<Void, Never>)
    /// The modem's part is up, and the kernel's part is damaged: somebody took a route, an address or the interface away.
    case damaged(InstalledBearer, watch: Task<Void, Never>, NetworkCause)
    case takingDown(Task<Void, Never>)
  }

  let configuration: Configuration
  let surroundings: Surroundings
  var controlPort = ControlPort.opening
  var bearer = Bearer.idle
  private var broadcast = StateBroadcast()
  /// What is known of the modem now.
  public internal(set) var state: ModemState {
    didSet { if state != oldValue { broadcast.send(state) } }
  }

  public init(_ configuration: Configuration, _ surroundings: Surroundings) {
    self.configuration = configuration
    self.surroundings = surroundings
    state = ModemState(
      id: ModemID.make(imei: nil, device: configuration.device), device: configuration.device,
      kind: configuration.kind, interface: configuration.interface,
      bearer: BearerStatus(since: surroundings.now()),
      fault: Fault(cause: "the control port is not open yet", since: surroundings.now()))
  }

  /// The present state, then every later one until the reader leaves.
  public func changes() -> AsyncStream<ModemState> {
    let (id, later) = broadcast.add()
    let present = state
    return AsyncStream { continuation in
      continuation.yield(present)
      let relay = Task {
        for await state in later { continuation.yield(state) }
        continuation.finish()
      }
      continuation.onTermination = { [weak self] _ in
        relay.cancel()
        Task { await self?.forget(id) }
      }
    }
  }

  private func forget(_ id: UInt64) { broadcast.remove(id) }

  /// Cleans up after an earlier run, then keeps the control port open until the task is cancelled; at the end the
  /// bearer is taken down and the control port closed.
  public func run() async {
    await cleanUp()
    var failures = 0
    while !Task.isCancelled {
      if await serveControlPort() { failures = 0 }
      let delays = configuration.reopenDelays
      let delay = delays.isEmpty ? .seconds(1) : delays[min(failures, delays.count - 1)]
      failures += 1
      guard !Task.isCancelled, (try? await surroundings.sleep(delay)) != nil else { break }
    }
    broadcast.finish()
  }

  private func cleanUp() async {
    guard let interface = configuration.interface else { return }
    do {
      try await surroundings.network.cleanUp(interface: interface)
    } catch {
      surroundings.logger.warning("an earlier run's routes could not be removed: \(error)")
    }
  }

  /// Opens the control port and serves its events until it goes away; false when it could not be opened.
  private func serveControlPort() async -> Bool {
    let backend: any ModemBackend
    controlPort = .opening
    do {
      backend = try await surroundings.makeBackend()
      try await backend.open()
    } catch {
      controlPort = .closed
      note(fault: "\(error)")
      // Also when the fault is the same as before: somebody may wait for the outcome.
      broadcast.send(state)
      return false
    }
    controlPort = .open(backend)
    surroundings.logger.info("opened \(configuration.device) over \(configuration.kind.rawValue)")
    await refreshAll(from: backend)
    for await event in backend.events {
      await handle(event, from: backend)
      if event == .removed || event == .reset { break }
    }
    // The task may be cancelled here, and what is left to do must be done all the same.
    await Task { await self.leave(backend) }.value
    return true
  }

  private func leave(_ backend: any ModemBackend) async {
    await endBearer(because: nil)
    controlPort = .closed
    await backend.close()
    note(fault: "the control port \(configuration.device) went away; waiting for it to come back")
  }

  func note(fault: String) {
    surroundings.logger.warning("\(fault)")
    if state.fault?.cause != fault { state.fault = Fault(cause: fault, since: surroundings.now()) }
  }

  /// Waits while the control port is being opened.
  func waitWhileOpening() async {
    guard case .opening = controlPort else { return }
    for await _ in changes() {
      if case .opening = controlPort { continue }
      return
    }
  }

  /// The open backend, or an error that says why there is none.
  func openBackend() throws -> any ModemBackend {
    guard case .open(let backend) = controlPort else {
      throw ModemError(.deviceUnavailable, state.fault?.cause ?? "the control port \(configuration.device) is not open")
    }
    return backend
  }

  /// Enters PIN1 once and returns the state after it.
  ///
  /// - Throws: `ModemError`, `wrongPIN` with the attempts left among them.
  public func unlock(with pin: PIN) async throws -> ModemState {
    await waitWhileOpening()
    let backend = try openBackend()
    do {
      try await backend.unlock(with: pin)
    } catch {
      await refreshSIM(from: backend)
      throw error
    }
    await refreshAll(from: backend)
    return state
  }
}
