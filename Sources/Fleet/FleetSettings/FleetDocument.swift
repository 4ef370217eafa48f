import SettingsFile

/// The form of modemd-fleet's configuration file.
package struct FleetDocument: Decodable {
  package struct Broker: Decodable {
    /// The broker's name, or its address. The broker's certificate must be for it.
    ///
    /// - Default: none: it is needed
    /// - Example: `"broker.fleet.example"`
    var host: String?
    /// The broker's port for MQTT over TLS, 1 to 65535.
    ///
    /// - Default: `8883`
    /// - Example: `8884`
    var port: Int?
  }
  package struct Open: Decodable {
    /// Hosts to which the command check.open may go. Their subdomains are other hosts.
    ///
    /// - Default: `[]`, check.open is refused
    /// - Example: `["check.operator.example"]`
    var hosts: [String]?
  }
  package struct Commands: Decodable {
    /// What each requester may have done, by the name that the broker proves. A command that is not
    /// here is refused.
    ///
    /// - Default: `{}`, every command is refused
    /// - Example: `{ "desk": ["modem.list", "bearer.get"], "field": ["verify.number"] }`
    var requesters: [String: [String]]?
    var open: Open?
    /// Commands that run at one time, 1 to 64.
    ///
    /// - Default: `4`
    /// - Example: `8`
    var atOnce: Int?
    /// Commands that begin in a minute, 1 to 600.
    ///
    /// - Default: `30`
    /// - Example: `120`
    var aMinute: Int?
  }
  var broker: Broker?
  /// This machine's name in the fleet: 1 to 64 small letters, digits and dashes, as in its
  /// certificate (common name).
  ///
  /// - Default: a name made from /etc/machine-id, which does not tell it
  /// - Example: `"kiosk-0042"`
  var machine: String?
  /// A PEM file of the authorities of the broker's certificate. No other authority is trusted.
  ///
  /// - Default: `"/etc/modemd/fleet/authorities.pem"`
  /// - Example: `"/etc/ssl/certs/ca-certificates.crt"`
  var authorities: String?
  /// A PEM file of this machine's certificate, and of those between it and its authority. It is
  /// read anew for each connection.
  ///
  /// - Default: `"/etc/modemd/fleet/certificate.pem"`
  /// - Example: `"/etc/modemd/fleet/kiosk-0042.pem"`
  var certificate: String?
  /// A PEM file of the certificate's key. It is read anew for each connection.
  ///
  /// - Default: `"/etc/modemd/fleet/key.pem"`
  /// - Example: `"/etc/modemd/fleet/kiosk-0042.key"`
  var key: String?
  /// Seconds between two signs of life over a connection without messages, 5 to 65535. The broker
  /// notices a dead machine after one and a half of these.
  ///
  /// - Default: `600`
  /// - Example: `1200`
  var keepAlive: Int?
  /// Seconds between two reports of figures, 60 to 86400; 0 for no report.
  ///
  /// - Default: `900`
  /// - Example: `3600`
  var metrics: Int?
  /// Whether bearers that come and go, checks and verifications are told as events. States and
  /// alarms are told in any case.
  ///
  /// - Default: `true`
  /// - Example: `false`
  var events: Bool?
  /// What the fleet is told of a SIM's number: none; masked, its last four digits; hashed, a code
  /// of it under the fleet's key, with which the fleet finds the machine that has a number.
  ///
  /// - Default: `"none"`
  /// - Example: `"hashed"`
  var numbers: String?
  /// A file with the fleet's key, 32 to 512 bytes, the same on all machines of the fleet. Without
  /// it, the credential `fleet-key` is the key, if there is one.
  ///
  /// - Default: the credential `fleet-key`, else none
  /// - Example: `"/etc/modemd/fleet/fleet.key"`
  var fleetKey: String?
  /// How many machines the fleet has, 1 to 10000000: so many come back to a broker that restarts,
  /// 200 in a second.
  ///
  /// - Default: `1000`
  /// - Example: `20000`
  var fleetSize: Int?
  var commands: Commands?

  package static let keys = SettingsKeys(of: Self.self)
}
