// The events of the fleet's agent.
//
// A new event gets a fresh id (`journalctl --new-id128`), an entry in systemd/modemd.catalog and a
// row in Docs/logs.md; JournalLogTests hold the three together.

extension LogEvent {
  /// A command from the fleet was not carried out. Logged at `warning`.
  package static let fleetCommandRefused = LogEvent("fleet-command-refused", "9f75cd3c901f4a1b9b596ff72064ccac")
  /// A command from the fleet was carried out, with the outcome that the line names.
  /// Logged at `notice`.
  package static let fleetCommandDone = LogEvent("fleet-command-done", "3943cce330544dd0bc8df06222a8e929")
  /// The machine's certificate for the broker ends soon, or has ended. Logged at `warning`.
  package static let fleetCertificateExpires = LogEvent("fleet-certificate-expires", "8e0381ccf7c5420c8c473d2b229cfb2f")
  /// The broker refused the machine. Logged at `error`.
  package static let fleetBrokerRefused = LogEvent("fleet-broker-refused", "994bad00e8c24c228498d041e599e243")

  /// What modemd-fleet logs.
  package static let fleetEvents: [LogEvent] = [
    .fleetCommandRefused,
    .fleetCommandDone,
    .fleetCertificateExpires,
    .fleetBrokerRefused,
  ]
}
