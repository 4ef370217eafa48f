import AuthCore
import MetricSeries
import ModemModel
import RedirectChain
import TrafficLedger

/// modemd's figures. Docs/metrics.md has a row for each, and a test compares the two.
package enum Figures {
  // MARK: - Modems

  static let build = MetricFamily("modemd_build", .info, labels: ["version"], "The version of modemd that runs.")
  static let modems = MetricFamily("modemd_modems", .gauge, "Modems that have a port.")
  static let modem = MetricFamily(
    "modemd_modem", .info, labels: ["modem", "manufacturer", "model", "firmware", "protocol", "way"],
    "What the modem says of itself, and how it is shared with ModemManager.")
  static let modemFault = MetricFamily(
    "modemd_modem_fault", .gauge, labels: ["modem"], "1 while the modem or its port does not work, else 0.")
  static let simState = MetricFamily(
    "modemd_sim_state", .state, labels: ["modem"], words: SIMStatus.State.allCases.map(\.rawValue),
    "The state of the SIM.")
  static let registrationState = MetricFamily(
    "modemd_registration_state", .state, labels: ["modem"], words: Registration.State.allCases.map(\.rawValue),
    "Whether and where the modem is registered.")
  static let rssi = MetricFamily(
    "modemd_signal_rssi_dbm", .gauge, unit: "dbm", labels: ["modem", "technology"],
    "Received signal strength of the serving cell.")
  static let rsrp = MetricFamily(
    "modemd_signal_rsrp_dbm", .gauge, unit: "dbm", labels: ["modem", "technology"],
    "Reference signal received power of the serving cell; in 5G non-standalone, of the LTE cell.")
  static let rsrq = MetricFamily(
    "modemd_signal_rsrq_db", .gauge, unit: "db", labels: ["modem", "technology"],
    "Reference signal received quality of the serving cell.")
  static let sinr = MetricFamily(
    "modemd_signal_sinr_db", .gauge, unit: "db", labels: ["modem", "technology"],
    "Signal to noise and interference of the serving cell.")
  static let portStarts = MetricFamily(
    "modemd_port_starts", .counter, labels: ["modem"],
    "How often the modem's port began to answer; the first time counts.")
  static let portTimeouts = MetricFamily(
    "modemd_port_request_timeouts", .counter, labels: ["modem"],
    "Requests to the modem's port to which the modem gave no answer in time.")

  // MARK: - Bearers

  static let bearerState = MetricFamily(
    "modemd_bearer_state", .state, labels: ["modem"],
    words: ["down", "attaching", "connecting", "configuring", "up", "disconnecting", "failed"],
    "The state of the bearer.")
  static let bearerUp = MetricFamily("modemd_bearer_up", .gauge, labels: ["modem"], "1 while the bearer is up, else 0.")
  static let bearerSince = MetricFamily(
    "modemd_bearer_up_since_timestamp_seconds", .gauge, unit: "seconds", labels: ["modem"],
    "When the bearer came up, in seconds since 1970. There is none while it is not up.")
  static let bearerAttempts = MetricFamily(
    "modemd_bearer_attempts", .counter, labels: ["modem", "result"],
    "Attempts to bring the bearer up that have ended, with result up or failed.")
  static let bearerUps = MetricFamily(
    "modemd_bearer_ups", .counter, labels: ["modem"], "How often the bearer was seen to come up.")
  static let bearerDowns = MetricFamily(
    "modemd_bearer_downs", .counter, labels: ["modem", "cause"],
    "How often a bearer that was up ended, by cause.")
  static let bearerUpSeconds = MetricFamily(
    "modemd_bearer_up_seconds", .counter, unit: "seconds", labels: ["modem"], "How long the bearer was up in all.")
  static let receivedBytes = MetricFamily(
    "modemd_bearer_receive_bytes", .counter, unit: "bytes", labels: ["modem", "purpose"],
    "Bytes that came in over the bearer, without the headers of IP and TCP.")
  static let sentBytes = MetricFamily(
    "modemd_bearer_transmit_bytes", .counter, unit: "bytes", labels: ["modem", "purpose"],
    "Bytes that went out over the bearer, without the headers of IP and TCP.")
  static let trafficSilent = MetricFamily(
    "modemd_bearer_traffic_silent", .gauge, labels: ["modem"],
    "1 while the bearer is up and no DNS server of it answered, else 0.")

  // MARK: - Checks and flows

  static let checks = MetricFamily(
    "modemd_checks", .counter, labels: ["result", "cause"],
    "Chains of redirects that have ended, those of flows included.")
  static let checkDuration = MetricFamily(
    "modemd_check_duration_seconds", .histogram, unit: "seconds", labels: ["result"], bounds: latencies,
    "From a chain's call to its end, with its wait.")
  static let checkWait = MetricFamily(
    "modemd_check_wait_seconds", .histogram, unit: "seconds", bounds: [0.001] + phases,
    "How long chains and preparations waited for their turn.")
  static let checkPhases = MetricFamily(
    "modemd_check_phase_seconds", .histogram, unit: "seconds", labels: ["phase"], bounds: phases,
    "How long the parts of a hop took: dns, connect, tls, firstByte.")
  static let hops = MetricFamily(
    "modemd_hops", .counter, labels: ["scheme"], "Hops of chains that have ended.")
  static let dnsFailures = MetricFamily(
    "modemd_dns_failures", .counter, labels: ["lane"],
    "Requests that failed because a name was not found: chains over the bearer, calls over the machine's network (host)."
  )
  static let tlsFailures = MetricFamily(
    "modemd_tls_failures", .counter, labels: ["lane"],
    "Requests that failed because of TLS, a certificate or the server's name: over the bearer, over the machine's network (host)."
  )
  static let checksRunning = MetricFamily(
    "modemd_checks_running", .gauge, "Chains and preparations that run.")
  static let checksWaiting = MetricFamily(
    "modemd_checks_waiting", .gauge, "Chains and preparations that wait for their turn.")
  static let checksRefused = MetricFamily(
    "modemd_checks_refused", .counter, labels: ["reason"],
    "Chains and preparations that were not begun: queueFull, or waitedTooLong.")
  static let warmConnections = MetricFamily(
    "modemd_warm_connections", .counter, labels: ["result"],
    "Connections that were made ready ahead of chains, by what became of them: used, unused, failed.")
  static let warmUnusedBytes = MetricFamily(
    "modemd_warm_unused_bytes", .counter, unit: "bytes",
    "Bytes in either direction of connections that were made ready and that no chain used.")
  static let flows = MetricFamily(
    "modemd_flows", .counter, labels: ["method", "provider", "kind", "result"],
    "Flows of authentication that have ended.")
  static let flowDuration = MetricFamily(
    "modemd_flow_duration_seconds", .histogram, unit: "seconds", labels: ["method", "provider"], bounds: latencies,
    "From a flow's call to its end.")
  static let providerFaults = MetricFamily(
    "modemd_provider_faults", .gauge, "Providers' files that cannot be used.")
  static let reloads = MetricFamily(
    "modemd_reloads", .counter, labels: ["result"], "Reloads of the files, with result done or failed.")

  // MARK: - Budgets

  static let budgetLimitBytes = MetricFamily(
    "modemd_budget_limit_bytes", .gauge, unit: "bytes", labels: ["entry", "kind"],
    "The budgets of bytes in the settings.")
  static let budgetUsedBytes = MetricFamily(
    "modemd_budget_used_bytes", .gauge, unit: "bytes", labels: ["entry", "kind"],
    "What the user has used who has used most of such a budget.")
  static let budgetLimitConnections = MetricFamily(
    "modemd_budget_limit_connections", .gauge, unit: "connections", labels: ["entry", "kind"],
    "The budgets of connections in the settings.")
  static let budgetUsedConnections = MetricFamily(
    "modemd_budget_used_connections", .gauge, unit: "connections", labels: ["entry", "kind"],
    "What the user has used who has used most of such a budget.")

  // MARK: - The process

  static let seriesDropped = MetricFamily(
    "modemd_metric_series_dropped", .counter,
    "Counts that were left out, since there would have been too many series.")
  static let processCPU = MetricFamily(
    "process_cpu_seconds", .counter, unit: "seconds", "Processor time of the process, in user and system mode.")
  static let processMemory = MetricFamily(
    "process_resident_memory_bytes", .gauge, unit: "bytes", "Resident memory of the process.")
  static let processVirtualMemory = MetricFamily(
    "process_virtual_memory_bytes", .gauge, unit: "bytes", "Virtual memory of the process.")
  static let processFiles = MetricFamily(
    "process_open_fds", .gauge, unit: "fds", "Open file descriptors of the process.")
  static let processMostFiles = MetricFamily(
    "process_max_fds", .gauge, unit: "fds", "How many file descriptors the process may open.")
  static let processStart = MetricFamily(
    "process_start_time_seconds", .gauge, unit: "seconds", "When the process started, in seconds since 1970.")

  /// In seconds, from a fast chain to the usual limits of flows.
  private static let latencies = [0.25, 0.5, 1, 2, 3, 5, 10, 15, 30, 60]
  /// In seconds, from a connection in the same city to the time limit of a hop.
  private static let phases = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

  /// In the order in which they are told.
  package static let all: [MetricFamily] = [
    build, modems, modem, modemFault, simState, registrationState, rssi, rsrp, rsrq, sinr, portStarts, portTimeouts,
    bearerState, bearerUp, bearerSince, bearerAttempts, bearerUps, bearerDowns, bearerUpSeconds, receivedBytes,
    sentBytes,
    trafficSilent, checks, checkDuration, checkWait, checkPhases, hops, dnsFailures, tlsFailures, checksRunning,
    checksWaiting, checksRefused, warmConnections, warmUnusedBytes, flows, flowDuration, providerFaults, reloads,
    budgetLimitBytes, budgetUsedBytes,
    budgetLimitConnections, budgetUsedConnections, seriesDropped, processCPU, processMemory, processVirtualMemory,
    processFiles, processMostFiles, processStart,
  ]
}
