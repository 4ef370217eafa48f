import ModemModel

/// A modem made of software. It speaks real MBIM or real QMI on a pseudo-terminal.
///
/// ```swift
/// let modem = SimulatedModem()
/// let path = try modem.plugIn()  // mbimcli -d PATH --query-device-caps
/// ```
///
/// Every method may be called from any thread; changes are indicated to the host as a modem does.
public final class SimulatedModem: Sendable {
  /// What an observer may know of the modem at one moment.
  public struct Snapshot: Sendable {
    /// Path of the control port; nil while unplugged.
    public var path: String?
    public var registration: Registration
    public var isRadioOn: Bool
    public var isAttached: Bool
    /// What is up now, one entry a PDN connection.
    public var bearers: [SimulatedBearer]
    /// Commands seen, by what they asked.
    public var commands: [ModemOperation: Int]
    /// QMI client ids in use, by service number.
    public var clientIDs: [UInt8: [UInt8]]
    /// PIN1 attempts left; nil without a card.
    public var pinAttempts: Int?
  }

  private struct State {
    var core: ModemCore
    var port: PTYPort?
    var knownBearers: [SimulatedBearer] = []
    var watchers: [Int: AsyncStream<[SimulatedBearer]>.Continuation] = [:]
    var nextWatcher = 0
  }

  private let state: Guarded<State>

  public init(_ configuration: SimulatedModemConfiguration = SimulatedModemConfiguration()) {
    state = Guarded(State(core: ModemCore(configuration)))
  }

  deinit {
    unplug()
    // Not under the lock: finishing a stream takes it to forget the watcher.
    for watcher in state.withLock({ $0.watchers.values }) { watcher.finish() }
  }

  // MARK: The control port

  /// Gives the modem a control port.
  ///
  /// - Parameter link: path of a symbolic link to the port, for a name that outlives it; an old link is replaced.
  /// - Returns: the path of the terminal.
  /// - Throws: `SimulatorError` when there is no terminal, the link cannot be made, or the modem is plugged in already.
  @discardableResult
  public func plugIn(link: String? = nil) throws(SimulatorError) -> String {
    guard state.withLock({ $0.port == nil }) else {
      throw SimulatorError(.alreadyPluggedIn, "the modem has a control port already: unplug it first")
    }
    let state = state
    let port = try PTYPort(link: link) { bytes in Self.receive(bytes, state) }
    state.withLock { $0.port = port }
    port.start()
    return port.path
  }

  /// Takes the control port away, as pulling the USB plug does: the host sees a hang-up, sessions end.
  public func unplug() { Self.unplug(state) }

  private static func receive(_ bytes: [UInt8], _ state: Guarded<State>) {
    let hangsUp = state.withLock { state -> Bool in
      let actions = state.core.receive(bytes)
      perform(actions, &state)
      return actions.contains(.hangUp)
    }
    if hangsUp { unplug(state) }
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
  }

  private static func perform(_ actions: [EndpointAction], _ state: inout State) {
    announceBearers(&state)
    for case .send(let bytes, let delay) in actions { state.port?.send(bytes, after: delay) }
  }

  private static func announceBearers(_ state: inout State) {
    let bearers = state.core.engine.activeBearers
    guard bearers != state.knownBearers else { return }
    state.knownBearers = bearers
    for watcher in state.watchers.values { watcher.yield(bearers) }
  }

  // MARK: What is going on

  public var snapshot: Snapshot {
    state.withLock { state in
      let engine = state.core.engine
      return Snapshot(
        path: state.port?.path, registration: engine.registration, isRadioOn: engine.isRadioOn,
        isAttached: engine.isAttached, bearers: engine.activeBearers, commands: engine.counts,
        clientIDs: state.core.endpoint.clientIDs, pinAttempts: engine.card?.pinAttempts)
    }
  }

  /// The bearers that are up: now, and after each change. The data plane lets packets through for these addresses only.
  public func bearerChanges() -> AsyncStream<[SimulatedBearer]> {
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
