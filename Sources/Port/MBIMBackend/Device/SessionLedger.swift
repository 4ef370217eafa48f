import ControlChannel

/// A file that records that the modem's session is this program's, for the backend that opens the
/// port after a crash. Another program's session is never ended.
struct SessionLedger: Sendable {
  private let note: DeviceNote
  private let session: UInt32

  /// - Parameters:
  ///   - path: The file; its directory must exist.
  ///   - device: Path of the control port.
  ///   - session: The session of the bearer.
  init(path: String, device: String, session: UInt32) {
    note = DeviceNote(path: path, device: device)
    self.session = session
  }

  /// Whether an earlier backend recorded that it began a session, and has not recorded its end.
  var isOurs: Bool {
    guard let written = note.text(limit: 256) else { return false }
    return written == text
  }

  /// Records that a session is about to begin.
  func begin() {
    if let text { note.write(text) }
  }

  /// Notes that it has ended.
  func end() { note.erase() }

  private var text: String? { note.stamp.map { "\($0) session \(session)\n" } }
}
