import BoundHTTP
import ModemService
import NetworkAddress
import RedirectChain
import TrafficLedger

/// What a program asks for: a connection over a bearer.
package struct StreamRequest: Hashable, Sendable {
  /// Id, device or interface; nil for the only modem.
  package var modem: String?
  package var host: String
  /// 1 to 65535.
  package var port: Int
  package var purpose: TrafficPurpose
  /// For the whole call: the bearer, the name and the connection.
  package var limit: Duration

  package init(modem: String? = nil, host: String, port: Int, purpose: TrafficPurpose, limit: Duration = .seconds(30)) {
    self.modem = modem
    self.host = host
    self.port = port
    self.purpose = purpose
    self.limit = limit
  }
}

/// What a program asks for: a socket to use by itself.
package struct SocketRequest: Hashable, Sendable {
  /// Where it is connected to.
  package struct Destination: Hashable, Sendable {
    package var host: String
    /// 1 to 65535.
    package var port: Int

    package init(host: String, port: Int) {
      self.host = host
      self.port = port
    }
  }

  /// Id, device or interface; nil for the only modem.
  package var modem: String?
  /// Nil for a socket that is bound and not connected.
  package var destination: Destination?
  package var isDatagram: Bool
  /// Nil for any; without a destination, the bearer's first.
  package var family: ChainHop.Family?
  /// For the whole call.
  package var limit: Duration

  package init(
    modem: String? = nil, to destination: Destination?, isDatagram: Bool = false, family: ChainHop.Family? = nil,
    limit: Duration = .seconds(30)
  ) {
    self.modem = modem
    self.destination = destination
    self.isDatagram = isDatagram
    self.family = family
    self.limit = limit
  }
}

/// A name that a program asks for.
package struct ResolveRequest: Hashable, Sendable {
  /// Id, device or interface; nil for the only modem.
  package var modem: String?
  package var name: String
  /// Nil for both.
  package var family: ChainHop.Family?
  /// For the whole call.
  package var limit: Duration

  package init(modem: String? = nil, name: String, family: ChainHop.Family? = nil, limit: Duration = .seconds(10)) {
    self.modem = modem
    self.name = name
    self.family = family
    self.limit = limit
  }
}

/// A resolved name, and over which bearer.
package struct ResolvedName: Hashable, Sendable {
  package let modem: String
  package let interface: String
  package let host: ResolvedHost
  package let time: Duration
}

/// A socket that is ready to be handed over. It is closed with the last reference to it.
package struct OpenedSocket: Sendable {
  package let descriptor: BoundDescriptor
  /// Identifies it in org.modemd.Usage.
  package let id: String
  package let modem: String
  package let interface: String
  let life: ConnectionLife

  /// The socket left this process, or it cannot leave any more. Call it once.
  package func handedOver(_ isSent: Bool) { report(isSent) }

  /// Does the same, and holds no descriptor.
  package var report: @Sendable (_ isSent: Bool) -> Void { { [life] isSent in if !isSent { life.finish() } } }
}
