import FoundationEssentials
import ModemModel
import Testing

@testable import ModemSimulator

/// The unmodified `qmicli` against the simulator.
@Suite(.enabled(if: Tool.qmicli.isInstalled, "qmicli is not installed"), .timeLimit(.minutes(1)))
struct QMICLITests {
  private static var qmi: SimulatedModemConfiguration {
    var configuration = SimulatedModemConfiguration()
    configuration.controlProtocol = .qmi
    return configuration
  }

  private static func qmicli(_ path: String, _ arguments: [String]) -> Tool.Result {
    Tool.qmicli.run(["-d", path, "--device-open-qmi"] + arguments)
  }

  @Test(
    "a query prints what the modem is made of",
    arguments: [
      ("--dms-get-msisdn", ["MSISDN: '+447700900123'"]),
      ("--dms-get-ids", ["IMEI: '004999010640000'"]),
      ("--dms-get-manufacturer", ["Manufacturer: 'Simulated'"]),
      ("--dms-get-model", ["Model: 'SM1'"]),
      ("--dms-get-revision", ["Revision: 'SM1_1.0.0'"]),
      ("--dms-get-capabilities", ["SIM: 'supported'", "Networks: 'gsm, umts, lte, 5gnr'"]),
      ("--dms-get-operating-mode", ["Mode: 'online'"]),
      ("--nas-get-home-network", ["MCC: '234'", "MNC: '15'", "Description: 'Simulated Mobile'"]),
      (
        "--nas-get-serving-system",
        ["Registration state: 'registered'", "PS: 'attached'", "MCC: '234'", "MNC: '15'", "Roaming status: 'off'"]
      ),
      ("--nas-get-system-info", ["LTE service:", "Status: 'available'", "MCC: '234'", "MNC: '15'"]),
      (
        "--nas-get-signal-info",
        ["RSSI: '-71 dBm'", "RSRQ: '-11 dB'", "RSRP: '-99 dBm'", "SNR: '13.0 dB'"]
      ),
      ("--nas-get-signal-strength", ["Network 'lte': '-71 dBm'"]),
      ("--uim-get-card-status", ["Card state: 'present'", "Application state: 'ready'", "PIN1 state: 'disabled'"]),
      ("--uim-read-transparent=0x3F00,0x2FE2", ["98:44:01:00:00:00:00:00:10:F5"]),
      ("--uim-read-transparent=0x3F00,0x7FFF,0x6F07", ["08:29:43:51:00:00:00:00:10"]),
      ("--uim-read-transparent=0x3F00,0x7FFF,0x6FAD", ["00:00:00:02"]),
      ("--uim-get-file-attributes=0x3F00,0x7FFF,0x6F40", ["File type: linear-fixed", "File size: 28"]),
      ("--wda-get-data-format", ["Link layer protocol: 'raw-ip'"]),
      ("--wds-get-packet-service-status", ["Connection status: 'disconnected'"]),
      ("--wds-get-profile-list=3gpp", ["[1] 3gpp"]),
      ("--wds-set-ip-family=6", []),
      ("--nas-noop", []),
      ("--get-service-version-info", ["wds", "uim (1.46)"]),
    ])
  func query(option: String, expected: [String]) throws {
    let modem = SimulatedModem(Self.qmi)
    defer { modem.unplug() }
    let result = Self.qmicli(try modem.plugIn(), [option])
    #expect(result.status == 0, "\(result.output)")
    for line in expected { #expect(result.output.contains(line), "\(result.output)") }
    #expect(modem.snapshot.clientIDs.isEmpty)
  }

  @Test("with 5G beside LTE both cells are measured", arguments: [Registration.Technology.nrNonStandalone, .nr])
  func cells(technology: Registration.Technology) throws {
    var configuration = Self.qmi
    configuration.network.technology = technology
    configuration.network.referenceSignal = ReferenceSignal(rsrp: -104, rsrq: -14, sinr: -2)
    let modem = SimulatedModem(configuration)
    defer { modem.unplug() }
    let output = Self.qmicli(try modem.plugIn(), ["--nas-get-signal-info"]).output
    let cells = output.components(separatedBy: "5G:")
    try #require(cells.count == 2, "\(output)")
    let serving = technology == .nr ? cells[1] : cells[0]
    for line in ["RSRP: '-104 dBm'", "RSRQ: '-14 dB'", "SNR: '-2.0 dB'"] {
      #expect(serving.contains(line), "\(output)")
    }
    #expect(cells[0].contains("LTE:") == (technology == .nrNonStandalone))
    if technology == .nrNonStandalone { #expect(cells[1].contains("RSRP: '-113 dBm'"), "\(output)") }
  }

  @Test("a call lives as long as the client id that started it", arguments: [4, 6])
  func call(family: Int) throws {
    let modem = SimulatedModem(Self.qmi)
    defer { modem.unplug() }
    let path = try modem.plugIn()
    let start = Self.qmicli(path, ["--wds-start-network=apn=internet,ip-type=\(family)", "--client-no-release-cid"])
    #expect(start.status == 0, "\(start.output)")
    #expect(modem.snapshot.clientIDs == [1: [1]])
    #expect(modem.snapshot.bearers.count == 1)
    let settings = Self.qmicli(path, ["--wds-get-current-settings", "--client-cid=1", "--client-no-release-cid"])
    #expect(settings.status == 0, "\(settings.output)")
    let expected =
      family == 4
      ? ["IPv4 address: 10.64.0.2", "mask: 255.255.255.252", "gateway address: 10.64.0.1", "DNS: 10.64.0.1", "1500"]
      : ["IPv6 address: 2001:db8:64::2/64", "gateway address: 2001:db8:64::1/64", "DNS: 2001:db8:64::1", "1500"]
    for line in expected { #expect(settings.output.contains(line), "\(settings.output)") }
    let end = Self.qmicli(path, ["--wds-get-packet-service-status", "--client-cid=1"])
    #expect(end.output.contains("'connected'"), "\(end.output)")
    #expect(modem.snapshot.bearers.isEmpty)
  }

  @Test("a refused call says why in both ways")
  func refused() throws {
    var configuration = Self.qmi
    configuration.faults = [SimulatedFault(on: .connect, .refuse(cause: 33))]
    let modem = SimulatedModem(configuration)
    defer { modem.unplug() }
    let result = Self.qmicli(try modem.plugIn(), ["--wds-start-network=apn=internet"])
    #expect(result.status != 0)
    for line in ["CallFailed", "(1018)", "[3gpp]"] { #expect(result.output.contains(line), "\(result.output)") }
  }

  @Test("a SIM with a PIN counts wrong ones down and opens for the right one")
  func pin() throws {
    var configuration = Self.qmi
    configuration.sim?.pin = "2468"
    let modem = SimulatedModem(configuration)
    defer { modem.unplug() }
    let path = try modem.plugIn()
    let locked = Self.qmicli(path, ["--uim-get-card-status"])
    #expect(locked.output.contains("PIN1 state: 'enabled-not-verified'"), "\(locked.output)")
    let wrong = Self.qmicli(path, ["--uim-verify-pin=PIN1,1111"])
    #expect(wrong.output.contains("IncorrectPin"), "\(wrong.output)")
    #expect(wrong.output.contains("Verify retries left: '2'") || modem.snapshot.pinAttempts == 2)
    let right = Self.qmicli(path, ["--uim-verify-pin=PIN1,2468"])
    #expect(right.status == 0, "\(right.output)")
    let open = Self.qmicli(path, ["--nas-get-serving-system"])
    #expect(open.output.contains("'registered'"), "\(open.output)")
  }

  @Test("client ids run out, and a sync gives them back")
  func clientIDs() throws {
    var configuration = Self.qmi
    configuration.clientIDsPerService = 2
    let modem = SimulatedModem(configuration)
    defer { modem.unplug() }
    let path = try modem.plugIn()
    for _ in 0..<2 { _ = Self.qmicli(path, ["--dms-noop", "--client-no-release-cid"]) }
    #expect(modem.snapshot.clientIDs == [2: [1, 2]])
    let exhausted = Self.qmicli(path, ["--dms-noop"])
    #expect(exhausted.output.contains("ClientIdsExhausted"), "\(exhausted.output)")
    let synchronised = Self.qmicli(path, ["--device-open-sync", "--dms-get-model"])
    #expect(synchronised.status == 0, "\(synchronised.output)")
    #expect(modem.snapshot.clientIDs.isEmpty)
  }
}
