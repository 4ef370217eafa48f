import ModemModel

/// Finds a control port's interface in sysfs.
extension LinkFiles {
  /// The interface of a control port; nil if there is none, or none yet.
  func interface(of controlPort: String, _ kind: ModemProtocol) -> String? {
    // Both are children of the same USB interface.
    if let first = interfaces(below: "class/usbmisc/\(controlPort)/device").first { return first }
    // Links of the WWAN class device first. For QMI, then its neighbours, because packets bypass
    // the WWAN class.
    if let own = interfaces(below: "class/wwan/\(controlPort)/device").first(where: { !isLinkOfOurs($0) }) {
      return own
    }
    guard kind == .qmi, let device = wwanDevice(ofPort: controlPort) else { return nil }
    return mhiInterface(besideWWANDevice: device) ?? chipInterface
  }

  /// The WWAN class device that a control port belongs to, as in `wwan0`.
  func wwanDevice(ofPort controlPort: String) -> String? {
    guard isThere("class/wwan/\(controlPort)/type") else { return nil }
    return linkTarget("class/wwan/\(controlPort)/device")
  }

  /// An MHI controller's channels are its children. Among those that carry IP, the hardware path's
  /// channel is preferred.
  private func mhiInterface(besideWWANDevice device: String) -> String? {
    let controller = "class/wwan/\(device)/device"
    return entries(controller).filter { $0.contains("_IP_") }
      .sorted { $0.contains("_IP_HW") && !$1.contains("_IP_HW") }
      .lazy.compactMap { interfaces(below: "\(controller)/\($0)").first }.first
  }

  /// A chip with a modem has one, and one data port that counts: the first interface of bam-dmux,
  /// or ipa's.
  private var chipInterface: String? {
    names("class/net").filter { ["ipa", "bam-dmux"].contains(driver(of: $0)) }
      .min { (number("dev_port", of: $0), $0) < (number("dev_port", of: $1), $1) }
  }

  /// The network interfaces of a device, the oldest first.
  private func interfaces(below device: String) -> [String] {
    names("\(device)/net").sorted { (number("ifindex", of: $0), $0) < (number("ifindex", of: $1), $1) }
  }

  private func number(_ attribute: String, of interface: String) -> Int {
    line("class/net/\(interface)/\(attribute)").flatMap { Int($0) } ?? .max
  }

  /// Whether a run of modemd made the link, so that a later one will remove it.
  private func isLinkOfOurs(_ interface: String) -> Bool {
    line("class/net/\(interface)/ifalias").map(BearerNetwork.isMark) ?? false
  }

  func isInterface(_ name: String) -> Bool { Self.isName(name) && !entries("class/net/\(name)").isEmpty }

  /// Whether it is a WWAN class device, and not one of its ports.
  func isWWANDevice(_ name: String) -> Bool {
    Self.isName(name) && !entries("class/wwan/\(name)").isEmpty && !isThere("class/wwan/\(name)/type")
  }

  /// What carries an interface's packets.
  func dataDriver(of interface: String) -> DataPort.Driver {
    if let device = wwanDevice(of: interface) { return .wwan(device: device, by: driver(ofWWANDevice: device)) }
    return switch driver(of: interface) {
    case "cdc_mbim": .cdcMBIM
    case "qmi_wwan": .qmiWWAN
    case "mhi_net": .mhiNet
    case "ipa": .ipa
    case "bam-dmux": .bamDMUX
    case let name?: .other(name)
    case nil: .none
    }
  }

  /// The driver of the device behind a WWAN class device; an MHI controller has none.
  func driver(ofWWANDevice device: String) -> String? { linkTarget("class/wwan/\(device)/device/driver") }

  private func isThere(_ path: String) -> Bool { line(path) != nil }

  private func names(_ folder: String) -> [String] { entries(folder).filter { !$0.hasPrefix(".") } }

  /// Whether it can be a name in sysfs and not a path to elsewhere.
  private static func isName(_ name: String) -> Bool { !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") }
}
