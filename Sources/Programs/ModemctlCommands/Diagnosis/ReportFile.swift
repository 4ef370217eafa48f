import Glibc
import ModemctlCore

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
        throw ModemctlError(.usage, "\(path) exists already and is left as it is; name another file with --output")
      }
      throw ModemctlError(
        .failed, "\(path) cannot be made: \(String(cString: strerror(errno))); name another file with --output")
    }
    defer { close(descriptor) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let reason = String(cString: strerror(errno))
        unlink(path)
        throw ModemctlError(.failed, "\(path) cannot be written: \(reason)")
      }
      rest = rest.dropFirst(count)
    }
  }
}
