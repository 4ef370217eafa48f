import JournalLog
import Logging
import ModemModel

/// One modem. It keeps the control port open, knows the modem's state, and owns its bearer.
///
/// `run()` is the port's lifetime. Everything else may be called from any task while it runs.
package actor ModemPort {
  enum ControlPort {
    /// The outcome is imminent: callers wait for it.
    case opening
    case closed
    case open(any ModemBackend)

    /// For the log.
    var name: String {
      switch self {
      case .opening: "opening"
      case .closed: "closed"
      case .open: "open"
      }
    }
  }

  /// Why the port leaves the control port.
  enum Ending {
    case event(ModemEvent?)
    /// The port's own task was cancelled: its service is stopped.
    case stopped
  }

  /// The result of a run over the control port.
  enum Run {
    case notOpened, left
    /// The modem stopped answering. Opening the port again may help at once.
    case silent
  }

  private(set) var configuration: Configuration
  let dependencies: Dependencies
  private(set) var controlPort = ControlPort.opening
  private(set) var bearer: BearerMachine
  /// Running work for the bearer.
  var bearerWork = BearerWork()
  var simWork: SIMWork
  /// Running work for logins of the SIM.
  var authentication = AuthenticationWork()
  /// What is known about a bearer kept before this process.
  var earlierBearer = EarlierBearer.unread
  /// The link format agreed with the modem for the present or last bearer.
  var linkFormat = LinkFormat.rawIP
  /// Why the control port is about to be left; nil if it vanished by itself.
  var departure: String?
  /// How many callers take part in bringing up a bearer.
  var joins = 0
  /// How many callers follow the sockets over the bearer.
  var socketWatchers = 0
  /// How many times the sharing of the modem was checked.
  var sharingNotes = 0
  private var broadcast = StateBroadcast()
  var store = MessageStore()
  /// Serial number of the SIM whose messages are on the store; nil before the first one, or if the
  /// SIM hides it.
  var messageOwner: ICCID?
  /// Serial number of the last SIM that showed one.
  var lastSIM: ICCID?
  /// What is known about the modem now.
  package private(set) var state: ModemState

  package init(_ configuration: Configuration, _ dependencies: Dependencies) {
    self.configuration = configuration
    self.dependencies = dependencies
    simWork = SIMWork(machine: SIMMachine(delays: configuration.simDoubts))
    bearer = BearerMachine(
      status: BearerStatus(since: dependencies.now()), backoff: ReconnectBackoff(configuration.reconnecting),
      reconnects: configuration.settings.reconnects, probes: configuration.settings.probes)
    state = ModemState(
      id: dependencies.naming.name(imei: nil, device: configuration.device), device: configuration.device,
      kind: configuration.kind, interface: configuration.interface,
      bearer: bearer.status,
      fault: Fault(cause: "the control port is not open yet", since: dependencies.now()),
      software: configuration.software)
  }

  // MARK: The door

  /// The only way to change the state: the change is applied, logged, and published to all
  /// watchers.
  ///
  /// - Parameter what: a description of the change for the log, without personal data.
  func change(_ what: @autoclosure () -> String, _ apply: (inout ModemState) -> Void) {
    var next = state
    apply(&next)
    guard next != state else { return }
    let before = state
    state = next
    logger.debug("state: \(what())")
    broadcast.send(next)
    noticeReadiness(before: before)
    noticeSIM(before: before)
  }

  /// Other settings apply from now on; a bearer that is up or comes up stays as it is.
  ///
  /// - Returns: the keys of changed settings that the next start of the port will apply.
  package func change(to settings: ModemSettings) -> [String] {
    let old = configuration.settings
    configuration.settings = settings
    (bearer.reconnects, bearer.probes) = (settings.reconnects, settings.probes)
    if case .open = controlPort { change("configured SIM") { $0.sim = settings.completing(simWork.machine.shown) } }
    if let slot = settings.slot, slot != old.slot {
      Task {
        do {
          _ = try await switchSlot(to: slot)
        } catch {
          logger.warning("slot \(slot) is selected when the control port is opened next: \(error)")
        }
      }
    }
    // The backend and the kernel's part are made from these.
    let later = [
      ("sharing", settings.sharing != old.sharing), ("bearer.session", settings.session != old.session),
      ("bearer.guard", settings.guardian != old.guardian),
    ]
    return later.filter(\.1).map(\.0)
  }

  /// The only way to advance the bearer: an event is applied, logged and published, and its actions
  /// are carried out.
  func take(_ event: BearerMachine.Event) {
    let before = bearer.phase
    let actions = bearer.handle(event, at: dependencies.now(), chance: dependencies.chance())
    if bearer.phase != before {
      logger.debug("bearer: \(before.name), then \(bearer.phase.name) (\(event.name))")
    }
    change("bearer (\(event.name))") { $0.bearer = bearer.status }
    for action in actions { carryOut(action) }
  }

  /// The only way to open and close the control port.
  func turn(_ next: ControlPort) {
    logger.debug("control port: \(controlPort.name), then \(next.name)")
    controlPort = next
    // The SIM may be another one when the port is opened next, and nothing tells of that.
    if case .open = next {} else { forgetLogins() }
  }

  // MARK: Watching

  /// The present state, then every later one until the reader leaves.
  package func changes() -> AsyncStream<ModemState> {
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

  /// Cleans up after an earlier run, then keeps the control port open until the task is cancelled.
  /// At the end, it takes the bearer down and closes the control port.
  package func run() async {
    // Beside the opening: the modem's answers and the kernel's do not wait for each other.
    let cleaning = Task { await cleanUp() }
    let resumptions = Task { [dependencies] in
      for await time in dependencies.resumptions { await self.resumed(after: time) }
    }
    defer { resumptions.cancel() }
    var failures = 0
    while !Task.isCancelled {
      switch await serveControlPort(after: cleaning) {
      case .notOpened: break
      case .left: failures = 0
      case .silent:
        failures = 0
        continue
      }
      let delays = configuration.reopenDelays
      let delay = delays.isEmpty ? .seconds(1) : delays[min(failures, delays.count - 1)]
      failures += 1
      // A caller who already waits for a bearer in another way does not wait for this too.
      if case .opening = controlPort, joins > 0, failures == 1, !Task.isCancelled { continue }
      guard !Task.isCancelled, (try? await dependencies.waitForRetry(delay)) != nil else { break }
    }
    turn(.closed)
    take(.givenUp)
    broadcast.finish()
    store.finish()
  }

  private func cleanUp() async {
    guard let interface = configuration.interface else { return }
    do {
      try await dependencies.network.cleanUp(interface: interface)
    } catch {
      logger.warning("an earlier run's routes could not be removed: \(error)")
    }
  }

  /// Opens the control port and handles its events until it vanishes.
  ///
  /// - Parameter cleaning: the removal of what an earlier run left, which ends before a bearer may
  ///   begin.
  private func serveControlPort(after cleaning: Task<Void, Never>) async -> Run {
    let backend: any ModemBackend
    turn(.opening)
    do {
      backend = try await dependencies.makeBackend()
      await noteSharing()
      try await backend.open()
      do {
        try await dependencies.chooser?.backendOpened()
      } catch {
        await backend.close()
        throw error
      }
      await noteSharing()
    } catch {
      await noteSharing()
      turn(.closed)
      note(fault: "\(error)")
      // Also if the fault is unchanged, because a caller may wait for the outcome.
      broadcast.send(state)
      return .notOpened
    }
    await cleaning.value
    turn(.open(backend))
    restartSIM()
    logger.info("opened \(configuration.device) over \(configuration.kind.rawValue)")
    let sharing = watchSharing(of: backend)
    defer { sharing.cancel() }
    await takeConfiguredSlot(of: backend)
    await refreshAll(from: backend)
    take(.goodNews)
    resumeWhereDue()
    let messages = followMessages(of: backend)
    defer { messages.cancel() }
    let events = PacedEvents(configuration.eventPace, clock: dependencies.clock)
    var last: ModemEvent?
    await events.forEach(of: backend.events) { event in
      last = event
      await handle(event, from: backend)
      return event != .removed && event != .reset && event != .unresponsive
    }
    // The task may be cancelled here, but the rest must still be done.
    let ending = Task.isCancelled ? Ending.stopped : .event(last)
    await Task { await self.leave(backend, ending) }.value
    return last == .unresponsive ? .silent : .left
  }

  private func leave(_ backend: any ModemBackend, _ ending: Ending) async {
    await endBearer(because: nil)
    restartSIM()
    // A port that is left in order to be reopened counts as opening.
    turn(departure == nil ? .closed : .opening)
    leaveMessages()
    await backend.close()
    note(ending)
    departure = nil
  }

  func note(fault: String) {
    // A modem that cannot be opened is tried again and again, for one and the same reason.
    guard state.fault?.cause != fault else { return logger.info("\(fault)") }
    logger.event(.modemFault, level: .warning, "\(fault)")
    change("fault") { $0.fault = Fault(cause: fault, since: dependencies.now()) }
  }

  /// Waits while the control port is being opened.
  func waitWhileOpening() async {
    guard case .opening = controlPort else { return }
    for await _ in changes() {
      if case .opening = controlPort { continue }
      return
    }
  }

  /// The open backend, or an error that explains why there is none.
  func openBackend() throws -> any ModemBackend {
    guard case .open(let backend) = controlPort else {
      throw ModemError(.deviceUnavailable, state.fault?.cause ?? "the control port \(configuration.device) is not open")
    }
    return backend
  }
}
