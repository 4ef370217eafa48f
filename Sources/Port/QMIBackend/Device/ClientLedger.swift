import Glibc

/// A file with the client ids that a backend holds, for the one that opens the port after a crash.
///
/// The first line names the port's device node: one made anew by the kernel, as after a reboot or replugging, belongs to a modem
/// that has forgotten its clients, and the ids may be others' by now.
struct ClientLedger: Sendable {
  private let path: String
  private let device: String

  /// - Parameters:
  ///   - path: The file; its directory must exist.
  ///   - device: Path of the control port.
  init(path: String, device: String) {
    self.path = path
    self.device = device
  }

  /// What an earlier backend left in the modem.
  struct Left: Hashable, Sendable {
    var clients: [QMIClient] = []
    /// Services in which it was asking for a client id, or had asked for one without learning which.
    var doubtful: Set<QMIService> = []
  }

  /// What an earlier backend left in this modem.
  func left() -> Left {
    var left = Left()
    guard let text = contents(), let stamp = deviceStamp() else { return left }
    let lines = text.split(separator: "\n")
    guard lines.first.map(String.init) == stamp else { return left }
    for line in lines.dropFirst() {
      let words = line.split(separator: " ")
      guard words.count == 2, let service = UInt8(words[0]).flatMap({ QMIService(rawValue: $0) }), service != .control
      else { continue }
      if words[1] == "?" {
        left.doubtful.insert(service)
      } else if let id = UInt8(words[1]), (1...254).contains(id) {
        left.clients.append(QMIClient(service: service, id: id))
      }
    }
    return left
  }

  /// Notes the client ids that are held now, and where one is being asked for; with neither there is no file. It is written before
  /// the modem is asked, as it may be killed before the answer. A file that cannot be written costs only the tidying after a crash.
  func write(_ clients: some Collection<QMIClient>, doubtful: Set<QMIService> = []) {
    guard !clients.isEmpty || !doubtful.isEmpty else { return remove() }
    guard let stamp = deviceStamp() else { return }
    let lines =
      [stamp]
      + (clients.map { "\($0.service.rawValue) \($0.id)" } + doubtful.map { "\($0.rawValue) ?" }).sorted()
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    let draft = path + ".new"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count
    Glibc.close(file)
    if !isWritten || rename(draft, path) != 0 { unlink(draft) }
  }

  /// Takes the file away: no client id is held.
  func remove() { unlink(path) }

  /// Which device node the port's path leads to now; nil where it leads to none.
  private func deviceStamp() -> String? {
    var status = stat()
    guard stat(device, &status) == 0 else { return nil }
    return "port \(status.st_rdev) \(status.st_ino)"
  }

  private func contents() -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { Glibc.close(file) }
    // 254 ids of each service at most; more is not this backend's file.
    var buffer = [UInt8](repeating: 0, count: 16384)
    let count = read(file, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
  }
}
