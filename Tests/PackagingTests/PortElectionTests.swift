import ClockTestSupport
import Glibc
import ModemPort
import Testing

/// One control port in a folder made to look like sysfs.
enum FakePort: Sendable {
  /// An interface of USB device `1-1`; `port` is nil where it has no control port.
  case usb(number: String, driver: String?, classes: String = "ffff", port: String?)
  case wwan(port: String, type: String)
}

struct FakeSysfs {
  let path: String

  init(_ path: String, _ ports: [FakePort]) {
    self.path = path
    File.makeFolder(path + "/class/usbmisc")
    File.makeFolder(path + "/class/wwan")
    for port in ports { add(port) }
  }

  func add(_ port: FakePort) {
    switch port {
    case .usb(let number, let driver, let classes, let name): addUSB(number, driver, classes, name)
    case .wwan(let name, let type): addWWAN(name, type)
    }
  }

  private func addUSB(_ number: String, _ driver: String?, _ classes: String, _ name: String?) {
    let interface = "\(path)/devices/usb1/1-1/1-1:1.\(Int(number, radix: 16) ?? 0)"
    File.makeFolder(interface)
    File.write(number + "\n", to: interface + "/bInterfaceNumber")
    File.write(classes.prefix(2) + "\n", to: interface + "/bInterfaceClass")
    File.write(classes.suffix(2) + "\n", to: interface + "/bInterfaceSubClass")
    if let driver {
      File.makeFolder("\(path)/bus/usb/drivers/\(driver)")
      symlink("\(path)/bus/usb/drivers/\(driver)", interface + "/driver")
    }
    if let name {
      File.makeFolder("\(interface)/usbmisc/\(name)")
      symlink(interface, "\(interface)/usbmisc/\(name)/device")
      symlink("\(interface)/usbmisc/\(name)", "\(path)/class/usbmisc/\(name)")
    }
  }

  private func addWWAN(_ name: String, _ type: String) {
    let port = "\(path)/devices/pci0/wwan/wwan0/\(name)"
    File.makeFolder(port)
    File.write(type + "\n", to: port + "/type")
    symlink(port, "\(path)/class/wwan/\(name)")
  }
}

@Suite("Which control port of a modem is served", .timeLimit(.minutes(1)))
struct PortElectionTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let ports: [FakePort]
    /// For each port asked: 0 is served, 1 left to another, 2 no control port.
    let expected: [String: Int32]
  }

  static let rows = [
    Row(
      testDescription: "one MBIM port",
      ports: [.usb(number: "00", driver: "cdc_mbim", classes: "020e", port: "cdc-wdm0")],
      expected: ["cdc-wdm0": 0, "cdc-wdm1": 2]),
    Row(
      testDescription: "one QMI port among serial ports",
      ports: [
        .usb(number: "00", driver: "option", port: nil), .usb(number: "08", driver: "qmi_wwan", port: "cdc-wdm0"),
      ],
      expected: ["cdc-wdm0": 0]),
    Row(
      testDescription: "QMI before MBIM by number: MBIM is served all the same",
      ports: [
        .usb(number: "08", driver: "qmi_wwan", port: "cdc-wdm0"),
        .usb(number: "0c", driver: "cdc_mbim", classes: "020e", port: "cdc-wdm1"),
      ],
      expected: ["cdc-wdm0": 1, "cdc-wdm1": 0]),
    Row(
      testDescription: "an MBIM function whose driver is not bound yet",
      ports: [
        .usb(number: "08", driver: "qmi_wwan", port: "cdc-wdm0"),
        .usb(number: "0c", driver: nil, classes: "020e", port: nil),
      ],
      expected: ["cdc-wdm0": 1]),
    Row(
      testDescription: "two QMI ports: the lower interface number, hexadecimal",
      ports: [
        .usb(number: "0a", driver: "qmi_wwan", port: "cdc-wdm1"),
        .usb(number: "08", driver: "qmi_wwan", port: "cdc-wdm0"),
      ],
      expected: ["cdc-wdm0": 0, "cdc-wdm1": 1]),
    Row(
      testDescription: "a cdc-wdm that speaks AT",
      ports: [.usb(number: "01", driver: "huawei_cdc_ncm", port: "cdc-wdm0")],
      expected: ["cdc-wdm0": 2]),
    Row(
      testDescription: "WWAN class: MBIM before QMI, lower numbers first, other types do not count",
      ports: [
        .wwan(port: "wwan0at0", type: "AT"), .wwan(port: "wwan0qmi0", type: "QMI"),
        .wwan(port: "wwan0mbim1", type: "MBIM"), .wwan(port: "wwan0mbim0", type: "MBIM"),
      ],
      expected: ["wwan0mbim0": 0, "wwan0mbim1": 1, "wwan0qmi0": 1, "wwan0at0": 2]),
    Row(
      testDescription: "WWAN class: ports of an XMM 7560 and of an FM350",
      ports: [
        .wwan(port: "wwan0at0", type: "AT"), .wwan(port: "wwan0xmmrpc0", type: "XMMRPC"),
        .wwan(port: "wwan0fastboot0", type: "FASTBOOT"), .wwan(port: "wwan0mbim0", type: "MBIM"),
      ],
      expected: ["wwan0mbim0": 0, "wwan0xmmrpc0": 2, "wwan0fastboot0": 2, "wwan0mbim1": 2]),
    Row(
      testDescription: "WWAN class: an SDX module that has all of Qualcomm's ports",
      ports: [
        .wwan(port: "wwan0firehose0", type: "FIREHOSE"), .wwan(port: "wwan0qcdm0", type: "QCDM"),
        .wwan(port: "wwan0qmi0", type: "QMI"), .wwan(port: "wwan0mbim0", type: "MBIM"),
      ],
      expected: ["wwan0mbim0": 0, "wwan0qmi0": 1, "wwan0qcdm0": 2, "wwan0firehose0": 2]),
    Row(
      testDescription: "WWAN class: QMI alone, numbers compared as numbers",
      ports: [.wwan(port: "wwan0qmi10", type: "QMI"), .wwan(port: "wwan0qmi9", type: "QMI")],
      expected: ["wwan0qmi9": 0, "wwan0qmi10": 1]),
  ]

  @Test("one port of a modem wins", arguments: rows)
  func election(_ row: Row) async throws {
    try await Scratch.with { scratch in
      let sysfs = FakeSysfs(scratch.path + "/sys", row.ports)
      for (port, status) in row.expected.sorted(by: { $0.key < $1.key }) {
        let outcome = PortElection(of: port, sysfs: sysfs.path).outcome()
        #expect(Self.status(outcome) == status, "\(port): \(outcome)")
      }
    }
  }

  private static func status(_ outcome: PortElection.Outcome) -> Int32 {
    switch outcome {
    case .served: 0
    case .left: 1
    case .noControlPort: 2
    }
  }

  @Test("a QMI port of the WWAN class waits for an MBIM port that may follow, and says to which it yields")
  func later() async throws {
    try await Scratch.with { scratch in
      let sysfs = FakeSysfs(scratch.path + "/sys", [.wwan(port: "wwan0qmi0", type: "QMI")])
      #expect(PortElection(of: "wwan0qmi0", sysfs: sysfs.path).outcome() == .served(mayChange: true))
      let facts = ControlPortFacts(of: "/dev/wwan0qmi0", sysfs: sysfs.path)
      let time = DrivenClock()
      async let reason = facts.reasonToLeave(sysfs: sysfs.path, clock: time.clock)
      await time.asleep()
      sysfs.add(.wwan(port: "wwan0mbim0", type: "MBIM"))
      time.advance(by: PortElection.patience)
      #expect(await reason == "wwan0qmi0 is left alone: wwan0mbim0 of the same modem is served")
      #expect(PortElection(of: "wwan0mbim0", sysfs: sysfs.path).outcome() == .served(mayChange: false))
    }
  }
}
