// The events of modems and bearers.
//
// A new event gets a fresh id (`journalctl --new-id128`), an entry in systemd/modemd.catalog and a
// row in Docs/logs.md; JournalLogTests hold the three together.

extension LogEvent {
  /// A bearer came up. Logged at `notice`.
  package static let bearerUp = LogEvent("bearer-up", "d7ac3e439521477d97eadd5188390151")
  /// A bearer ended because somebody asked for it. Logged at `notice`.
  package static let bearerDown = LogEvent("bearer-down", "e70dc3c9221441a7a3be47fa230a8b1e")
  /// A bearer ended although nobody asked for it. Logged at `warning`.
  package static let bearerLost = LogEvent("bearer-lost", "deb2c3826b1b4501ae032e1062ceebab")
  /// A bearer did not come up. Logged at `warning`.
  package static let bearerRefused = LogEvent("bearer-refused", "9d3be734699e494da497d4c766a26e4f")
  /// A port goes on with the bearer that was kept before it ended. Logged at `notice`.
  package static let bearerResumed = LogEvent("bearer-resumed", "c0947230b26341a187fb683357b92133")
  /// A port does not go on with the bearer that was kept. Logged at `notice`.
  package static let bearerNotResumed = LogEvent("bearer-not-resumed", "2249fdbda67b4694ad2f8210c0ce9d94")
  /// A bearer is up, and nothing comes back over it. Logged at `warning`.
  package static let trafficSilent = LogEvent("traffic-silent", "09cb806a1731464385d510613e9dec96")
  /// A part of what keeps others off the bearer is missing in the kernel. Logged at `warning`.
  package static let guardMissing = LogEvent("guard-missing", "57bd695d43394a8a9892d4d7bfa0434c")
  /// The SIM waits for a PIN or a PUK, and nothing has one to give. Logged at `warning`.
  package static let simLocked = LogEvent("sim-locked", "29a42978715d4ae88b20d5fc80a79680")
  /// The SIM refused a PIN. Logged at `warning`.
  package static let pinRefused = LogEvent("pin-refused", "59a9c753af884583b9361e85c7d84642")
  /// There is no SIM, or the modem cannot use it. Logged at `warning`.
  package static let simAbsent = LogEvent("sim-absent", "6600232c68aa4280ac90c717c75bc5d9")
  /// The modem is left alone, because its port has ended too often. Logged at `error`.
  package static let modemLeftAlone = LogEvent("modem-left-alone", "cec02668c4ed49adb184c0c4e8520d41")
  /// The modem or its control port does not do its work. Logged at `warning`, or `critical`
  /// where the port ends itself.
  package static let modemFault = LogEvent("modem-fault", "e23c8656789b451ca8de79b7e6298974")
  /// The store of short messages is full. Logged at `warning`.
  package static let messageStoreFull = LogEvent("message-store-full", "04a54565ec6d41e482b8bdfd83949a89")

  /// What modemd-port logs.
  package static let modemEvents: [LogEvent] = [
    .bearerUp,
    .bearerDown,
    .bearerLost,
    .bearerRefused,
    .bearerResumed,
    .bearerNotResumed,
    .trafficSilent,
    .guardMissing,
    .simLocked,
    .pinRefused,
    .simAbsent,
    .modemLeftAlone,
    .modemFault,
    .messageStoreFull,
  ]
}
