import Glibc

/// The few link settings that only files can reach: `/sys/class/net` and `/proc/sys/net`.
package struct LinkFiles: Sendable {
  private let sysfs: String
  private let procfs: String
  private let read: @Sendable (_ path: String) -> String?
  private let write: @Sendable (_ text: String, _ path: String) -> Int32

  /// - Parameters:
  ///   - sysfs: where it is mounted.
  ///   - procfs: where it is mounted.
  ///   - read: the beginning of a file; nil if it cannot be read. The network namespace of
  ///     `/proc/sys/net` is that of the thread that opens the file.
  ///   - write: writes a file that exists; returns 0 or an errno.
  package init(
    sysfs: String = "/sys", procfs: String = "/proc",
    read: @escaping @Sendable (_ path: String) -> String? = LinkFiles.contents,
    write: @escaping @Sendable (_ text: String, _ path: String) -> Int32 = LinkFiles.put
  ) {
    self.sysfs = sysfs
    self.procfs = procfs
    self.read = read
    self.write = write
  }

  /// `Y` or `N` of qmi_wwan (sysfs-class-net-qmi); nil for a driver without it.
  func rawIP(of interface: String) -> Bool? {
    read(rawIPPath(interface)).map { $0.hasPrefix("Y") }
  }

  /// Writes `Y` or `N`; returns 0 or an errno. The interface must be down.
  func setRawIP(_ isRaw: Bool, of interface: String) -> Int32 {
    write(isRaw ? "Y\n" : "N\n", rawIPPath(interface))
  }

  /// A counter of the interface (sysfs-class-net-statistics), as in `rx_packets`; nil if it cannot
  /// be read.
  func count(_ counter: String, of interface: String) -> UInt64? {
    read("\(sysfs)/class/net/\(interface)/statistics/\(counter)").flatMap { UInt64($0.prefix { $0.isNumber }) }
  }

  /// Whether router advertisements are accepted, which would put a default route into the main
  /// table; nil without IPv6.
  func acceptsAdvertisements(_ interface: String) -> UInt8? {
    read(advertisementsPath(interface)).flatMap { UInt8($0.prefix { $0.isNumber }) }
  }

  /// Sets `accept_ra`. It may fail if a service manager keeps /proc/sys read-only; then no
  /// advertisement is requested.
  func setAcceptsAdvertisements(_ value: UInt8, of interface: String) {
    _ = write("\(value)\n", advertisementsPath(interface))
  }

  private func rawIPPath(_ interface: String) -> String { "\(sysfs)/class/net/\(interface)/qmi/raw_ip" }

  private func advertisementsPath(_ interface: String) -> String {
    "\(procfs)/sys/net/ipv6/conf/\(interface)/accept_ra"
  }

  /// The beginning of one of the machine's files.
  func text(_ path: String) -> String? { read(path) }

  /// The first line of a file below sysfs; nil if it cannot be read.
  func line(_ path: String) -> String? {
    read("\(sysfs)/\(path)").map { String($0.prefix { $0 != "\n" }) }
  }

  /// Writes to a file below sysfs; returns 0 or an errno.
  func put(_ text: String, _ path: String) -> Int32 { write(text, "\(sysfs)/\(path)") }

  /// The name of the target of a symbolic link below sysfs.
  func linkTarget(_ path: String) -> String? {
    guard let target = realpath("\(sysfs)/\(path)", nil) else { return nil }
    defer { free(target) }
    return String(cString: target).split(separator: "/").last.map(String.init)
  }

  /// The names in a folder below sysfs.
  func entries(_ path: String) -> [String] {
    guard let folder = opendir("\(sysfs)/\(path)") else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.sorted()
  }

  /// The first bytes of a file, 4096 at most.
  package static func contents(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(file, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }

  /// Writes a file that exists.
  package static func put(_ text: String, _ path: String) -> Int32 {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    let bytes = Array(text.utf8)
    return Glibc.write(file, bytes, bytes.count) == bytes.count ? 0 : errno
  }
}
