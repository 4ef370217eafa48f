import Glibc

/// The few settings of a link that only files can reach: `/sys/class/net` and `/proc/sys/net`.
public struct LinkFiles: Sendable {
  private let sysfs: String
  private let procfs: String

  /// Takes where sysfs and procfs are mounted.
  public init(sysfs: String = "/sys", procfs: String = "/proc") {
    self.sysfs = sysfs
    self.procfs = procfs
  }

  /// `Y` or `N` of qmi_wwan (sysfs-class-net-qmi); nil for a driver without it.
  func rawIP(of interface: String) -> Bool? {
    Self.read(rawIPPath(interface)).map { $0.hasPrefix("Y") }
  }

  /// Writes `Y`; returns 0 or an errno. The interface must be down.
  func setRawIP(of interface: String) -> Int32 { Self.write("Y\n", to: rawIPPath(interface)) }

  /// Whether router advertisements are taken, which would put a default route into the main table; nil without IPv6.
  func acceptsAdvertisements(_ interface: String) -> UInt8? {
    Self.read(advertisementsPath(interface)).flatMap { UInt8($0.prefix { $0.isNumber }) }
  }

  /// Sets `accept_ra`. It may fail where a service manager keeps /proc/sys read-only; then the link still asks for none.
  func setAcceptsAdvertisements(_ value: UInt8, of interface: String) {
    _ = Self.write("\(value)\n", to: advertisementsPath(interface))
  }

  private func rawIPPath(_ interface: String) -> String { "\(sysfs)/class/net/\(interface)/qmi/raw_ip" }

  private func advertisementsPath(_ interface: String) -> String {
    "\(procfs)/sys/net/ipv6/conf/\(interface)/accept_ra"
  }

  private static func read(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(file, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }

  private static func write(_ text: String, to path: String) -> Int32 {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    let bytes = Array(text.utf8)
    return Glibc.write(file, bytes, bytes.count) == bytes.count ? 0 : errno
  }
}
