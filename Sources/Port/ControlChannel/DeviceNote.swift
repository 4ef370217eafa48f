import Glibc

/// A file that records what a backend holds in a modem, for the process that opens the port after a
/// crash.
///
/// It names the port's device node. A node that the kernel made again, after a reboot or
/// replugging, belongs to a modem that no longer holds anything.
package struct DeviceNote: Sendable {
  private let path: String
  private let device: String

  /// - Parameters:
  ///   - path: The file; its directory must exist.
  ///   - device: Path of the control port.
  package init(path: String, device: String) {
    self.path = path
    self.device = device
  }

  /// The device node that the port's path leads to now; nil if there is none.
  package var stamp: String? {
    var status = stat()
    guard stat(device, &status) == 0 else { return nil }
    return "port \(status.st_rdev) \(status.st_ino)"
  }

  /// The file's content; nil if there is no file.
  ///
  /// - Parameter limit: In bytes; a longer file is not this program's, and is cut off.
  package func text(limit: Int) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { Glibc.close(file) }
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = read(file, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
  }

  /// Replaces the whole file. If it cannot be written, only the cleanup after a crash is lost.
  package func write(_ text: String) {
    let bytes = Array(text.utf8)
    let draft = path + ".new"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count
    Glibc.close(file)
    if !isWritten || rename(draft, path) != 0 { unlink(draft) }
  }

  /// Removes the file: nothing is held.
  package func erase() { unlink(path) }
}
