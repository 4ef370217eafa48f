import ModemModel

/// A control port's properties in sysfs: its protocol.
///
/// A USB port (class usbmisc) has the driver cdc_mbim or qmi_wwan. A port of class wwan states its
/// type itself.
package struct ControlPortFacts: Hashable, Sendable {
  package var kind: ModemProtocol?
  /// The port's name in the kernel, as in `cdc-wdm0` or `wwan0mbim0`.
  package var name: String

  /// Looks a control port up.
  ///
  /// - Parameters:
  ///   - device: its path, as in `/dev/cdc-wdm0`; a symbolic link is followed.
  ///   - sysfs: where sysfs is mounted.
  package init(of device: String, sysfs: String = "/sys") {
    let name = SysfsFiles.lastPart(of: SysfsFiles.realPath(device) ?? device)
    self.name = name
    let usb = "\(sysfs)/class/usbmisc/\(name)/device"
    let wwan = "\(sysfs)/class/wwan/\(name)"
    kind =
      Self.kind(driver: SysfsFiles.realPath("\(usb)/driver"))
      ?? Self.kind(type: SysfsFiles.firstLine(of: "\(wwan)/type"))
  }

  private static func kind(driver path: String?) -> ModemProtocol? {
    switch path.map(SysfsFiles.lastPart) {
    case "cdc_mbim": .mbim
    case "qmi_wwan": .qmi
    default: nil
    }
  }

  private static func kind(type: String?) -> ModemProtocol? {
    switch type {
    case "MBIM": .mbim
    case "QMI": .qmi
    default: nil
    }
  }
}
