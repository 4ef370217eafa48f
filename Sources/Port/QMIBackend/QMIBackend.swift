import CQMI
import ControlChannel
import GLibBridge
import ModemModel

/// A modem that speaks QMI, reached through libqmi.
///
/// libqmi keeps the port, the transactions and the proxy. What the messages say is read here, from their TLVs: a modem's wrong
/// lengths and counts then end as `badReply`.
public actor QMIBackend: ModemBackend {
  public nonisolated let kind = ModemProtocol.qmi
  public nonisolated var events: AsyncStream<ModemEvent> { outlet.events }
  public nonisolated var messageEvents: AsyncStream<MessageEvent> { outlet.messageEvents }
  public nonisolated var unownedExecutor: UnownedSerialExecutor { glib.asUnownedSerialExecutor() }

  nonisolated let configuration: QMIConfiguration
  nonisolated let glib: GLibExecutor
  nonisolated let outlet = BackendEvents()

  var port = PortState<OpenDevice>.unopened
  var bearer = BearerSession.down
  /// What the packet format means for the next bearer; nil for one that is the interface itself.
  var multiplexing: Multiplexing?
  var reports = Reports()
  package var silence: SilenceWatch
  /// Whether the modem was given up as it is not heard any more.
  var isSilent = false
  var clients = ClientTable()
  /// What the modem said when it did not know the service UIM: then DMS tells of the SIM.
  var simServiceRefusal: QmiProtocolError?
  var hasSIMService: Bool { simServiceRefusal == nil }
  /// Until the modem says that it does not know UIM Get Slot Status.
  var hasSlotStatus = true
  /// Whether the data port multiplexes because this backend said so.
  var hasSetMultiplexing = false
  /// Gives back what is left in the modem; no id is asked for meanwhile.
  var tidying: Task<Void, Never>?
  /// Tries again to tidy, while the port is open.
  var laterTidying: Task<Void, Never>?
  let ledger: ClientLedger?
  let commands: GLibCallQueue
  /// Commands to the control service, one at a time. They are abandoned only where the modem is not heard any more, and otherwise go
  /// on to their end: what the modem allocates is given back.
  let control: GLibCallQueue
  private var lastTransaction: UInt16 = 0

  /// Prepares a backend; nothing is opened yet.
  public init(_ configuration: QMIConfiguration) {
    let glib = GLibExecutor(name: "qmi")
    self.configuration = configuration
    self.glib = glib
    ledger = configuration.stateFile.map { ClientLedger(path: $0, device: configuration.path) }
    silence = SilenceWatch(configuration.patience, unansweredLimit: configuration.unansweredLimit)
    commands = GLibCallQueue(
      on: glib, limit: max(configuration.commandsUnderWay - 1, 1), waitingLimit: configuration.commandsWaiting)
    control = GLibCallQueue(on: glib, limit: 1, waitingLimit: .max)
  }

  /// A number for a transaction, never 0. Ids come round after 65,535 commands, long after a late answer.
  func nextTransaction() -> UInt16 {
    lastTransaction = lastTransaction == .max ? 1 : lastTransaction + 1
    return lastTransaction
  }
}

/// What this backend has done about the data session.
enum BearerSession {
  case down
  case connecting
  /// One session for each address family, at least one.
  case up([DataSession])
  case disconnecting
}
