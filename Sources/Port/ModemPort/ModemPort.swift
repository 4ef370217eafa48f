import Logging
import ModemModel
import TaskPause

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
    /// How the modem is to be used.
    public var settings: ModemSettings
    /// Waits before the control port is opened again after a failure; the last one repeats.
    public var reopenDelays: [Duration]
    /// Waits between the questions to a modem that calls its SIM absent or initialising; none believes it at once.
    public var simDoubts: [Duration]
    /// When a bearer that was lost is tried again.
    public var reconnecting = ReconnectBackoff.Policy()
    /// How often the modem is asked whether a bearer that is up still is: some lose it without a word. Nil for never.
    public var patrolInterval: Duration?
    public var releasing = ReleasePatience()
    /// How often the modem's news is looked into.
    public var eventPace: EventPace
    /// The program and its libraries with their versions; nil where nobody asks.
    public var software: String?

    public init(
      device: String, kind: ModemProtocol, interface: String?, settings: ModemSettings = ModemSettings(),
      software: String? = nil,
      reopenDelays: [Duration] = [.seconds(1), .seconds(2), .seconds(5), .seconds(15), .seconds(30)],
      simDoubts: [Duration] = [], eventPace: EventPace = EventPace()
    ) {
      self.device = device
      self.kind = kind
      self.interface = interface
      self.settings = settings
      self.software = software
      self.reopenDelays = reopenDelays
      self.simDoubts = simDoubts
      self.eventPace = eventPace
    }
  }

  /// What the port reaches the world through.
  public struct Surroundings: Sendable {
    public var makeBackend: @Sendable () async throws -> any ModemBackend
    public var network: any BearerInstaller
    public var sleep: @Sendable (Duration) async throws -> Void
    public var now: @Sendable () -> Timestamp
    public var logger: Logger
    /// PINs that may be entered without anybody's doing.
    public var deposit = PINDeposit.empty
    /// Names the modem, with this machine's key.
    public let naming: ModemNaming
    /// PINs that must not.
    public var refusedPINs: any PINMemory = PINMemoryInProcess()
    /// The access points that are known for a network from elsewhere than the modem.
    public var accessPoints: @Sendable (Network) -> [AccessPoint] = { _ in [] }
    /// Waits for just so long: what is waited for is a time, and nothing else ends it.
    public var pause: @Sendable (Duration) async throws -> Void = { try await Task.pause(for: $0) }
    /// A number from 0 up to 1.
    public var chance: @Sendable () -> Double = { .random(in: 0..<1) }
    /// Says after each suspension of the machine how long it was; read once.
    public var resumptions = AsyncStream<Duration> { $0.finish() }
    /// Chooses how the modem is shared with ModemManager, where that is to be chosen: `makeBackend` then asks it.
    public var chooser: SharingChooser?
    /// Where kept bearers are noted, so that they outlive this process; nil for nowhere.
    public var keptBearers: KeptBearerFolder?

    public init(
      makeBackend: @escaping @Sendable () async throws -> any ModemBackend, network: any BearerInstaller,
      sleep: @escaping @Sendable (Duration) async throws -> Void, now: @escaping @Sendable () -> Timestamp,
      naming: ModemNaming, logger: Logger, chooser: SharingChooser? = nil
    ) {
      self.naming = naming
      self.chooser = chooser
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
    /// Nothing of it is left on this machine; the modem has yet to confirm the end of its part.
    case releasing(Task<Void, Never>)
  }

  /// Why the control port is left.
  enum Ending {
    case event(ModemEvent?)
    /// The port's own task was cancelled: its service is stopped.
    case stopped
  }

  /// How a run over the control port went.
  enum Run {
    case notOpened, left
    /// The modem stopped answering: a fresh port may hear it again at once.
    case silent
  }

  let configuration: Configuration
  let surroundings: Surroundings
  var controlPort = ControlPort.opening
  var bearer = Bearer.idle
  /// What the modem was told of a bearer's end and has not answered in time.
  var unconfirmedEnd: Task<Void, Never>?
  var simWork: SIMWork
  var reconnection: Reconnection
  /// What is known of a bearer that was kept before this process.
  var earlierBearer = EarlierBearer.unread
  /// What was agreed on with the modem for the present or last bearer.
  var linkFormat = LinkFormat.rawIP
  /// Why the control port is about to be left; nil when it went away by itself.
  var departure: String?
  /// How many callers take part in bringing a bearer up.
  var joins = 0
  /// How often somebody looked how the modem is shared.
  var sharingNotes = 0
  private var broadcast = StateBroadcast()
  var shelf = MessageShelf()
  /// Serial number of the SIM whose messages are on the shelf; nil before there was one, or where the SIM hides it.
  var messageOwner: ICCID?
  /// What is known of the modem now.
  public internal(set) var state: ModemState {
    didSet {
      guard state != oldValue else { return }
      broadcast.send(state)
      noticeReadiness(before: oldValue)
    }
  }

  public init(_ configuration: Configuration, _ surroundings: Surroundings) {
    self.configuration = configuration
    self.surroundings = surroundings
    simWork = SIMWork(machine: SIMMachine(delays: configuration.simDoubts))
    reconnection = Reconnection(backoff: ReconnectBackoff(configuration.reconnecting))
    state = ModemState(
      id: surroundings.naming.name(imei: nil, device: configuration.device), device: configuration.device,
      kind: configuration.kind, interface: configuration.interface,
      bearer: BearerStatus(since: surroundings.now()),
      fault: Fault(cause: "the control port is not open yet", since: surroundings.now()),
      software: configuration.software)
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
    let resumptions = Task { [surroundings] in
      for await time in surroundings.resumptions { await self.resumed(after: time) }
    }
    defer { resumptions.cancel() }
    var failures = 0
    while !Task.isCancelled {
      switch await serveControlPort() {
      case .notOpened: break
      case .left: failures = 0
      case .silent:
        failures = 0
        continue
      }
      let delays = configuration.reopenDelays
      let delay = delays.isEmpty ? .seconds(1) : delays[min(failures, delays.count - 1)]
      failures += 1
      // Who waits for a bearer in another way does not wait for this, too.
      if case .opening = controlPort, joins > 0, failures == 1, !Task.isCancelled { continue }
      guard !Task.isCancelled, (try? await surroundings.sleep(delay)) != nil else { break }
    }
    controlPort = .closed
    keepNoLonger()
    broadcast.finish()
    shelf.finish()
  }

  private func cleanUp() async {
    guard let interface = configuration.interface else { return }
    do {
      try await surroundings.network.cleanUp(interface: interface)
    } catch {
      surroundings.logger.warning("an earlier run's routes could not be removed: \(error)")
    }
  }

  /// Opens the control port and serves its events until it goes away.
  private func serveControlPort() async -> Run {
    let backend: any ModemBackend
    controlPort = .opening
    do {
      backend = try await surroundings.makeBackend()
      await noteSharing()
      try await backend.open()
      do {
        try await surroundings.chooser?.backendOpened()
      } catch {
        await backend.close()
        throw error
      }
      await noteSharing()
    } catch {
      await noteSharing()
      controlPort = .closed
      note(fault: "\(error)")
      // Also when the fault is the same as before: somebody may wait for the outcome.
      broadcast.send(state)
      return .notOpened
    }
    controlPort = .open(backend)
    restartSIM()
    surroundings.logger.info("opened \(configuration.device) over \(configuration.kind.rawValue)")
    let sharing = watchSharing(of: backend)
    defer { sharing.cancel() }
    await takeConfiguredSlot(of: backend)
    await refreshAll(from: backend)
    hearGoodNews()
    resumeWhereDue()
    let messages = followMessages(of: backend)
    defer { messages.cancel() }
    let events = PacedEvents(configuration.eventPace, sleep: surroundings.sleep)
    var last: ModemEvent?
    await events.forEach(of: backend.events) { event in
      last = event
      await handle(event, from: backend)
      return event != .removed && event != .reset && event != .unresponsive
    }
    // The task may be cancelled here, and what is left to do must be done all the same.
    let ending = Task.isCancelled ? Ending.stopped : .event(last)
    await Task { await self.leave(backend, ending) }.value
    return last == .unresponsive ? .silent : .left
  }

  private func leave(_ backend: any ModemBackend, _ ending: Ending) async {
    await endBearer(because: nil)
    restartSIM()
    // One that is left to be opened anew is on its way.
    controlPort = departure == nil ? .closed : .opening
    leaveMessages()
    await backend.close()
    note(ending)
    departure = nil
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
}
