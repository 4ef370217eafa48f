import CQMI
import Glibc

/// The client ids of this process, kept in a file for the process that comes after a crash.
///
/// The first line names the device node. After replugging the node is another one, and the ids may be another
/// program's: then nothing in the file counts.
struct ClientRecord {
  struct Entry: Hashable {
    /// QmiService.
    let service: UInt32
    let id: UInt8
  }

  private let file: String?
  private let device: String
  private(set) var entries: Set<Entry> = []

  init(file: String?, device: String) {
    self.file = file
    self.device = device
  }

  /// What an earlier process has not given back.
  func leftBehind() -> [Entry] {
    guard let file, let text = Self.read(file) else { return [] }
    var lines = text.split(separator: "\n")
    guard !lines.isEmpty, String(lines.removeFirst()) == Self.mark(of: device) else { return [] }
    return lines.compactMap { line in
      let numbers = line.split(separator: " ")
      guard numbers.count == 2, let service = UInt32(numbers[0]), let id = UInt8(numbers[1]), (1...0xfe).contains(id),
        (1...0xff).contains(service)
      else { return nil }
      return Entry(service: service, id: id)
    }
  }

  mutating func insert(_ client: QMIClient) {
    entries.insert(Entry(service: UInt32(client.service.rawValue), id: client.id))
    write()
  }

  mutating func remove(_ client: QMIClient) {
    entries.remove(Entry(service: UInt32(client.service.rawValue), id: client.id))
    write()
  }

  /// Forgets all, as when the modem has forgotten all.
  mutating func clear() {
    entries = []
    write()
  }

  /// Replaces the file in one step. A failure costs the ids of a crash only, so it is not one of the modem's.
  private func write() {
    guard let file else { return }
    guard !entries.isEmpty else {
      unlink(file)
      return
    }
    let lines = entries.map { "\($0.service) \($0.id)" }.sorted()
    let bytes = Array(([Self.mark(of: device)] + lines).joined(separator: "\n").utf8) + [0x0a]
    let draft = file + ".new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let written = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
    if written == bytes.count { rename(draft, file) }
  }

  private static func mark(of device: String) -> String {
    var status = stat()
    guard stat(device, &status) == 0 else { return "device none" }
    return "device \(status.st_rdev) \(status.st_ino)"
  }

  private static func read(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return count >= 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }
}
