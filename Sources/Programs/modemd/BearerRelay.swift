import BoundHTTP
import ModemModel
import ModemService

/// Tells the chains when a bearer comes up and when it ends. Those on an ended one end too, and no name or origin learnt
/// over it is used on the next.
struct BearerRelay: Sendable {
  let registry: ModemRegistry
  let chains: ChainClient

  func run() async {
    var bearers: [String: InstalledBearer] = [:]
    var isRehearsed = false
    for await change in registry.watch() {
      let modem = change.modem
      let present = Self.bearer(after: change)
      if !isRehearsed, Self.isComingUp(modem.bearer.state) {
        isRehearsed = true
        // While the modem does its part. Nobody waits for it, and a service that no chain is asked of keeps its memory.
        Task { await chains.rehearse() }
      }
      let last = bearers[modem.device]
      // A bearer with other addresses is another one to the chains on it.
      if let last, present?.carries(last) != true, let index = Int32(exactly: last.interfaceIndex) {
        chains.bearerLost(interface: index, Self.reason(modem))
      }
      if present != nil, last == nil { chains.readTrustAhead() }
      bearers[modem.device] = present
    }
  }

  private static func isComingUp(_ state: BearerState) -> Bool {
    switch state {
    case .attaching, .connecting, .configuring, .up: true
    case .down, .disconnecting, .failed: false
    }
  }

  /// What carries the modem's bearer; nil when there is nothing any more, or it is damaged.
  private static func bearer(after change: ModemRegistry.Change) -> InstalledBearer? {
    if case .removed = change { return nil }
    return change.modem.fault == nil ? change.modem.bearer.state.installed : nil
  }

  private static func reason(_ modem: ModemState) -> String {
    if let fault = modem.fault { return "the bearer was lost during the chain: \(fault.cause)" }
    if case .down(let cause?) = modem.bearer.state { return "the bearer was lost during the chain: \(cause)" }
    if modem.bearer.state.installed != nil {
      return "the bearer changed during the chain: the network gave it other addresses; open the URL again"
    }
    return "the bearer was taken down during the chain; open the URL again"
  }
}
