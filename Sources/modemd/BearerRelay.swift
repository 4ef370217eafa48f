import BoundHTTP
import ModemModel
import ModemService

/// Tells the chains when a bearer comes up and when it ends. Those on an ended one end too, and no name or origin learnt
/// over it is used on the next.
struct BearerRelay: Sendable {
  let registry: ModemRegistry
  let chains: ChainClient

  func run() async {
    var interfaces: [String: Int] = [:]
    for await change in registry.watch() {
      let modem = change.modem
      let present = Self.interface(after: change)
      if let last = interfaces[modem.device], last != present, let index = Int32(exactly: last) {
        chains.bearerLost(interface: index, Self.reason(modem))
      }
      if present != nil, present != interfaces[modem.device] { chains.readTrustAhead() }
      interfaces[modem.device] = present
    }
  }

  /// Index of the interface that carries the modem's bearer; nil when there is none any more, or a damaged one.
  private static func interface(after change: ModemRegistry.Change) -> Int? {
    if case .removed = change { return nil }
    return change.modem.fault == nil ? change.modem.bearer.state.installed?.interfaceIndex : nil
  }

  private static func reason(_ modem: ModemState) -> String {
    if let fault = modem.fault { return "the bearer was lost during the chain: \(fault.cause)" }
    if case .down(let cause?) = modem.bearer.state { return "the bearer was lost during the chain: \(cause)" }
    return "the bearer was taken down during the chain; open the URL again"
  }
}
