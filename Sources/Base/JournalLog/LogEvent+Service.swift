// The events of the daemons themselves, and of those who call them.
//
// A new event gets a fresh id (`journalctl --new-id128`), an entry in systemd/modemd.catalog and a
// row in Docs/logs.md; JournalLogTests hold the three together.

extension LogEvent {
  /// A modem's port has ended. Logged at `warning`.
  package static let portGone = LogEvent("port-gone", "665773dc6ec2409f8db4ebb8329c8c16")
  /// A provider is not used, because its file cannot be used. Logged at `error`.
  package static let providerDisabled = LogEvent("provider-disabled", "4d574ac5c5b64d5d916d8ad1b9dfb564")
  /// A daemon has read its files anew. Logged at `notice`.
  package static let reloadDone = LogEvent("reload-done", "39fe5ce2b56340d0a75b97afc13c430e")
  /// A reload changed nothing, because a file cannot be used. Logged at `error`.
  package static let reloadFailed = LogEvent("reload-failed", "8970d54715f2471e92b3402ce5221499")
  /// A daemon ended because it could not start, or could not go on. Logged at `critical`.
  package static let startFailed = LogEvent("start-failed", "48ec690321984d129a34d37e1504598b")
  /// A user has used up what a budget allows over a bearer. Logged at `warning`.
  package static let budgetExceeded = LogEvent("budget-exceeded", "9b03f11a92674320b34ce18552821cee")
  /// A user's connections were closed, because the user held too much. Logged at `notice`.
  package static let callersRefused = LogEvent("callers-refused", "a30ac2476d49449884d60a02ff85459b")
  /// The journal did not take some lines of this daemon. Logged at `warning`.
  package static let linesDropped = LogEvent("lines-dropped", "52cea6c58b3344ac8bbdc3c83bf1b37c")

  /// What every daemon may log, and modemd for its callers.
  package static let serviceEvents: [LogEvent] = [
    .portGone,
    .providerDisabled,
    .reloadDone,
    .reloadFailed,
    .startFailed,
    .budgetExceeded,
    .callersRefused,
    .linesDropped,
  ]
}

extension LogEvent {
  /// All events that the catalogue explains.
  package static let all = modemEvents + serviceEvents + fleetEvents
}
