import Glibc
import LimitClock
import ModemModel

/// How a port uses a proxy: whether it must, and whether it can.
extension ProxySocket {
  /// Whether the listening proxy has or may have a device open. If that cannot be determined, it
  /// counts as open. mbim-proxy keeps a device open after its last client has gone.
  ///
  /// A program of another user has none open: only root may open a control port.
  package func mayHaveOpen(_ device: String) -> Bool {
    let own = geteuid()
    return withConnection { _, process, owner in
      guard owner == 0 || owner == own else { return false }
      return Self.files(of: process)?.contains(Self.realPath(device) ?? device) ?? true
    } ?? false
  }

  /// The paths that a process has open; nil if this process may not see them.
  private static func files(of process: UInt32) -> Set<String>? {
    let path = "/proc/\(process)/fd"
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var files: Set<String> = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard !name.hasPrefix(".") else { continue }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = readlink("\(path)/\(name)", &buffer, buffer.count)
      if count > 0 {
        files.insert(String(decoding: buffer.prefix(count), as: UTF8.self))
      } else if errno != ENOENT {
        return nil
      }
    }
    return files
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns when the library can open a port through the proxy.
  ///
  /// - Parameters:
  ///   - mayStartOne: whether the library may start a proxy if none listens. Otherwise, this waits
  ///     for one: the proxy's unit starts with this process's unit, and restarts the proxy when it
  ///     ends.
  ///   - patience: how long to wait for it.
  /// - Throws: `ModemError` `deviceUnavailable` with the reason, `cancelled`.
  package func ready(
    mayStartOne: Bool, within patience: Duration = .seconds(10), clock: LimitClock = .machine
  ) async throws(ModemError) {
    if !mayStartOne {
      let end = clock.now + patience
      while listener(patience: .zero) == .nobody {
        guard clock.now < end else {
          throw ModemError(
            .deviceUnavailable,
            "\(name), through which the modem must be shared, does not run; `systemctl status modemd-\(name)` shows why, and the package lib\(name) contains the program"
          )
        }
        do {
          try await clock.pause(for: .milliseconds(20))
        } catch {
          throw ModemError(.cancelled, "the port was stopped while it waited for \(name)")
        }
      }
    }
    try check()
  }
}
