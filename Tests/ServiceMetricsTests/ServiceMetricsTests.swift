import AuthCore
import ClockTestSupport
import FoundationEssentials
import LimitClock
import MetricSeries
import ModemModel
import ModemService
import RedirectChain
import Testing
import TrafficLedger

@testable import ServiceMetrics

/// A modem that can do nothing.
private struct IdleModem: ModemLink {
  let name: String

  func connect(_ request: BearerRequest) async throws -> BearerStatus { throw ModemError(.timeout, "no answer") }
  func disconnect() async throws -> BearerStatus { throw ModemError(.timeout, "no answer") }
  func noteTraffic(isAnswered: Bool, interfaceIndex: Int) async throws -> BearerStatus {
    throw ModemError(.timeout, "no answer")
  }
  func verifyBearer() async throws -> BearerStatus { throw ModemError(.timeout, "no answer") }
  func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState { throw ModemError(.timeout, "no answer") }
  func slots() async throws -> SIMSlots { throw ModemError(.timeout, "no answer") }
  func switchSlot(to slot: Int) async throws -> ModemState { throw ModemError(.timeout, "no answer") }
}

@Suite("modemd's figures") struct ServiceMetricsTests {
  private let registry = ModemRegistry()
  private let ledger = TrafficLedger()
  private let driven = DrivenClock()
  private let metrics: ServiceMetrics
  private let sources: StateSources

  init() {
    metrics = ServiceMetrics(version: "1.2", clock: driven.clock)
    sources = StateSources(registry: registry, bearers: BearerService(registry: registry), ledger: ledger)
  }

  private var text: String { MetricText.openMetrics.write(metrics.samples(sources)) }
  private var lines: Set<Substring> { Set(text.split(separator: "\n")) }

  static func modem(_ id: String = "modem-0123456789abcdef", bearer: BearerState = .down(nil)) -> ModemState {
    ModemState(
      id: id, device: "/dev/cdc-wdm0", kind: .mbim,
      identity: DeviceIdentity(
        manufacturer: "Maker", model: "X1 490154203237518", firmware: "1.2", imei: "490154203237518"),
      interface: "wwan0",
      sim: SIMStatus(
        state: .ready, iccid: ICCID("8949000000000000017"), imsi: IMSI("001010123456789"),
        numbers: [PhoneNumber("+447700900123", source: .subscriberReady)]),
      registration: Registration(
        state: .home, technology: .lte, rssi: -73, referenceSignal: ReferenceSignal(rsrp: -98, rsrq: -11, sinr: 7)),
      bearer: BearerStatus(state: bearer, since: Timestamp(milliseconds: 1_700_000_000_500)))
  }

  /// As modemd's part `figures` does it.
  private func set(_ modem: ModemState) {
    registry.update(modem, from: IdleModem(name: "port-\(modem.id)"))
    metrics.note(.changed(modem))
  }

  @Test("a modem's states are read from the registry")
  func states() {
    set(Self.modem(bearer: .up(BearerLifeTests.bearer())))
    #expect(
      lines.isSuperset(of: [
        #"modemd_build_info{version="1.2"} 1"#, "modemd_modems 1",
        #"modemd_modem_info{modem="modem-0123456789abcdef",manufacturer="Maker",model="",firmware="1.2",protocol="mbim",way=""} 1"#,
        #"modemd_modem_fault{modem="modem-0123456789abcdef"} 0"#,
        #"modemd_sim_state{modem="modem-0123456789abcdef",state="ready"} 1"#,
        #"modemd_sim_state{modem="modem-0123456789abcdef",state="absent"} 0"#,
        #"modemd_registration_state{modem="modem-0123456789abcdef",state="home"} 1"#,
        #"modemd_signal_rssi_dbm{modem="modem-0123456789abcdef",technology="lte"} -73"#,
        #"modemd_signal_rsrp_dbm{modem="modem-0123456789abcdef",technology="lte"} -98"#,
        #"modemd_signal_rsrq_db{modem="modem-0123456789abcdef",technology="lte"} -11"#,
        #"modemd_signal_sinr_db{modem="modem-0123456789abcdef",technology="lte"} 7"#,
        #"modemd_bearer_state{modem="modem-0123456789abcdef",state="up"} 1"#,
        #"modemd_bearer_up{modem="modem-0123456789abcdef"} 1"#,
        #"modemd_bearer_up_since_timestamp_seconds{modem="modem-0123456789abcdef"} 1700000000.5"#,
        #"modemd_bearer_ups_total{modem="modem-0123456789abcdef"} 1"#,
      ]))
  }

  @Test("a modem that is taken away keeps its counters alone")
  func removed() {
    set(Self.modem(bearer: .up(BearerLifeTests.bearer())))
    driven.advance(by: .seconds(90))
    let modem = Self.modem()
    registry.remove("port-\(modem.id)")
    metrics.note(.removed(modem))
    let left = lines.filter { $0.contains(#"modem=""#) }
    #expect(
      left == [
        #"modemd_bearer_ups_total{modem="modem-0123456789abcdef"} 1"#,
        #"modemd_bearer_downs_total{modem="modem-0123456789abcdef",cause="removed"} 1"#,
        #"modemd_bearer_up_seconds_total{modem="modem-0123456789abcdef"} 90"#,
      ])
    #expect(lines.contains("modemd_modems 0"))
  }

  @Test("the time of a bearer that is up is counted whenever somebody asks, and once")
  func upSeconds() {
    set(Self.modem(bearer: .up(BearerLifeTests.bearer())))
    for seconds in [10, 20, 30] {
      driven.advance(by: .seconds(10))
      #expect(lines.contains(#"modemd_bearer_up_seconds_total{modem="modem-0123456789abcdef"} \#(seconds)"#))
    }
  }

  @Test("chains and hops are counted by their end, with the parts of a hop")
  func chains() throws {
    metrics.ended(.failed(ChainFailure(.dnsFailed, hop: 1, "there is no host.example")), after: .milliseconds(300))
    metrics.ended(.failed(ChainFailure(.tlsFailed, hop: 1, "host.example has no certificate")), after: .seconds(2))
    metrics.ended(.redirectReached(uri: "https://app.example/?code=1", parameters: [:]), after: .seconds(100))
    metrics.failed(BackendFailure(.tls, "no certificate"))
    metrics.began(afterWaiting: .zero)
    metrics.refused(.tooManyFlows(limit: 1, retryAfter: .seconds(1)))
    metrics.refused(.waitedTooLong(limit: 1))
    metrics.refused(.noModem)
    #expect(
      lines.isSuperset(of: [
        #"modemd_checks_total{result="failed",cause="dnsFailed"} 1"#,
        #"modemd_checks_total{result="redirectReached",cause=""} 1"#,
        #"modemd_dns_failures_total{lane="bearer"} 1"#, #"modemd_tls_failures_total{lane="bearer"} 1"#,
        #"modemd_tls_failures_total{lane="host"} 1"#,
        #"modemd_check_duration_seconds_bucket{result="failed",le="0.25"} 0"#,
        #"modemd_check_duration_seconds_bucket{result="failed",le="0.5"} 1"#,
        #"modemd_check_duration_seconds_bucket{result="redirectReached",le="60.0"} 0"#,
        #"modemd_check_duration_seconds_bucket{result="redirectReached",le="+Inf"} 1"#,
        #"modemd_check_wait_seconds_bucket{le="0.001"} 1"#,
        #"modemd_checks_refused_total{reason="queueFull"} 1"#,
        #"modemd_checks_refused_total{reason="waitedTooLong"} 1"#,
      ]))
    #expect(!text.contains("host.example") && !text.contains("app.example"))
  }

  @Test("flows are counted by method, provider and result; an error and a caller that left are results")
  func flows() {
    let method = "org.modemd.Verify.Number"
    metrics.endedFlow(
      of: method, provider: "shop", kind: "truid", result: .verified, isCancelled: false, after: .seconds(4))
    metrics.endedFlow(of: method, provider: nil, kind: nil, result: nil, isCancelled: true, after: .seconds(1))
    metrics.endedFlow(of: method, provider: nil, kind: nil, result: nil, isCancelled: false, after: .seconds(1))
    #expect(
      lines.isSuperset(of: [
        #"modemd_flows_total{method="org.modemd.Verify.Number",provider="shop",kind="truid",result="verified"} 1"#,
        #"modemd_flows_total{method="org.modemd.Verify.Number",provider="",kind="",result="cancelled"} 1"#,
        #"modemd_flows_total{method="org.modemd.Verify.Number",provider="",kind="",result="error"} 1"#,
        #"modemd_flow_duration_seconds_bucket{method="org.modemd.Verify.Number",provider="shop",le="5.0"} 1"#,
        #"modemd_flow_duration_seconds_count{method="org.modemd.Verify.Number",provider=""} 2"#,
      ]))
  }

  @Test("ports count by their modem's id, not by their own names")
  func ports() {
    metrics.answered(port: "cdc-wdm0", modem: "modem-1")
    metrics.answered(port: "cdc-wdm0", modem: "modem-1")
    metrics.timedOut(port: "cdc-wdm0")
    metrics.timedOut(port: "unknown")
    #expect(
      Set(lines.filter { $0.hasPrefix("modemd_port") }) == [
        #"modemd_port_starts_total{modem="modem-1"} 2"#, #"modemd_port_request_timeouts_total{modem="modem-1"} 1"#,
      ])
  }

  @Test("bytes are sums over all users since the start, by modem and purpose")
  func bytes() {
    ledger.count(sent: 100, received: 1000, of: 1000, modem: "m", purpose: .chains)
    ledger.count(sent: 1, received: 10, of: 1001, modem: "m", purpose: .chains)
    ledger.count(sent: 5, received: 0, of: nil, modem: "m", purpose: .probes)
    #expect(
      Set(lines.filter { $0.contains("_bytes_total") }) == [
        #"modemd_bearer_transmit_bytes_total{modem="m",purpose="chains"} 101"#,
        #"modemd_bearer_receive_bytes_total{modem="m",purpose="chains"} 1010"#,
        #"modemd_bearer_transmit_bytes_total{modem="m",purpose="probes"} 5"#,
        #"modemd_bearer_receive_bytes_total{modem="m",purpose="probes"} 0"#,
      ])
  }

  @Test("budgets are told by their keys; those of people together, without a name")
  func budgets() {
    typealias Entry = ByCaller<BudgetLimits>.Entry
    let day = { (bytes: Int) in BudgetLimits(dayBytes: bytes) }
    ledger.change(
      to: TrafficPolicy(
        budgets: ByCaller(
          general: Entry(key: "usage.budgets.*", value: BudgetLimits(dayBytes: 500, connections: 3)),
          users: [
            1000: Entry(key: "usage.budgets.erika.mustermann", value: day(300)),
            1001: Entry(key: "usage.budgets.4915112345678", value: day(200)),
            34: Entry(key: "usage.budgets.backup", value: day(100)),
          ], groups: [5000: Entry(key: "usage.budgets.@cameras", value: day(400))])))
    for (user, bytes) in [(1000, 30), (1001, 20), (34, 10), (2000, 50), (2001, 40)] as [(UInt32, Int)] {
      ledger.count(sent: bytes, received: 0, of: user, modem: "m", purpose: .chains)
    }
    #expect(
      Set(lines.filter { $0.hasPrefix("modemd_budget") }) == [
        #"modemd_budget_limit_bytes{entry="*",kind="dayBytes"} 500"#,
        #"modemd_budget_used_bytes{entry="*",kind="dayBytes"} 50"#,
        #"modemd_budget_limit_connections{entry="*",kind="connections"} 3"#,
        #"modemd_budget_used_connections{entry="*",kind="connections"} 0"#,
        #"modemd_budget_limit_bytes{entry="@cameras",kind="dayBytes"} 400"#,
        #"modemd_budget_used_bytes{entry="@cameras",kind="dayBytes"} 0"#,
        #"modemd_budget_limit_bytes{entry="backup",kind="dayBytes"} 100"#,
        #"modemd_budget_used_bytes{entry="backup",kind="dayBytes"} 10"#,
        #"modemd_budget_limit_bytes{entry="users",kind="dayBytes"} 200"#,
        #"modemd_budget_used_bytes{entry="users",kind="dayBytes"} 30"#,
      ])
    #expect(!text.contains("erika") && !text.contains("4915112345678"))
  }

  @Test("no identity of SIM, device or user is anywhere, whatever the modem says of itself")
  func nothingPersonal() {
    set(Self.modem(bearer: .up(BearerLifeTests.bearer())))
    for secret in ["490154203237518", "8949000000000000017", "001010123456789", "447700900123", "10.64.0.2"] {
      #expect(!text.contains(secret))
    }
    #expect(ServiceMetrics.ownWord("EM7455") == "EM7455")
    for text in ["490154203237518", "SN 1234567890", "Modell ä", "a\nb", "a\u{0}"] {
      #expect(ServiceMetrics.ownWord(text) == "", "\(text)")
    }
  }

  @Test("more modems than there can be, and any number of flows' names, stay few series")
  func bounds() {
    for number in 0..<200 {
      set(Self.modem("modem-\(number)", bearer: .up(BearerLifeTests.bearer())))
      metrics.answered(port: "p\(number)", modem: "modem-\(number)")
    }
    for number in 0..<2000 {
      metrics.endedFlow(
        of: "org.modemd.Verify.Number", provider: "p\(number)", kind: "truid", result: .verified, isCancelled: false,
        after: .zero)
      ledger.count(sent: 1, received: 1, of: nil, modem: "m\(number)", purpose: .chains)
    }
    let samples = metrics.samples(sources)
    #expect(samples.count < 1700)
    #expect(samples.filter { $0.family.name == "modemd_bearer_state" }.count == 32)
    #expect(samples.contains { $0.family.name == "modemd_metric_series_dropped" && $0.value != .number(0) })
  }

  @Test("the process's own figures have plausible values")
  func process() throws {
    let values = metrics.samples(sources).reduce(into: [String: Double]()) { values, sample in
      if case .number(let number) = sample.value { values[sample.family.name] = number }
    }
    let now = Double(Timestamp.now().milliseconds) / 1000
    #expect(try #require(values["process_cpu_seconds"]) > 0)
    #expect((1e6...1e10).contains(try #require(values["process_resident_memory_bytes"])))
    #expect((3...100_000).contains(try #require(values["process_open_fds"])))
    #expect((now - 24 * 3600...now).contains(try #require(values["process_start_time_seconds"])))
  }
}

@Suite("Docs/metrics.md") struct MetricsPageTests {
  private static let path = String(#filePath).split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  @Test("the page's table is what is declared, in its order")
  func table() throws {
    let page = String(decoding: try Data(contentsOf: URL(filePath: "\(Self.path)/Docs/metrics.md")), as: UTF8.self)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `modemd_") || $0.hasPrefix("| `process_") }
    #expect(rows.map(String.init) == Figures.all.map(Self.row))
  }

  private static func row(_ family: MetricFamily) -> String {
    let labels = (family.labels + (family.kind == .state ? ["state"] : [])).map { "`\($0)`" }.joined(separator: ", ")
    let name = family.name + family.suffix
    return
      "| `\(name)` | \(family.kind.rawValue) | \(labels.isEmpty ? "–" : labels) | \(family.help) | `org.modemd.\(family.camelCaseName(without: "modemd"))` |"
  }

  @Test("names follow the rules of both forms: the unit at the end, no suffix of another kind")
  func names() {
    for family in Figures.all {
      if let unit = family.unit { #expect(family.name.hasSuffix("_\(unit)")) }
      for suffix in ["_total", "_bucket", "_count", "_sum", "_info", "_created"] {
        #expect(!family.name.hasSuffix(suffix))
      }
      #expect(family.name.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == 0x5f })
      #expect(family.help.hasSuffix(".") && !family.help.contains("\""))
      #expect(family.bounds == family.bounds.sorted() && (family.kind == .histogram) == !family.bounds.isEmpty)
    }
    #expect(Set(Figures.all.map(\.name)).count == Figures.all.count)
  }
}
