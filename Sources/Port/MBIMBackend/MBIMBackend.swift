import CMBIM
import ControlChannel
import GLibBridge
import LimitClock
import ModemModel

/// A modem that speaks MBIM 1.0 (USB-IF), reached through libmbim.
package actor MBIMBackend: ModemBackend {
  package nonisolated let kind = ModemProtocol.mbim
  package nonisolated var events: AsyncStream<ModemEvent> { outlet.events }
  package nonisolated var messageEvents: AsyncStream<MessageEvent> { outlet.messageEvents }
  package nonisolated var unownedExecutor: UnownedSerialExecutor { glib.asUnownedSerialExecutor() }

  nonisolated let configuration: MBIMConfiguration
  nonisolated let glib: GLibExecutor
  nonisolated let outlet = BackendEvents()

  var port = PortState<OpenDevice>.unopened
  var bearer = BearerSession.down {
    didSet { if case .down = bearer, !lingers { ledger?.end() } }
  }
  /// Whether a session that no caller waited for may still be active, until the modem reports that
  /// it is not.
  var lingers = false
  /// Ends a session whose caller has gone.
  var ending: Task<Void, Never>?
  /// The address families of the present or last session.
  var granted = GrantedFamilies()
  let ledger: SessionLedger?
  let channelNote: ChannelNote?
  /// Whether this backend has closed what may have been left on the card.
  var hasClosedChannels = false
  var knownMNCLength = KnownMNCLength()
  var simCalls = SIMCalls<AKAAnswer>()
  var reports = Reports()
  /// The modem's list of services after it was asked for; nil inside if the modem refused.
  var services: ServiceList??
  /// Whether no more additional questions are asked, because one was not answered well.
  var sparesQuestions = false
  package var silence: SilenceWatch
  /// Whether the modem was abandoned because it no longer answers.
  var isSilent = false
  let commands: GLibCallQueue

  var clock: LimitClock { configuration.clock }

  /// Prepares a backend; nothing is opened yet.
  package init(_ configuration: MBIMConfiguration) {
    let glib = GLibExecutor(name: "mbim")
    self.configuration = configuration
    self.glib = glib
    ledger = configuration.stateFile.map {
      SessionLedger(path: $0, device: configuration.path, session: configuration.session)
    }
    channelNote = configuration.channelFile.map { ChannelNote(path: $0, device: configuration.path) }
    silence = SilenceWatch(
      configuration.patience, unansweredLimit: configuration.unansweredLimit,
      clock: configuration.clock)
    commands = GLibCallQueue(
      on: glib, limit: configuration.commandsUnderWay, waitingLimit: configuration.commandsWaiting)
  }
}

/// The state of the data session as this backend left it.
enum BearerSession {
  case down
  case connecting
  case up
  case disconnecting
}
