import Glibc
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
    let name = Self.lastPart(of: Self.realPath(device) ?? device)
    self.name = name
    let usb = "\(sysfs)/class/usbmisc/\(name)/device"
    let wwan = "\(sysfs)/class/wwan/\(name)"
    kind = Self.kind(driver: Self.realPath("\(usb)/driver")) ?? Self.kind(type: Self.firstLine(of: "\(wwan)/type"))
  }

  private static func kind(driver path: String?) -> ModemProtocol? {
    switch path.map(lastPart) {
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

  private static func lastPart(of path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func firstLine(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
