import Testing

@Suite("udev rule")
struct UdevTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let event: UdevEvent
    /// Nil when the rule must leave the device alone.
    let protocolName: String?
    let what: String
    var testDescription: String { what }

    init(_ what: String, _ event: UdevEvent, _ protocolName: String?) {
      self.what = what
      self.event = event
      self.protocolName = protocolName
    }
  }

  static func usb(_ driver: String) -> [(subsystem: String, driver: String)] {
    [("usb", driver), ("usb", "usb"), ("pci", "xhci_hcd")]
  }

  static let rows = [
    Row("MBIM over USB", UdevEvent("usbmisc", "cdc-wdm0", parents: usb("cdc_mbim")), "mbim"),
    Row("QMI over USB", UdevEvent("usbmisc", "cdc-wdm12", parents: usb("qmi_wwan")), "qmi"),
    Row("the same once more", UdevEvent("usbmisc", "cdc-wdm0", action: "change", parents: usb("cdc_mbim")), "mbim"),
    Row("MBIM of the WWAN class", UdevEvent("wwan", "wwan0mbim0", attributes: ["type": "MBIM"]), "mbim"),
    Row("QMI of the WWAN class", UdevEvent("wwan", "wwan0qmi0", attributes: ["type": "QMI"]), "qmi"),
    Row("an AT port of cdc-wdm", UdevEvent("usbmisc", "cdc-wdm0", parents: usb("huawei_cdc_ncm")), nil),
    Row("a printer", UdevEvent("usbmisc", "lp0", parents: usb("usblp")), nil),
    Row("a device that goes away", UdevEvent("usbmisc", "cdc-wdm0", action: "remove", parents: usb("cdc_mbim")), nil),
    Row("an AT port of the WWAN class", UdevEvent("wwan", "wwan0at0", attributes: ["type": "AT"]), nil),
    Row("a port for firmware", UdevEvent("wwan", "wwan0firehose0", attributes: ["type": "FIREHOSE"]), nil),
    Row("a port of Intel's own", UdevEvent("wwan", "wwan0xmmrpc0", attributes: ["type": "XMMRPC"]), nil),
    Row("a port for diagnosis", UdevEvent("wwan", "wwan0qcdm0", attributes: ["type": "QCDM"]), nil),
    Row("a port of Mediatek's own", UdevEvent("wwan", "wwan0mipc0", attributes: ["type": "MIPC"]), nil),
    Row("a link of the WWAN class", UdevEvent("net", "wwan0.0", parents: [("wwan", ""), ("pci", "iosm")]), nil),
    Row("the WWAN device itself", UdevEvent("wwan", "wwan0"), nil),
    Row("the network interface", UdevEvent("net", "wwan0", parents: usb("cdc_mbim")), nil),
    Row(
      "a port that another rule keeps from modemd",
      UdevEvent("usbmisc", "cdc-wdm0", parents: usb("cdc_mbim"), environment: ["MODEMD_IGNORE": "1"]), nil),
  ]

  static func rules() throws -> [UdevRule] {
    try UdevRule.parse(file: #require(File.read("\(Tool.repository)/udev/70-modemd.rules")))
  }

  @Test("an instance is wanted for MBIM and QMI control ports only", arguments: rows)
  func instances(_ row: Row) throws {
    var event = row.event
    event.apply(try Self.rules())
    #expect(event.environment["MODEMD_PROTOCOL"] == row.protocolName)
    #expect(event.tags.contains("systemd") == (row.protocolName != nil))
    let instance = row.protocolName.map { _ in
      "modemd-port@\(event.kernel.split(separator: "-").joined(separator: #"\x2d"#)).service"
    }
    #expect(event.environment["SYSTEMD_WANTS"] == instance)
  }

  @Test("each GOTO has its LABEL further down")
  func labels() throws {
    let rules = try Self.rules()
    for (index, rule) in rules.enumerated() {
      for token in rule.tokens where token.key == "GOTO" {
        let isBelow = rules[index...].contains { $0.tokens.contains { $0.key == "LABEL" && $0.value == token.value } }
        #expect(isBelow, "GOTO \(token.value) leads nowhere")
      }
    }
  }

  @Test(
    "the parser refuses what udev would pass over",
    arguments: ["SUBSYSTEM==usbmisc", "SUBSYSTEM=\"usbmisc\"", "ENV{A=\"1\"", "A==\"1\" B==\"2\"", "TAG+=\"a\", \\"])
  func malformed(_ line: String) {
    #expect(throws: UdevRule.Malformed.self) { try UdevRule.parse(file: line) }
  }

  @Test(
    "systemd-escape makes the instance that the unit turns back into a device",
    .enabled(if: Tool.exists("systemd-escape"), "systemd-escape is not installed"))
  func escape() async throws {
    let result = try await Tool.run("systemd-escape", ["--template=modemd-port@.service", "cdc-wdm0"])
    #expect(result.output == "modemd-port@cdc\\x2dwdm0.service\n")
    let back = try await Tool.run("systemd-escape", ["--unescape", #"cdc\x2dwdm0"#])
    #expect(back.output == "cdc-wdm0\n")
  }
}
