import CQMI
import GLibBridge
import ModemModel

/// A modem that speaks QMI, reached through libqmi.
public actor QMIBackend: ModemBackend {
  public nonisolated let kind = ModemProtocol.qmi
  public nonisolated let events: AsyncStream<ModemEvent>
  public nonisolated var unownedExecutor: UnownedSerialExecutor { glib.asUnownedSerialExecutor() }

  nonisolated let configuration: QMIConfiguration
  nonisolated let glib: GLibExecutor
  private nonisolated let eventsContinuation: AsyncStream<ModemEvent>.Continuation

  var port = PortState.unopened
  var bearer = BearerSession.down
  /// The network sessions of the bearer: one for each address family that the network gave.
  var sessions: [NetworkSession] = []
  /// Sessions that ended while they were starting, by client id, with the cause.
  var endedEarly: [UInt8: NetworkCause?] = [:]
  /// Calls that wait for the next serving system report, and for the next packet service report.
  var servingWaits: [GLibExpectation<Void>] = []
  var packetServiceWaits: [GLibExpectation<Void>] = []
  /// What the network said last when it refused registration.
  var lastRejection: NetworkCause?
  var record: ClientRecord
  let commands: GLibCallQueue

  /// Prepares a backend; nothing is opened yet.
  public init(_ configuration: QMIConfiguration) {
    let glib = GLibExecutor(name: "qmi")
    self.configuration = configuration
    self.glib = glib
    commands = GLibCallQueue(
      on: glib, limit: configuration.commandsUnderWay, waitingLimit: configuration.commandsWaiting)
    record = ClientRecord(file: configuration.stateFile, device: configuration.path)
    // A reader that has fallen this far behind has to ask for everything anyway.
    (events, eventsContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
  }

  deinit { eventsContinuation.finish() }

  func emit(_ event: ModemEvent) { eventsContinuation.yield(event) }
  func finishEvents() { eventsContinuation.finish() }
}

/// Where the control port is in its life.
enum PortState {
  case unopened
  case opening
  case open(OpenDevice)
  /// `close()` is on its way.
  case closing(Task<Void, Never>)
  case closed
  case removed
}

/// What this backend has done about the bearer. Its sessions are in `sessions`.
enum BearerSession {
  case down
  case connecting
  case up
  case disconnecting
}
