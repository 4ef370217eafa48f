import CQMI
import GLibBridge
import ModemModel

/// A modem that speaks QMI, reached through libqmi.
///
/// libqmi keeps the port, the transactions and the proxy. What the messages say is read here, from their TLVs: a modem's wrong
/// lengths and counts then end as `badReply`.
public actor QMIBackend: ModemBackend {
  public nonisolated let kind = ModemProtocol.qmi
  public nonisolated let events: AsyncStream<ModemEvent>
  public nonisolated var unownedExecutor: UnownedSerialExecutor { glib.asUnownedSerialExecutor() }

  nonisolated let configuration: QMIConfiguration
  nonisolated let glib: GLibExecutor
  private nonisolated let eventsContinuation: AsyncStream<ModemEvent>.Continuation

  var port = PortState.unopened
  var bearer = BearerSession.down
  var reports = Reports()
  var clients = ClientTable()
  let ledger: ClientLedger?
  let commands: GLibCallQueue
  private var lastTransaction: UInt16 = 0

  /// Prepares a backend; nothing is opened yet.
  public init(_ configuration: QMIConfiguration) {
    let glib = GLibExecutor(name: "qmi")
    self.configuration = configuration
    self.glib = glib
    ledger = configuration.stateFile.map { ClientLedger(path: $0, device: configuration.path) }
    commands = GLibCallQueue(
      on: glib, limit: configuration.commandsUnderWay, waitingLimit: configuration.commandsWaiting)
    // A reader that has fallen this far behind has to ask for everything anyway.
    (events, eventsContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
  }

  deinit { eventsContinuation.finish() }

  func emit(_ event: ModemEvent) { eventsContinuation.yield(event) }
  func finishEvents() { eventsContinuation.finish() }

  /// A number for a transaction, never 0. Ids come round after 65,535 commands, long after a late answer.
  func nextTransaction() -> UInt16 {
    lastTransaction = lastTransaction == .max ? 1 : lastTransaction + 1
    return lastTransaction
  }
}

/// Where the control port is in its life.
enum PortState {
  case unopened
  /// The device is there once libqmi has opened it, and clients are being allocated.
  case opening(OpenDevice?)
  case open(OpenDevice)
  /// `close()`, or the end of a failed opening, is on its way.
  case closing(Task<Void, Never>)
  case closed
  case removed
}

/// What this backend has done about the data session.
enum BearerSession {
  case down
  case connecting
  /// One session for each address family, at least one.
  case up([DataSession])
  case disconnecting
}
