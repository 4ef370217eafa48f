import ModemModel
import ModemService
import NetworkAddress

/// What bytes over a bearer were for.
package enum TrafficPurpose: String, CaseIterable, Hashable, Sendable {
  case chains, flows, warming, sockets, streams, proxy, probes
}

/// What an account is opened for.
package struct TrafficRequest: Hashable, Sendable {
  /// Who asked; nil for what modemd does for itself.
  package var caller: Caller?
  /// The process that asked, if it is known.
  package var processID: Int32?
  /// Id of the modem.
  package var modem: String
  /// Name of the bearer's network interface.
  package var interface: String
  package var purpose: TrafficPurpose
  /// The host that the caller named.
  package var host: String?
  /// The port that the caller named.
  package var port: Int?
  package var isDatagram: Bool
  package var isRoaming: Bool

  package init(
    caller: Caller?, processID: Int32? = nil, modem: String, interface: String, purpose: TrafficPurpose,
    host: String? = nil, port: Int? = nil, isDatagram: Bool = false, isRoaming: Bool = false
  ) {
    self.caller = caller
    self.processID = processID
    self.modem = modem
    self.interface = interface
    self.purpose = purpose
    self.host = host
    self.port = port
    self.isDatagram = isDatagram
    self.isRoaming = isRoaming
  }
}

/// Why no account was opened.
package enum TrafficRefusal: Error, Hashable, Sendable {
  /// The administrator does not allow the destination; why, in one sentence.
  case destination(text: String)
  /// A budget is spent, or there are too many connections; `resets` is when it starts anew.
  case budget(name: String, resets: Timestamp?, text: String)
}
