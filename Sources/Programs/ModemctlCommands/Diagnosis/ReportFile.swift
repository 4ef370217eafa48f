import Glibc
import ModemctlCore
import SmallFiles

/// A file that is newly made for its owner only: an existing file of that name is neither written
/// nor followed.
enum ReportFile {
  /// Writes it.
  ///
  /// - Throws: `ModemctlError` if the name exists, or if the folder cannot be written.
  static func write(_ text: String, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST {
        throw ModemctlError(.usage, "\(path) already exists and is not changed; name another file with --output")
      }
      throw ModemctlError(
        .failed, "\(path) cannot be made: \(String(cString: strerror(errno))); name another file with --output")
    }
    defer { close(descriptor) }
    let refused = SmallFile.write(Array(text.utf8), to: descriptor)
    guard refused == 0 else {
      unlink(path)
      throw ModemctlError(.failed, "\(path) cannot be written: \(String(cString: strerror(refused)))")
    }
  }
}
