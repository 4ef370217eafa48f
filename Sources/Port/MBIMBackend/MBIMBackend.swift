import CMBIM
import GLibBridge
import ModemModel

/// A modem that speaks MBIM 1.0 (USB-IF), reached through libmbim.
public actor MBIMBackend: ModemBackend {
  public nonisolated let kind = ModemProtocol.mbim
  public nonisolated let events: AsyncStream<ModemEvent>
  public nonisolated let messageEvents: AsyncStream<MessageEvent>
  public nonisolated var unownedExecutor: UnownedSerialExecutor { glib.asUnownedSerialExecutor() }

  nonisolated let configuration: MBIMConfiguration
  nonisolated let glib: GLibExecutor
  private nonisolated let mailbox = EventMailbox()
  private nonisolated let messageEventsContinuation: AsyncStream<MessageEvent>.Continuation

  var port = PortState.unopened
  var bearer = BearerSession.down {
    didSet { if case .down = bearer, !lingers { ledger?.end() } }
  }
  /// Whether a session that nobody waited for may still be active, until the modem says that it is not.
  var lingers = false
  /// Ends a session of a caller who has gone.
  var ending: Task<Void, Never>?
  /// The address families of the present or last session.
  var granted = GrantedFamilies()
  let ledger: SessionLedger?
  var reports = Reports()
  /// What the modem lists, once it was asked; it may refuse.
  var services: ServiceList??
  private var unanswered = 0
  package var silence: SilenceWatch
  /// Whether the modem was given up as it is not heard any more.
  var isSilent = false
  let commands: GLibCallQueue

  /// Prepares a backend; nothing is opened yet.
  public init(_ configuration: MBIMConfiguration) {
    let glib = GLibExecutor(name: "mbim")
    self.configuration = configuration
    self.glib = glib
    ledger = configuration.stateFile.map {
      SessionLedger(path: $0, device: configuration.path, session: configuration.session)
    }
    silence = SilenceWatch(configuration.patience)
    commands = GLibCallQueue(
      on: glib, limit: configuration.commandsUnderWay, waitingLimit: configuration.commandsWaiting)
    events = mailbox.events
    // A reader that has fallen this far behind has to ask for everything anyway.
    (messageEvents, messageEventsContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
  }

  deinit {
    mailbox.finish()
    messageEventsContinuation.finish()
  }

  func emit(_ event: ModemEvent) { mailbox.post(event) }
  func emit(_ event: MessageEvent) { messageEventsContinuation.yield(event) }
  func finishEvents() {
    mailbox.finish()
    messageEventsContinuation.finish()
  }

  /// Counts the commands that the modem leaves without an answer, one after the other.
  func note(isAnswered: Bool) {
    unanswered = isAnswered ? 0 : unanswered + 1
    if unanswered == configuration.unansweredLimit { becameSilent() }
  }
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

/// What this backend has done about the data session.
enum BearerSession {
  case down
  case connecting
  case up
  case disconnecting
}
