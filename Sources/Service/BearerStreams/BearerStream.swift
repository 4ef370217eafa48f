import NIOCore
import NetworkAddress
import TrafficLedger

/// An open connection over a bearer, with its account. It passes nothing on before it is spliced.
///
/// Whoever has one splices it, or abandons it. It ends by itself if its bearer is lost, if its
/// addresses change, or if its account is ended.
package struct BearerStream: Sendable {
  package let channel: any Channel
  package let account: TrafficAccount
  /// Id of the modem.
  package let modem: String
  package let interface: String
  /// The bearer's address that it sends from.
  package let source: IPAddress
  /// The address that it is connected to.
  package let address: IPAddress
  let half: SpliceHalf
  let life: ConnectionLife

  /// Identifies it in org.modemd.Usage.
  package var id: String { account.id }

  /// Closes it: nobody wants it any more.
  package func abandon() { half.onLoop { $0.abort() } }
}
