import FoundationEssentials
import ModemModel
import Testing

@testable import ModemSimulator

/// The unmodified `mbimcli` against the simulator.
@Suite(.enabled(if: Tool.mbimcli.isInstalled, "mbimcli is not installed"), .timeLimit(.minutes(1)))
struct MBIMCLITests {
  private static func mbimcli(
    _ arguments: [String], on configuration: SimulatedModemConfiguration = SimulatedModemConfiguration()
  ) throws -> Tool.Result {
    let modem = SimulatedModem(configuration)
    defer { modem.unplug() }
    return Tool.mbimcli.run(["-d", try modem.plugIn()] + arguments)
  }

  @Test(
    "a query prints what the modem is made of",
    arguments: [
      ("--query-device-caps", ["Device ID: '004999010640000'", "Firmware info: 'SM1_1.0.0'", "Max sessions: '2'"]),
      (
        "--query-subscriber-ready-status",
        [
          "Ready state: 'initialized'", "Subscriber ID: '234150000000001'", "SIM ICCID: '8944100000000000015'",
          "Telephone numbers: (1) '+447700900123'",
        ]
      ),
      ("--query-home-provider", ["Provider ID: '23415'", "Provider name: 'Simulated Mobile'", "State: 'home'"]),
      ("--query-registration-state", ["Register state: 'home'", "Provider ID: '23415'", "Network error: 'none'"]),
      ("--query-signal-state", ["RSSI [0-31,99]: '21'", "Error rate [0-7,99]: '99'"]),
      ("--query-packet-service-state", ["Packet service state: 'attached'", "Available data classes: 'lte'"]),
      ("--query-radio-state", ["Hardware radio state: 'on'", "Software radio state: 'on'"]),
      ("--query-pin-state", ["PIN state: 'unlocked'"]),
      ("--query-pin-list", ["PIN1:", "Mode: 'disabled'", "Format: 'numeric'", "Min length: '4'", "Max length: '8'"]),
      ("--query-connection-state", ["Activation state: 'deactivated'"]),
      ("--query-provisioned-contexts", ["Provisioned contexts (0)"]),
      ("--query-device-services", ["Service: 'basic-connect'", "Service: 'qmi'"]),
      ("--query-packet-statistics", ["Octets (in): '0'"]),
    ])
  func query(option: String, expected: [String]) throws {
    let result = try Self.mbimcli([option])
    #expect(result.status == 0, "\(result.output)")
    for line in expected { #expect(result.output.contains(line), "\(result.output)") }
  }

  @Test(
    "the extensions' signal state has the same values as QMI's",
    arguments: [
      (ExtensionsVersion.v2, Registration.Technology.lte, ["'lte'"]), (.v3, .lte, ["'lte'"]),
      (.v2, .nr, ["'5g-sa'"]), (.v3, .nr, ["'5g-nsa'"]), (.v3, .nrNonStandalone, ["'5g-nsa'", "'lte'"]),
    ])
  func measurements(version: ExtensionsVersion, technology: Registration.Technology, systems: [String]) throws {
    var configuration = SimulatedModemConfiguration()
    configuration.mbimExtensions = version
    configuration.network.technology = technology
    let open = "--device-open-ms-mbimex-v\(version == .v2 ? 2 : 3)"
    let result = try Self.mbimcli([open, "--query-signal-state"], on: configuration)
    #expect(result.status == 0, "\(result.output)")
    let cells = result.output.components(separatedBy: "RSRP/SNR info: ").dropFirst()
    #expect(cells.count == systems.count, "\(result.output)")
    for (cell, system) in zip(cells, systems) { #expect(cell.hasPrefix(system), "\(result.output)") }
    for line in ["RSRP: '-99 dBm'", "SNR: '13.0 dB'"] {
      #expect(cells.last?.contains(line) == true, "\(result.output)")
    }
  }

  @Test(
    "a command that sets is carried out",
    arguments: [
      ("--detach-packet-service", ["Packet service state: 'detached'"]),
      ("--set-radio-state=off", ["Software radio state: 'off'"]),
      ("--register-automatic", ["Register state: 'home'", "Register mode: 'automatic'"]),
      ("--enable-pin=0000", ["PIN state: 'unlocked'"]),
      ("--query-ip-packet-filters=0", ["IP packet filters"]),
      (
        "--ms-query-uicc-read-binary=application-id=A0000000871002,file-path=3F007FFF6FAD,read-offset=0,read-size=0",
        ["Status word 1: 144", "00:00:00:02"]
      ),
      (
        "--ms-query-uicc-read-record=application-id=A0000000871002,file-path=3F007FFF6F40,record-number=1",
        ["Status word 1: 144", "07:91:44:77:00:09:10:32"]
      ),
    ])
  func command(option: String, expected: [String]) throws {
    let result = try Self.mbimcli([option])
    #expect(result.status == 0, "\(result.output)")
    for line in expected { #expect(result.output.contains(line), "\(result.output)") }
  }

  @Test("connect prints the addresses that the network hands out")
  func connect() throws {
    let result = try Self.mbimcli(["--connect=session-id=0,apn=internet,ip-type=ipv4v6"])
    #expect(result.status == 0, "\(result.output)")
    let expected = [
      "Activation state: 'activated'", "IP type: 'ipv4v6'", "IP [0]: '10.64.0.2/30'", "Gateway: '10.64.0.1'",
      "DNS [0]: '10.64.0.1'", "IP [0]: '2001:db8:64::2/64'", "DNS [0]: '2001:db8:64::1'", "MTU: '1500'",
    ]
    for line in expected { #expect(result.output.contains(line), "\(result.output)") }
  }

  @Test("a session lives on between two hosts that do not close the device")
  func sessionAcrossHosts() throws {
    let modem = SimulatedModem()
    defer { modem.unplug() }
    let path = try modem.plugIn()
    let first = Tool.mbimcli.run(["-d", path, "--no-close", "--connect=apn=internet,ip-type=ipv4"])
    #expect(first.status == 0, "\(first.output)")
    #expect(modem.snapshot.bearers.map(\.ipv4) == [SimulatedBearer().ipv4])
    #expect(modem.snapshot.bearers.map(\.ipv6) == [nil])
    let second = Tool.mbimcli.run(["-d", path, "--no-open=20", "--no-close", "--query-ip-configuration"])
    #expect(second.status == 0, "\(second.output)")
    #expect(second.output.contains("IP [0]: '10.64.0.2/30'"), "\(second.output)")
    let third = Tool.mbimcli.run(["-d", path, "--no-open=40", "--disconnect=0"])
    #expect(third.status == 0, "\(third.output)")
    #expect(modem.snapshot.bearers.isEmpty)
  }

  @Test("a SIM with a PIN counts wrong ones down and opens for the right one")
  func pin() throws {
    var configuration = SimulatedModemConfiguration()
    configuration.sim?.pin = "2468"
    let modem = SimulatedModem(configuration)
    defer { modem.unplug() }
    let path = try modem.plugIn()
    let locked = Tool.mbimcli.run(["-d", path, "--query-subscriber-ready-status"])
    #expect(locked.output.contains("Ready state: 'device-locked'"), "\(locked.output)")
    let wrong = Tool.mbimcli.run(["-d", path, "--enter-pin=1111"])
    #expect(wrong.status != 0)
    #expect(modem.snapshot.pinAttempts == 2)
    let right = Tool.mbimcli.run(["-d", path, "--enter-pin=2468"])
    #expect(right.status == 0, "\(right.output)")
    let open = Tool.mbimcli.run(["-d", path, "--query-subscriber-ready-status"])
    #expect(open.output.contains("Ready state: 'initialized'"), "\(open.output)")
  }

  @Test("a refused connection carries the network's cause")
  func refused() throws {
    var configuration = SimulatedModemConfiguration()
    configuration.faults = [SimulatedFault(on: .connect, .refuse(cause: 33))]
    let result = try Self.mbimcli(["--connect=apn=internet"], on: configuration)
    #expect(result.status != 0)
    #expect(result.output.contains("Failure"), "\(result.output)")
  }

  @Test("QMI goes through the MBIM port too", .enabled(if: Tool.qmicli.isInstalled, "qmicli is not installed"))
  func qmiOverMBIM() throws {
    let modem = SimulatedModem()
    defer { modem.unplug() }
    let path = try modem.plugIn()
    let result = Tool.qmicli.run(["-d", path, "--device-open-mbim", "--dms-get-msisdn"])
    #expect(result.output.contains("MSISDN: '+447700900123'"), "\(result.output)")
  }
}
