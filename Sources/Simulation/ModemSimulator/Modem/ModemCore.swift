/// What a control endpoint needs done after a command.
enum EndpointAction: Hashable, Sendable {
  case send([UInt8], after: Duration)
  /// Sent after the next message, or after this time if none comes.
  case holdBack([UInt8], atMost: Duration)
  case hangUp
  /// The firmware starts over on the same port.
  case restart
  /// The port vanishes and returns.
  case replug(after: Duration, elsewhere: Bool)

  /// Whether nothing can be sent after it.
  var endsPort: Bool {
    switch self {
    case .hangUp, .replug: true
    case .send, .holdBack, .restart: false
    }
  }
}

/// One protocol's side of the control port: bytes in, bytes out, no I/O.
protocol ControlEndpoint: Sendable {
  /// Takes bytes from the host and carries out the commands that they complete.
  mutating func receive(_ bytes: [UInt8], engine: inout ModemEngine) -> [EndpointAction]
  /// The messages that report changes to the host, as far as it subscribed to them.
  mutating func indications(for events: [ModemEvent], engine: ModemEngine) -> [[UInt8]]
  /// Forgets the host, and returns the messages that report it.
  mutating func restart() -> [[UInt8]]
  /// Host-side handles the modem has given out, by QMI service; empty for MBIM.
  var clientIDs: [UInt8: [UInt8]] { get }
  /// Whether packets on the data port are bare IP.
  var isRawIP: Bool { get }
}

extension ControlEndpoint {
  /// MBIM carries nothing else.
  var isRawIP: Bool { true }
}

/// The engine with the endpoint that speaks for it.
struct ModemCore: Sendable {
  var engine: ModemEngine
  private(set) var endpoint: any ControlEndpoint

  init(_ configuration: SimulatedModemConfiguration) {
    engine = ModemEngine(configuration)
    endpoint = Self.makeEndpoint(configuration)
  }

  mutating func receive(_ bytes: [UInt8]) -> [EndpointAction] { endpoint.receive(bytes, engine: &engine) }

  /// Makes a change on the modem's or network's side, and returns the resulting indications.
  mutating func change<Result>(_ body: (inout ModemEngine) -> Result) -> (Result, [EndpointAction]) {
    let result = body(&engine)
    let messages = endpoint.indications(for: engine.takeEvents(), engine: engine)
    return (result, messages.map { .send($0, after: .zero) })
  }

  /// Starts the firmware over on the same port.
  mutating func restart() -> [EndpointAction] {
    engine.endSessions(.serviceLost) { _ in true }
    engine.wantsAttach = engine.configuration.attachesByItself
    engine.closeChannels()
    _ = engine.takeEvents()
    return endpoint.restart().map { .send($0, after: .zero) }
  }

  /// Forgets the host: what an unplugged modem does.
  mutating func reset() {
    engine.endSessions(.serviceLost) { _ in true }
    engine.wantsAttach = engine.configuration.attachesByItself
    engine.closeChannels()
    _ = engine.takeEvents()
    endpoint = Self.makeEndpoint(engine.configuration)
  }

  private static func makeEndpoint(_ configuration: SimulatedModemConfiguration) -> any ControlEndpoint {
    switch configuration.controlProtocol {
    case .mbim: MBIMEndpoint(configuration)
    case .qmi: QMIEndpoint(configuration)
    }
  }
}
