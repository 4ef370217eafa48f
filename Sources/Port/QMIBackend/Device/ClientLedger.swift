import ControlChannel

/// A file with the client ids that a backend holds, for the backend that opens the port after a
/// crash.
///
/// Its first line names the port's device node. If the modem has forgotten the ids, they may belong
/// to others by now.
struct ClientLedger: Sendable {
  private let note: DeviceNote

  /// - Parameters:
  ///   - path: The file; its directory must exist.
  ///   - device: Path of the control port.
  init(path: String, device: String) {
    note = DeviceNote(path: path, device: device)
  }

  /// What an earlier backend left in the modem.
  struct Left: Hashable, Sendable {
    var clients: [QMIClient] = []
    /// Services in which it was asking for a client id, or had asked for one without receiving it.
    var doubtful: Set<QMIService> = []
  }

  /// What an earlier backend left in this modem.
  func left() -> Left {
    var left = Left()
    // At most 254 ids of each service.
    guard let text = note.text(limit: 16384), let stamp = note.stamp else { return left }
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

  /// Records the client ids that are held now, and the services in which one is being requested.
  /// Without either, there is no file. It is written before the modem is asked, because the process
  /// may be killed before the answer. If the file cannot be written, only the cleanup after a crash
  /// is lost.
  func write(_ clients: some Collection<QMIClient>, doubtful: Set<QMIService> = []) {
    guard !clients.isEmpty || !doubtful.isEmpty else { return remove() }
    guard let stamp = note.stamp else { return }
    let lines =
      [stamp]
      + (clients.map { "\($0.service.rawValue) \($0.id)" } + doubtful.map { "\($0.rawValue) ?" }).sorted()
    note.write(lines.joined(separator: "\n") + "\n")
  }

  /// Removes the file: no client id is held.
  func remove() { note.erase() }
}
