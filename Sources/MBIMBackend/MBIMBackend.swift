import CMBIM
import GLibBridge
import ModemModel

/// A modem that speaks MBIM 1.0 (USB-IF), reached through libmbim.
public actor MBIMBackend: ModemBackend {
  public nonisolated let kind = ModemProtocol.mbim
  public nonisolated let events: AsyncStream<ModemEvent>
  public nonisolated var unownedExecutor: UnownedSerialExecutor { glib.asUnownedSerialExecutor() }

  nonisolated let configuration: MBIMConfiguration
  nonisolated let glib: GLibExecutor
  private nonisolated let eventsContinuation: AsyncStream<ModemEvent>.Continuation

  var port = PortState.unopened
  var bearer = BearerSession.down
  var reports = Reports()
  let commands: GLibCallQueue

  /// Prepares a backend; nothing is opened yet.
  public init(_ configuration: MBIMConfiguration) {
    let glib = GLibExecutor(name: "mbim")
    self.configuration = configuration
    self.glib = glib
    commands = GLibCallQueue(
      on: glib, limit: configuration.commandsUnderWay, waitingLimit: configuration.commandsWaiting)
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

/// What this backend has done about the data session.
enum BearerSession {
  case down
  case connecting
  case up
  case disconnecting
}
