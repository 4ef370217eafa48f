import Glibc
import SmallFiles

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
    guard let bytes = try? SmallFile.beginning(path, limit: limit), !bytes.isEmpty else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Replaces the whole file. If it cannot be written, only the cleanup after a crash is lost.
  package func write(_ text: String) {
    // The note is in /run. A machine that starts anew has neither the note nor the device node.
    try? SmallFile.replace(path, with: Array(text.utf8), lasting: .process)
  }

  /// Removes the file: nothing is held.
  package func erase() { unlink(path) }
}
