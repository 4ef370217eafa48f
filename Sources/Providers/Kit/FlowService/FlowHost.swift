import AuthCore
import AuthFlows
import Logging
import Varlink

/// What flows need from the service that runs them: the modems, the ways out, and the errors that
/// its interfaces declare.
package protocol FlowHost: Sendable {
  /// The providers that the configuration names.
  var providers: ProviderSet { get }

  /// For a line about each flow.
  var logger: Logger { get }

  /// The SIM that a flow is about.
  ///
  /// - Parameter modem: id, device or interface; nil for the only modem.
  /// - Throws: what `declared` knows.
  func subscriber(_ modem: String?) throws -> Subscriber

  /// Whether a caller may see what the SIM itself says of its identity, as org.modemd.Modem.Get
  /// tells it.
  func revealsSIM(to peer: Peer) -> Bool

  /// A way to run machines for a caller.
  ///
  /// - Parameters:
  ///   - modem: id of the modem whose bearer carries the requests that must go over a bearer; nil
  ///     for the only one, if any goes over a bearer.
  ///   - askForCode: where a code or a PIN comes from that the caller gives; nil for flows without
  ///     one.
  ///   - onProgress: called for each hop and each step that ended, in order. It must not block.
  func run(
    on modem: String?, for peer: Peer, askForCode: FlowLanes.AskForCode?,
    onProgress: @escaping @Sendable (FlowProgress) -> Void
  ) -> FlowRun

  /// A flow is over.
  ///
  /// - Parameters:
  ///   - method: the method that ran it, by its full name.
  ///   - provider: its name and kind in the configuration; nil if none was asked.
  ///   - result: nil if the call ended with an error, as `isCancelled` says.
  func endedFlow(
    of method: String, provider: String?, kind: String?, result: FlowResult?, isCancelled: Bool, after time: Duration)

  /// The interfaces' error for one of the service's own errors; nil for any other error.
  func declared(_ error: any Error) -> VarlinkError?
}

extension FlowHost {
  package func endedFlow(
    of method: String, provider: String?, kind: String?, result: FlowResult?, isCancelled: Bool, after time: Duration
  ) {}
}
