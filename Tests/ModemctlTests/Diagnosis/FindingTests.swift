import ModemAPI
import ModemModel
import Testing

@testable import ModemctlCommands

@Suite("What is found wrong") struct FindingTests {
  /// What is changed about a machine on which all is well, and what is found then.
  struct Case: Sendable, CustomTestStringConvertible {
    var id: String
    var weight: Finding.Weight
    var change: @Sendable (inout Observations) -> Void
    var testDescription: String { id }

    init(_ id: String, _ weight: Finding.Weight = .wrong, _ change: @escaping @Sendable (inout Observations) -> Void) {
      (self.id, self.weight, self.change) = (id, weight, change)
    }
  }

  private static let unit = "modemd-port@cdc\\x2dwdm0.service"

  /// A machine on which all is well.
  static var well: Observations {
    var seen = Observations()
    seen.version = "1"
    seen.reach = .answers(version: "1")
    seen.units = ["modemd.service", "modemd.socket", unit].map { Observations.Unit(name: $0) }
    seen.ports = [Observations.ControlPort(name: "cdc-wdm0", driver: "cdc_mbim", protocol: "mbim")]
    seen.usb = [
      Observations.USBDevice(
        path: "1-1", id: "1199:9091",
        interfaces: [.init(kind: "020e00", driver: "cdc_mbim"), .init(kind: "0a0002", driver: "cdc_mbim")])
    ]
    seen.knowsModems = true
    var modem = ModemInterface.Modem(.sample())
    modem.sharing = ModemInterface.Sharing(way: .own, reason: "ModemManager does not run")
    modem.software = "modemd-port 1, libmbim 1.28.2"
    var state = ModemState.sample()
    state.bearer = BearerStatus(state: .up(.sample), since: Timestamp(milliseconds: 0))
    var bearer = BearerInterface.Bearer(of: state)
    bearer.guard = .vrf
    bearer.traffic = .answered
    seen.modems = [Observations.Modem(modem: modem, bearer: bearer)]
    seen.processes = [Observations.Process(name: "modemd-port", unit: unit, ports: ["/dev/cdc-wdm0"])]
    seen.rules = [
      .init(priority: 0, text: "from all lookup local"), .init(priority: 770, text: "from all oif wwan0 unreachable"),
      .init(priority: 1000, text: "from all lookup [l3mdev-table]"),
      .init(priority: 7700, text: "from all oif wwan0 lookup 7700007"),
      .init(priority: 32766, text: "from all lookup main"),
    ]
    seen.sysctls = ["ipv4/conf/all/rp_filter": "2", "ipv6/conf/wwan0/accept_ra": "0"]
    seen.modules = ["vrf", "nf_tables"]
    seen.clock = 1_790_000_000
    seen.isClockSynchronised = true
    return seen
  }

  static let cases: [Case] = [
    Case("no-socket") { $0.reach = .missing },
    Case("nobody-listens") { $0.reach = .refused },
    Case("no-answer") { $0.reach = .silent },
    Case("not-in-group") {
      $0.caller = .init(isRoot: false, isMember: false)
      $0.reach = .denied
    },
    Case("not-in-group", .attention) { $0.caller = .init(isRoot: false, isMember: false, isListed: true) },
    Case("no-group", .attention) { $0.caller = .init(isRoot: false, isMember: nil) },
    Case("denied") {
      $0.caller = .init(isRoot: false, isMember: true)
      $0.reach = .denied
    },
    Case("socket-inactive") {
      $0.units[1].active = "inactive"
      $0.reach = .missing
    },
    Case("not-installed") {
      $0.units[1].load = "not-found"
      $0.units[1].active = "inactive"
      $0.reach = .missing
    },
    Case("service-failed") {
      $0.units[0].active = "failed"
      $0.units[0].result = "exit-code"
    },
    Case("service-masked") { $0.units[0].load = "masked" },
    Case("service-restarted", .attention) { $0.units[0].restarts = 3 },
    Case("reload", .attention) { $0.units[2].needsReload = true },
    Case("port-failed") {
      $0.units[2].active = "failed"
      $0.units[2].result = "oom-kill"
    },
    Case("port-restarted", .attention) { $0.units[2].restarts = 1 },
    Case("versions", .attention) { $0.reach = .answers(version: "0.9") },
    Case("versions", .attention) { $0.modems[0].modem.software = "modemd-port 0.9, libmbim 1.28.2" },
    Case("clock") { $0.clock = 1_000_000 },
    Case("clock-free", .attention) { $0.isClockSynchronised = false },
    Case("no-control-port") {
      $0.ports = []
      $0.usb = []
      $0.modems = []
    },
    Case("driver-unbound") {
      $0.ports = []
      $0.usb[0].interfaces = [.init(kind: "020e00", driver: nil)]
      $0.modems = []
    },
    Case("usb-mode") {
      $0.ports = []
      $0.usb[0].interfaces = [.init(kind: "080650", driver: "usb-storage")]
      $0.modems = []
    },
    Case("no-udev-property") { $0.ports[0].protocol = nil },
    Case("ignored", .note) { $0.ports[0].isIgnored = true },
    Case("other-driver", .note) { $0.ports.append(.init(name: "cdc-wdm1", driver: "huawei_cdc_ncm")) },
    Case("port-not-started") { $0.units.removeLast() },
    Case("no-modem") { $0.modems = [] },
    Case("raw-ip") {
      $0.rawIP = ["wwan0": "N"]
      $0.modems[0].bearer?.traffic = .untested
    },
    Case("left-alone") {
      $0.modems[0].modem.fault = .init(
        cause: "was ended 5 times, so the modem is left alone", since: "2026-01-01T00:00:00Z")
    },
    Case("fault") { $0.modems[0].modem.fault = .init(cause: "no answer", since: "2026-01-01T00:00:00Z") },
    Case("sim-absent") { $0.modems[0].modem.sim.state = .absent },
    Case("sim-locked") { $0.modems[0].modem.sim.state = .pinRequired },
    Case("sim-blocked") { $0.modems[0].modem.sim.state = .pukRequired },
    Case("sim-not-activated") { $0.modems[0].modem.sim.state = .notActivated },
    Case("sim-failed") { $0.modems[0].modem.sim.state = .failed },
    Case("registration-denied") { $0.modems[0].modem.registration.state = .denied },
    Case("not-registered") { $0.modems[0].modem.registration.state = .searching },
    Case("bearer-failed") {
      $0.modems[0].bearer?.state = .failed
      $0.modems[0].bearer?.cause = .init(code: 33, text: "not subscribed")
    },
    Case("silent") { $0.modems[0].bearer?.traffic = .silent },
    Case("no-guard") { $0.modems[0].bearer?.guard = .some(.none) },
    Case("guard-gap", .attention) { $0.modems[0].bearer?.guardText = "multicast" },
    Case("portal") { $0.failedChecks = ["possibleCaptivePortal"] },
    Case("tls", .attention) { $0.failedChecks = ["tlsFailed"] },
    Case("port-held") {
      $0.processes.append(.init(name: "ModemManager", unit: "ModemManager.service", ports: ["/dev/cdc-wdm0"]))
    },
    Case("port-held") { $0.processes.append(.init(name: "cat", unit: "session-1.scope", ports: ["/dev/cdc-wdm0"])) },
    Case("no-proxy") {
      $0.units.append(.init(name: "ModemManager.service"))
      $0.hasMBIMProxy = false
    },
    Case("proxy-unit", .attention) { $0.processes.append(.init(name: "mbim-proxy", unit: "ModemManager.service")) },
    Case("follow", .note) {
      $0.modems[0].modem.sharing?.way = .follow
      $0.modems[0].bearer?.state = .down
    },
    Case("networkmanager") { $0.networkManager = ["wwan0": "connected"] },
    Case("networkd") { $0.networkd = ["wwan0": "configured"] },
    Case("networkd-foreign", .attention) {
      $0.units.append(.init(name: "systemd-networkd.service"))
      $0.networkdTakes = ["ManageForeignRoutingPolicyRules"]
    },
    Case("rp-filter") {
      $0.sysctls["ipv4/conf/all/rp_filter"] = "1"
      $0.modems[0].bearer?.guard = .nftables
    },
    Case("accept-ra", .attention) { $0.sysctls["ipv6/conf/wwan0/accept_ra"] = "2" },
    Case("earlier-rule", .attention) { $0.rules.append(.init(priority: 270, text: "from all lookup 52")) },
    Case("kernel-vrf", .attention) { $0.modules = ["nf_tables"] },
    Case("kernel-vrf") { $0.modules = [] },
    Case("kernel-nf-tables", .attention) { $0.modules = ["vrf"] },
    Case("memory", .attention) { $0.journal = "kernel: Out of memory: Killed process" },
  ]

  @Test("Where all is well nothing is found") func nothing() { #expect(Findings.all(of: Self.well) == []) }

  @Test("What could not be read makes no finding") func unread() {
    #expect(Findings.all(of: Observations()).map(\.id) == ["no-control-port"])
  }

  @Test("Each fault is found, and says what was seen, why it matters and what to do", arguments: cases)
  func found(example: Case) throws {
    var seen = Self.well
    example.change(&seen)
    let found = Findings.all(of: seen)
    let finding = try #require(found.first { $0.id == example.id }, "found \(found.map(\.id))")
    #expect(finding.weight == example.weight)
    for words in [finding.seen, finding.why, finding.next] { #expect(words.count > 10 && words.first != " ") }
  }

  @Test(
    "What looks like a fault and is none",
    arguments: [
      Case("socket-inactive") {
        // Run by hand, beside an installation that is switched off.
        $0.units[1].active = "inactive"
      },
      Case("rp-filter") {
        $0.sysctls["ipv4/conf/all/rp_filter"] = "1"
        $0.modems[0].bearer?.guard = .nftables
        $0.rules.append(.init(priority: 7701, text: "from 10.64.0.2 lookup 7700007"))
      },
      Case("networkmanager") {
        $0.networkManager = ["wwan0": "connected"]
        $0.modems[0].modem.sharing?.way = .follow
      },
      Case("networkmanager") { $0.networkManager = ["wwan0": "unmanaged"] },
      Case("earlier-rule") { $0.rules.append(.init(priority: 5270, text: "from all lookup 52")) },
      Case("earlier-rule") { $0.rules.append(.init(priority: 90, text: "from all fwmark 0x1 lookup 52")) },
      Case("not-registered") {
        $0.modems[0].modem.sim.state = .absent
        $0.modems[0].modem.registration.state = .deregistered
      },
      Case("proxy-unit") { $0.processes.append(.init(name: "mbim-proxy", unit: "modemd-mbim-proxy.service")) },
      Case("raw-ip") { $0.rawIP = ["wwan0": "N"] },
      Case("port-not-started") {
        // The other port of the same modem is served.
        $0.ports.append(.init(name: "cdc-wdm1", driver: "cdc_mbim", protocol: "mbim"))
      },
    ])
  func notFound(example: Case) {
    var seen = Self.well
    example.change(&seen)
    #expect(!Findings.all(of: seen).contains { $0.id == example.id })
  }

  @Test("The worst comes first") func order() {
    var seen = Self.well
    seen.isClockSynchronised = false
    seen.modems[0].modem.sim.state = .absent
    #expect(Findings.all(of: seen).map(\.weight) == [.wrong, .attention])
  }

  @Test("What systemctl and ip print is taken apart") func outputs() {
    let units = UnitStates.parse(
      "Id=modemd.service\nLoadState=loaded\nActiveState=failed\nSubState=failed\nResult=exit-code\nNRestarts=2\nNeedDaemonReload=yes\n"
        + "Environment=MODEMD_OPTIONS=--configuration /etc/modemd/modemd.json --log-level debug\n\nLoadState=loaded\n\n"
        + "Id=modemd.socket\nActiveState=active\n")
    #expect(units.map(\.unit.name) == ["modemd.service", "modemd.socket"])
    #expect(units.first?.unit.result == "exit-code" && units.first?.unit.restarts == 2)
    #expect(units.first?.unit.needsReload == true)
    #expect(
      UnitStates.option("--configuration", in: units.first?.fields["Environment"] ?? "") == ["/etc/modemd/modemd.json"])
    #expect(
      RuleList.parse("0:\tfrom all lookup local\nnonsense\n7700:\tfrom all oif wwan0 lookup 7700007\n")
        == [
          .init(priority: 0, text: "from all lookup local"),
          .init(priority: 7700, text: "from all oif wwan0 lookup 7700007"),
        ])
  }
}
