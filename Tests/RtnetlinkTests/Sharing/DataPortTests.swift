import ModemModel
import Rtnetlink
import Testing

@testable import BearerNetworking

/// Which interface belongs to a control port and how sessions are carried on it, in trees as the
/// kernel lays them out for modules that are for sale.
@Suite struct DataPortTests {
  /// A thing in sysfs.
  enum Entry: Sendable {
    case usb(path: String, driver: String, control: String, interface: String?)
    case pci(path: String, driver: String)
    /// The WWAN class device of a parent, with its ports by type.
    case wwan(String, parent: String, ports: [(name: String, type: String)])
    /// A network interface of a device.
    case net(String, device: String, index: Int = 5, attributes: [String: String] = [:])
    /// A device with its driver.
    case device(String, driver: String)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var kind = ModemProtocol.mbim
    let port: String
    var named: String?
    let entries: [Entry]
    let interface: String?
    let driver: DataPort.Driver
    let link: SessionLink?
    var first: Int?
    var last = 254
    var aggregation = Aggregation.whereInsisted
    var endpoint: DataEndpoint?
  }

  private static let usb = "devices/pci0000:00/0000:00:14.0/usb2/2-3/2-3:1"
  private static let pci = "devices/pci0000:00/0000:00:1c.0/0000:01:00.0"

  static let rows = [
    Row(
      testDescription: "EM7455 and others over USB in MBIM mode", port: "cdc-wdm0",
      entries: [.usb(path: "\(usb).12", driver: "cdc_mbim", control: "cdc-wdm0", interface: "wwan0")],
      interface: "wwan0", driver: .cdcMBIM, link: .vlan),
    Row(
      testDescription: "RM500Q, EC25 and others over USB in QMI mode", kind: .qmi, port: "cdc-wdm0",
      entries: [.usb(path: "\(usb).4", driver: "qmi_wwan", control: "cdc-wdm0", interface: "wwan0")],
      interface: "wwan0", driver: .qmiWWAN, link: .qmimux),
    Row(
      testDescription: "the same with pass_through for rmnet", kind: .qmi, port: "cdc-wdm0",
      entries: [
        .usb(path: "\(usb).4", driver: "qmi_wwan", control: "cdc-wdm0", interface: nil),
        .net("wwan0", device: "\(usb).4", attributes: ["qmi/pass_through": "Y"]),
      ],
      interface: "wwan0", driver: .qmiWWAN, link: .rmnet),
    Row(
      testDescription: "a USB modem whose driver has no interface yet", port: "cdc-wdm0",
      entries: [.usb(path: "\(usb).12", driver: "cdc_mbim", control: "cdc-wdm0", interface: nil)],
      interface: nil, driver: .none, link: .vlan),
    Row(
      testDescription: "two modems over USB", port: "cdc-wdm1",
      entries: [
        .usb(path: "\(usb).12", driver: "cdc_mbim", control: "cdc-wdm0", interface: "wwan0"),
        .usb(path: "devices/pci0000:00/usb3/3-1/3-1:1.0", driver: "cdc_mbim", control: "cdc-wdm1", interface: "wwan1"),
      ],
      interface: "wwan1", driver: .cdcMBIM, link: .vlan),
    Row(
      testDescription: "EM9191 and others on PCIe in MBIM mode: the kernel has made the link of session 0",
      port: "wwan0mbim0",
      entries: [
        .pci(path: pci, driver: "mhi-pci-generic"),
        .wwan("wwan0", parent: "\(pci)/mhi0", ports: [("wwan0at0", "AT"), ("wwan0mbim0", "MBIM")]),
        .net("wwan0", device: "\(pci)/mhi0/wwan/wwan0"),
      ],
      interface: "wwan0", driver: .wwan(device: "wwan0", by: nil), link: .wwan(device: "wwan0"), first: 0),
    Row(
      testDescription: "the same with links to be made", port: "wwan0mbim0",
      entries: [
        .pci(path: pci, driver: "mhi-pci-generic"),
        .wwan("wwan0", parent: "\(pci)/mhi0", ports: [("wwan0mbim0", "MBIM")]),
      ],
      interface: "wwan0.0", driver: .wwan(device: "wwan0", by: nil), link: .wwan(device: "wwan0"), first: 0),
    Row(
      testDescription: "the same with a link that a killed run has left, and one of somebody's", port: "wwan0mbim0",
      entries: [
        .wwan("wwan0", parent: "\(pci)/mhi0", ports: [("wwan0mbim0", "MBIM")]),
        .net(
          "wwan0.0", device: "\(pci)/mhi0/wwan/wwan0", index: 3,
          attributes: ["ifalias": "modemd session 0 of device wwan0 modemd was: up=0 mtu=1500"]),
        .net("wwan7", device: "\(pci)/mhi0/wwan/wwan0", index: 10),
      ],
      interface: "wwan7", driver: .wwan(device: "wwan0", by: nil), link: .wwan(device: "wwan0"), first: 0),
    Row(
      testDescription: "XMM 7360 and 7560 (iosm): eight sessions", port: "wwan0mbim0",
      entries: [
        .pci(path: pci, driver: "iosm"),
        .wwan("wwan0", parent: pci, ports: [("wwan0at0", "AT"), ("wwan0mbim0", "MBIM"), ("wwan0xmmrpc0", "XMMRPC")]),
        .net("wwan0", device: "\(pci)/wwan/wwan0"),
      ],
      interface: "wwan0", driver: .wwan(device: "wwan0", by: "iosm"), link: .wwan(device: "wwan0"), first: 0, last: 7),
    Row(
      testDescription: "FM350 (t7xx): the eldest link is the kernel's", port: "wwan1mbim0",
      entries: [
        .pci(path: pci, driver: "mtk_t7xx"),
        .wwan("wwan1", parent: pci, ports: [("wwan1at0", "AT"), ("wwan1mbim0", "MBIM")]),
        .net("a-later-link", device: "\(pci)/wwan/wwan1", index: 12),
        .net("wwan0", device: "\(pci)/wwan/wwan1", index: 9),
      ],
      interface: "wwan0", driver: .wwan(device: "wwan1", by: "mtk_t7xx"), link: .wwan(device: "wwan1"), first: 0,
      last: 20),
    Row(
      testDescription: "SDX55 and others on PCIe in QMI mode: the hardware's data path is beside the WWAN class",
      kind: .qmi,
      port: "wwan0qmi0",
      entries: [
        .pci(path: pci, driver: "mhi-pci-generic"),
        .wwan("wwan0", parent: "\(pci)/mhi0", ports: [("wwan0qcdm0", "QCDM"), ("wwan0qmi0", "QMI")]),
        .device("\(pci)/mhi0/mhi0_IP_SW0", driver: "mhi_net"), .device("\(pci)/mhi0/mhi0_IP_HW0", driver: "mhi_net"),
        .net("mhi_swip0", device: "\(pci)/mhi0/mhi0_IP_SW0", index: 6),
        .net("mhi_hwip0", device: "\(pci)/mhi0/mhi0_IP_HW0", index: 7),
      ],
      interface: "mhi_hwip0", driver: .mhiNet, link: .rmnet, aggregation: .preferred, endpoint: .pcie),
    Row(
      testDescription: "the same before its data driver is loaded", kind: .qmi, port: "wwan0qmi0",
      entries: [.wwan("wwan0", parent: "\(pci)/mhi0", ports: [("wwan0qmi0", "QMI")])],
      interface: nil, driver: .none, link: nil),
    Row(
      testDescription: "a chip with IPA", kind: .qmi, port: "wwan0qmi0",
      entries: [
        .wwan(
          "wwan0", parent: "devices/platform/4080000.remoteproc/smd-edge.DATA5_CNTL.-1.-1",
          ports: [("wwan0qmi0", "QMI")]),
        .device("devices/platform/soc/1e40000.ipa", driver: "ipa"),
        .net("rmnet_ipa0", device: "devices/platform/soc/1e40000.ipa"),
        .device("devices/platform/eth", driver: "stmmac"), .net("eth0", device: "devices/platform/eth"),
      ],
      interface: "rmnet_ipa0", driver: .ipa, link: .rmnet, aggregation: .always, endpoint: .embedded),
    Row(
      testDescription: "a chip with BAM-DMUX: the first of its eight interfaces", kind: .qmi, port: "wwan0qmi0",
      entries: [
        .wwan(
          "wwan0", parent: "devices/platform/4080000.remoteproc/smd-edge.DATA5_CNTL.-1.-1",
          ports: [("wwan0qmi0", "QMI")]),
        .device("devices/platform/4080000.remoteproc/bam-dmux", driver: "bam-dmux"),
        .net("wwan1", device: "devices/platform/4080000.remoteproc/bam-dmux", attributes: ["dev_port": "1"]),
        .net("wwan3", device: "devices/platform/4080000.remoteproc/bam-dmux", attributes: ["dev_port": "0"]),
      ],
      interface: "wwan3", driver: .bamDMUX, link: nil, endpoint: .bamDMUX),
    Row(
      testDescription: "an interface that somebody has named", port: "3", named: "wwan5",
      entries: [.usb(path: "\(usb).12", driver: "cdc_mbim", control: "cdc-wdm0", interface: "wwan5")],
      interface: "wwan5", driver: .cdcMBIM, link: .vlan),
    Row(
      testDescription: "a WWAN class device that somebody has named", port: "3", named: "wwan0",
      entries: [.wwan("wwan0", parent: "devices/virtual/wwan_hwsim/hwsim0", ports: [("wwan0at0", "AT")])],
      interface: "wwan0.0", driver: .wwan(device: "wwan0", by: nil), link: .wwan(device: "wwan0"), first: 0),
    Row(
      testDescription: "a name that an interface and a WWAN class device have: the interface counts", port: "3",
      named: "wwan0",
      entries: [
        .usb(path: "\(usb).12", driver: "cdc_mbim", control: "cdc-wdm0", interface: "wwan0"),
        .wwan("wwan0", parent: pci, ports: [("wwan0mbim0", "MBIM")]),
      ],
      interface: "wwan0", driver: .cdcMBIM, link: .vlan),
    Row(
      testDescription: "a simulated modem's tunnel", port: "3", named: "wwan0", entries: [], interface: "wwan0",
      driver: .none, link: .vlan),
    Row(
      testDescription: "a name that is a way out of sysfs", port: "3", named: "../wwan0", entries: [],
      interface: "../wwan0", driver: .none, link: .vlan),
    Row(
      testDescription: "another driver", kind: .qmi, port: "3", named: "usb0",
      entries: [.device("\(usb).0", driver: "cdc_ether"), .net("usb0", device: "\(usb).0")], interface: "usb0",
      driver: .other("cdc_ether"), link: nil),
  ]

  @Test(arguments: rows) func `what belongs to a control port`(row: Row) throws {
    let tree = try SysfsTree()
    for entry in row.entries { tree.add(entry) }
    let port = DataPort(row.kind, of: row.port, interface: row.named, files: tree.files)
    #expect(port.interface == row.interface)
    #expect(port.driver == row.driver)
    #expect(port.sessionLink == row.link)
    #expect(port.firstSession == row.first)
    #expect(port.lastSession == row.last)
    #expect(port.aggregation == row.aggregation)
    #expect(port.endpoint == row.endpoint)
  }

  @Test(arguments: [
    ("MAPv4", "MAPv5", RmnetFlags(up: .v4, down: .v5)), ("MAPv5", "none", RmnetFlags(up: .v5, down: .v1)),
  ])
  func `ipa says which checksums its links have`(up: String, down: String, expected: RmnetFlags) throws {
    let tree = try SysfsTree()
    let device = "devices/platform/soc/1e40000.ipa"
    tree.add(.device(device, driver: "ipa"))
    tree.add(.net("rmnet_ipa0", device: device))
    tree.file("\(device)/feature/tx_offload", "\(up)\n")
    tree.file("\(device)/feature/rx_offload", "\(down)\n")
    #expect(tree.files.ipaFlags(of: "rmnet_ipa0") == expected)
    #expect(tree.files.ipaFlags(of: "eth0") == nil)
  }
}

extension SysfsTree {
  fileprivate func add(_ entry: DataPortTests.Entry) {
    switch entry {
    case .device(let path, let driver), .pci(let path, let driver): link("\(path)/driver", to: "bus/drivers/\(driver)")
    case .usb(let path, let driver, let control, let interface):
      link("\(path)/driver", to: "bus/usb/drivers/\(driver)")
      link("\(path)/usbmisc/\(control)/device", to: path)
      link("class/usbmisc/\(control)", to: "\(path)/usbmisc/\(control)")
      if let interface { add(.net(interface, device: path)) }
    case .wwan(let name, let parent, let ports):
      let device = "\(parent)/wwan/\(name)"
      file("\(device)/index", "0\n")
      link("\(device)/subsystem", to: "class/wwan")
      link("\(device)/device", to: parent)
      link("class/wwan/\(name)", to: device)
      for port in ports {
        file("\(device)/\(port.name)/type", "\(port.type)\n")
        link("\(device)/\(port.name)/device", to: device)
        link("class/wwan/\(port.name)", to: "\(device)/\(port.name)")
      }
    case .net(let name, let device, let index, let attributes):
      file("\(device)/net/\(name)/ifindex", "\(index)\n")
      link("\(device)/net/\(name)/device", to: device)
      for (attribute, value) in attributes { file("\(device)/net/\(name)/\(attribute)", "\(value)\n") }
      link("class/net/\(name)", to: "\(device)/net/\(name)")
    }
  }
}
