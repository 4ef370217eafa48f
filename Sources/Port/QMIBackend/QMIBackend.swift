import CQMI
import ControlChannel
import GLibBridge
import LimitClock
import ModemModel

/// A modem that speaks QMI, reached through libqmi.
///
/// libqmi manages the port, the transactions and the proxy. The contents of messages are read here,
/// from their TLVs, so that a modem's wrong lengths and counts end as `badReply`.
package actor QMIBackend: ModemBackend {
  package nonisolated let kind = ModemProtocol.qmi
  package nonisolated var events: AsyncStream<ModemEvent> { outlet.events }
  package nonisolated var messageEvents: AsyncStream<MessageEvent> { outlet.messageEvents }
  package nonisolated var unownedExecutor: UnownedSerialExecutor { glib.asUnownedSerialExecutor() }

  nonisolated let configuration: QMIConfiguration
  nonisolated let glib: GLibExecutor
  nonisolated let outlet = BackendEvents()

  var port = PortState<OpenDevice>.unopened
  var bearer = BearerSession.down
  /// The packet format's meaning for the next bearer; nil if that bearer is the interface itself.
  var multiplexing: Multiplexing?
  var reports = Reports()
  package var silence: SilenceWatch
  /// Whether the modem was abandoned because it no longer answers.
  var isSilent = false
  var clients = ClientTable()
  /// The modem's error if it lacks the service UIM: DMS then reports on the SIM.
  var simServiceRefusal: QmiProtocolError?
  var hasSIMService: Bool { simServiceRefusal == nil }
  /// Until the modem reports that it lacks UIM Get Slot Status.
  var hasSlotStatus = true
  /// Whether the data port multiplexes because this backend set it so.
  var hasSetMultiplexing = false
  /// Releases what is left in the modem; no id is requested meanwhile.
  var tidying: Task<Void, Never>?
  /// Repeats the cleanup while the port is open.
  var laterTidying: Task<Void, Never>?
  let ledger: ClientLedger?
  let channelNote: ChannelNote?
  /// A channel to the SIM whose end the modem did not confirm.
  var leftChannel: ChannelNote.Left?
  var knownMNCLength = KnownMNCLength()
  var simCalls = SIMCalls<AKAAnswer>()
  let commands: GLibCallQueue
  /// Commands to the control service, one at a time. They are only abandoned if the modem no longer
  /// answers. Otherwise they run to their end, so that everything the modem allocates is released.
  let control: GLibCallQueue
  private var lastTransaction: UInt16 = 0

  var clock: LimitClock { configuration.clock }

  /// Prepares a backend; nothing is opened yet.
  package init(_ configuration: QMIConfiguration) {
    let glib = GLibExecutor(name: "qmi")
    self.configuration = configuration
    self.glib = glib
    ledger = configuration.stateFile.map { ClientLedger(path: $0, device: configuration.path) }
    channelNote = configuration.channelFile.map { ChannelNote(path: $0, device: configuration.path) }
    silence = SilenceWatch(
      configuration.patience, unansweredLimit: configuration.unansweredLimit,
      clock: configuration.clock)
    commands = GLibCallQueue(
      on: glib, limit: max(configuration.commandsUnderWay - 1, 1), waitingLimit: configuration.commandsWaiting)
    control = GLibCallQueue(on: glib, limit: 1, waitingLimit: .max)
  }

  /// A transaction number, never 0. Numbers repeat after 65,535 commands, long after a late answer.
  func nextTransaction() -> UInt16 {
    lastTransaction = lastTransaction == .max ? 1 : lastTransaction + 1
    return lastTransaction
  }
}

/// The state of the data session as this backend left it.
enum BearerSession {
  case down
  case connecting
  /// One session for each address family, at least one.
  case up([DataSession])
  case disconnecting
}
