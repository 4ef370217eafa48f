import Glibc

/// A file that says that the modem's session is this program's, for the backend that opens the port after a crash: what
/// another program started is never ended.
///
/// It names the port's device node: one made anew by the kernel, as after a reboot or replugging, belongs to a modem whose sessions
/// are gone.
struct SessionLedger: Sendable {
  private let path: String
  private let device: String
  private let session: UInt32

  /// - Parameters:
  ///   - path: The file; its directory must exist.
  ///   - device: Path of the control port.
  ///   - session: The session of the bearer.
  init(path: String, device: String, session: UInt32) {
    self.path = path
    self.device = device
    self.session = session
  }

  /// Whether an earlier backend noted that it began a session, and has not noted its end.
  var isOurs: Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { Glibc.close(file) }
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(file, &buffer, buffer.count)
    return count > 0 && String(decoding: buffer.prefix(count), as: UTF8.self) == stamp
  }

  /// Notes that a session is being begun. A file that cannot be written costs only the tidying after a crash.
  func begin() {
    guard let stamp else { return }
    let draft = path + ".new"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    let bytes = Array(stamp.utf8)
    let isWritten = write(file, bytes, bytes.count) == bytes.count
    Glibc.close(file)
    if !isWritten || rename(draft, path) != 0 { unlink(draft) }
  }

  /// Notes that it has ended.
  func end() { unlink(path) }

  /// Which device node the port's path leads to now; nil where it leads to none.
  private var stamp: String? {
    var status = stat()
    guard stat(device, &status) == 0 else { return nil }
    return "port \(status.st_rdev) \(status.st_ino) session \(session)\n"
  }
}
