/// What modemd-fleet's configuration says.
package struct FleetSettings: Hashable, Sendable {
  /// What the fleet is told of a SIM's number.
  package enum Numbers: String, CaseIterable, Hashable, Sendable {
    /// Nothing.
    case none
    /// The last four digits.
    case masked
    /// HMAC-SHA-256 under the fleet's key.
    case hashed
  }

  /// What the fleet's commands may do. No message can widen it.
  package struct Commands: Hashable, Sendable {
    /// Commands by requester, as the broker proves the name.
    package var requesters: [String: Set<String>] = [:]
    /// Hosts to which `check.open` may go, in small letters.
    package var openHosts: Set<String> = []
    /// 1 to 64.
    package var atOnce = 4
    /// 1 to 600.
    package var aMinute = 30

    package init() {}
  }

  package var host: String
  package var port = 8883
  /// This machine's name, 1 to 64 of `a-z 0-9 -`.
  package var machine: String
  package var authorities: String
  package var certificate: String
  package var key: String
  package var keepAliveSeconds = 600
  /// Between two reports of figures; 0 for no report.
  package var metricsSeconds = 900
  /// Whether events are told. States and alarms are told in any case.
  package var sendsEvents = true
  package var numbers = Numbers.none
  /// The file with the fleet's key, for hashed numbers and modems' names.
  package var fleetKey: String?
  /// The fleet's size, for spreading its reconnections; N/200 s.
  package var fleetSize = 1000
  package var commands = Commands()

  package init(
    host: String, machine: String, authorities: String, certificate: String, key: String
  ) {
    self.host = host
    self.machine = machine
    self.authorities = authorities
    self.certificate = certificate
    self.key = key
  }
}
