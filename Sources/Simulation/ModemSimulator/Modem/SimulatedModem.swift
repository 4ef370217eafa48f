import ModemModel

/// A simulated modem. It speaks real MBIM or real QMI on a pseudo-terminal.
///
/// ```swift
/// let modem = SimulatedModem()
/// let path = try modem.plugIn()  // mbimcli -d PATH --query-device-caps
/// ```
///
/// Every method may be called from any thread. The host gets indications of changes, as from a real
/// modem.
package final class SimulatedModem: Sendable {
  /// What an observer can see of the modem at one moment.
  package struct Snapshot: Sendable {
    /// Path of the control port; nil while unplugged.
    package var path: String?
    package var registration: Registration
    package var isRadioOn: Bool
    package var isAttached: Bool
    /// What is up now, one entry a PDN connection.
    package var bearers: [SimulatedBearer]
    /// Commands received, by their request.
    package var commands: [ModemOperation: Int]
    /// QMI client ids in use, by service number.
    package var clientIDs: [UInt8: [UInt8]]
    /// PIN1 attempts left; nil without a card.
    package var pinAttempts: Int?
    /// The slot in use, from 1.
    package var slot: Int
    /// Whether packets on the data port are bare IP; else they are in Ethernet frames.
    package var isRawIP: Bool
    /// The short messages in the store, as PDUs.
    package var messages: [[UInt8]]
    /// The transactions of messages that the modem passed on and the host acknowledged.
    package var acknowledgedMessages: [UInt32]
    /// How many challenges the modem's cards were given, by any way.
    package var challenges: Int
    /// The card's logical channels that the host has opened and not closed.
    package var openChannels: [UInt8]
  }

  struct State {
    var core: ModemCore
    var port: PTYPort?
    /// The link of the port, or its last link.
    var link: String?
    /// How often the modem returned under another name.
    var moves = 0
    var knownBearers: [SimulatedBearer] = []
    var watchers: [Int: AsyncStream<[SimulatedBearer]>.Continuation] = [:]
    var linkWatchers: [Int: AsyncStream<String?>.Continuation] = [:]
    var nextWatcher = 0
  }

  let state: Guarded<State>

  package init(_ configuration: SimulatedModemConfiguration = SimulatedModemConfiguration()) {
    state = Guarded(State(core: ModemCore(configuration)))
  }

  deinit {
    unplug()
    // Not under the lock: finishing a stream takes the lock to forget the watcher.
    for watcher in state.withLock({ $0.watchers.values }) { watcher.finish() }
    for watcher in state.withLock({ $0.linkWatchers.values }) { watcher.finish() }
  }

  // MARK: The control port

  /// Gives the modem a control port.
  ///
  /// - Parameter link: path of a symbolic link to the port, for a name that outlives it; an old
  ///   link is replaced.
  /// - Returns: the path of the terminal.
  /// - Throws: `SimulatorError` when there is no terminal, the link cannot be made, or the modem is
  ///   plugged in already.
  @discardableResult
  package func plugIn(link: String? = nil) throws(SimulatorError) -> String {
    try Self.plugIn(state, link: link)
  }

  static func plugIn(_ state: Guarded<State>, link: String?) throws(SimulatorError) -> String {
    guard state.withLock({ $0.port == nil }) else {
      throw SimulatorError(.alreadyPluggedIn, "the modem has a control port already: unplug it first")
    }
    let port = try PTYPort(link: link) { bytes in Self.receive(bytes, state) }
    state.withLock {
      $0.port = port
      $0.link = link
    }
    port.start()
    announceLink(link, state)
    return port.path
  }

  /// Removes the control port, like pulling the USB plug: the host sees a hang-up, sessions end.
  package func unplug() { Self.unplug(state) }

  private static func receive(_ bytes: [UInt8], _ state: Guarded<State>) {
    let ends = state.withLock { state -> [EndpointAction] in
      let actions = state.core.receive(bytes)
      perform(actions, &state)
      return actions.filter(\.endsPort)
    }
    guard let end = ends.first else { return }
    unplug(state)
    if case .replug(let delay, let elsewhere) = end { plugIn(state, after: delay, elsewhere: elsewhere) }
  }

  private static func unplug(_ state: Guarded<State>) {
    let port = state.withLock { state -> PTYPort? in
      defer { state.port = nil }
      state.core.reset()
      announceBearers(&state)
      return state.port
    }
    // Not under the lock: the port's thread may be waiting for it.
    port?.close()
    if port != nil { announceLink(nil, state) }
  }

  private static func perform(_ actions: [EndpointAction], _ state: inout State) {
    announceBearers(&state)
    for action in actions {
      switch action {
      case .send(let bytes, let delay): state.port?.send(bytes, after: delay)
      case .holdBack(let bytes, let limit): state.port?.holdBack(bytes, atMost: limit)
      case .restart: perform(state.core.restart(), &state)
      case .hangUp, .replug: return
      }
    }
  }

  private static func announceBearers(_ state: inout State) {
    let bearers = state.core.engine.activeBearers
    guard bearers != state.knownBearers else { return }
    state.knownBearers = bearers
    for watcher in state.watchers.values { watcher.yield(bearers) }
  }

  // MARK: What is going on

  package var snapshot: Snapshot {
    state.withLock { state in
      let engine = state.core.engine
      return Snapshot(
        path: state.port?.path, registration: engine.registration, isRadioOn: engine.isRadioOn,
        isAttached: engine.isAttached, bearers: engine.activeBearers, commands: engine.counts,
        clientIDs: state.core.endpoint.clientIDs, pinAttempts: engine.card?.pinAttempts,
        slot: engine.cards.active + 1, isRawIP: state.core.endpoint.isRawIP,
        messages: engine.messages.entries.map(\.pdu), acknowledgedMessages: engine.acknowledgedMessages,
        challenges: engine.challenges, openChannels: engine.card?.channels.map(\.number) ?? [])
    }
  }

  /// The active bearers: now, and after each change. The data plane only passes packets for these
  /// addresses.
  package func bearerChanges() -> AsyncStream<[SimulatedBearer]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [SimulatedBearer].self)
    let state = state
    let id = state.withLock { state -> Int in
      defer { state.nextWatcher += 1 }
      state.watchers[state.nextWatcher] = continuation
      continuation.yield(state.knownBearers)
      return state.nextWatcher
    }
    continuation.onTermination = { _ in _ = state.withLock { $0.watchers.removeValue(forKey: id) } }
    return stream
  }

  func sendRaw(_ bytes: [UInt8]) {
    state.withLock { $0.port?.send(bytes, after: .zero) }
  }

  func restartFirmware() {
    state.withLock { state in
      let actions = state.core.restart()
      Self.perform(actions, &state)
    }
  }

  /// Changes the engine and sends the indications that follow from it.
  func change<Result>(_ body: (inout ModemEngine) -> Result) -> Result {
    state.withLock { state in
      let (result, actions) = state.core.change(body)
      Self.perform(actions, &state)
      return result
    }
  }
}
