import ModemService
import NIOCore
import NetworkAddress
import TrafficLedger

/// What a program asks for: a connection over a bearer.
package struct StreamRequest: Hashable, Sendable {
  /// Id, device or interface; nil for the only modem.
  package var modem: String?
  package var host: String
  package var port: Int
  package var purpose: TrafficPurpose
  package var limit: Duration

  package init(modem: String? = nil, host: String, port: Int, purpose: TrafficPurpose, limit: Duration = .seconds(30)) {
    self.modem = modem
    self.host = host
    self.port = port
    self.purpose = purpose
    self.limit = limit
  }
}

/// An open connection over a bearer, with its account. It reads nothing before it is spliced.
package struct BearerStream: Sendable {
  package let channel: any Channel
  package let account: TrafficAccount
  package let modem: String
  package let interface: String
  package let source: IPAddress
  package let address: IPAddress
}

/// Why there is no connection.
package enum StreamError: Error, Hashable, Sendable {
  package enum Reason: String, Hashable, Sendable {
    case refused, timedOut, unreachable, refusedAddress, bearerLost, failed
  }

  case notResolved(name: String, text: String)
  case notConnected(Reason, text: String)
  case destinationNotAllowed(host: String, port: Int, text: String)
  case budgetSpent(budget: String, resets: String?, text: String)
}
