import AuthCore
import RedirectChain

/// Hears what happens in the service, in order to count it. Its methods are called from any task,
/// and must not block.
package protocol ServiceObserver: Sendable {
  /// A chain is over.
  ///
  /// - Parameter time: since it was asked for, with its wait.
  func ended(_ result: ChainResult, after time: Duration)
  /// A hop of a chain is over.
  func ended(_ hop: ChainHop)
  /// A chain or a preparation begins.
  ///
  /// - Parameter time: how long it waited for its turn.
  func began(afterWaiting time: Duration)
  /// A chain or a preparation does not begin.
  func refused(_ code: ServiceError.Code)
  /// A call over the machine's own network failed.
  func failed(_ failure: BackendFailure)
  /// A flow is over.
  ///
  /// - Parameters:
  ///   - method: the method that ran it, by its full name.
  ///   - provider: its name and kind in the configuration; nil if none was asked.
  ///   - result: nil if the call ended with an error, as `isCancelled` says.
  func endedFlow(
    of method: String, provider: String?, kind: String?, result: FlowResult?, isCancelled: Bool, after time: Duration)
  /// A port answers, at first or again, with the id of its modem.
  func answered(port: String, modem: String)
  /// A modem gave its port no answer in time.
  func timedOut(port: String)
}
