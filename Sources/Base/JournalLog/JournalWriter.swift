import CLinux
import Glibc
import Synchronization

/// Gives entries to the journal, in its native protocol: a datagram for each, and a sealed file in
/// memory where an entry is too long for one.
///
/// It never waits. An entry that the journal does not take at once is dropped and counted, and the
/// next one that it takes brings the number.
package final class JournalWriter: Sendable {
  /// The journal's own socket.
  package static let usualSocket = "/run/systemd/journal/socket"

  private let address: sockaddr_un
  private let descriptor: Int32
  private let dropped = Atomic<Int>(0)

  /// - Parameter socket: where the journal listens.
  /// - Returns: nil if the path is too long, or the process may not have another descriptor.
  package init?(socket path: String = usualSocket) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    guard let descriptor = Self.makeSocket() else { return nil }
    self.address = address
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// How many entries were dropped and not yet told.
  package var unreportedDrops: Int { dropped.load(ordering: .relaxed) }

  /// Sends an entry, or counts it as dropped.
  ///
  /// - Parameter report: makes the entry that tells of a number of dropped ones.
  package func write(_ entry: JournalEntry, reporting report: (Int) -> JournalEntry) {
    guard send(entry.serialized) else {
      dropped.wrappingAdd(1, ordering: .relaxed)
      return
    }
    let count = dropped.exchange(0, ordering: .relaxed)
    if count > 0, !send(report(count).serialized) { dropped.wrappingAdd(count, ordering: .relaxed) }
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    let sent = withAddress { address, length in
      sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), address, length)
    }
    if sent == bytes.count { return true }
    // Longer than the socket's buffer; the second where the kernel has no such piece of memory.
    guard sent < 0, errno == EMSGSIZE || errno == ENOBUFS else { return false }
    return sendInMemory(bytes)
  }

  /// As sd_journal_sendv(3) does it: an empty datagram with a file that nobody can change any more.
  private func sendInMemory(_ bytes: [UInt8]) -> Bool {
    let file = memfd_create("modemd-journal", Self.closeOnExec | Self.allowSealing)
    guard file >= 0 else { return false }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    guard fcntl(file, Self.addSeals, Self.allSeals) == 0, let connected = Self.makeSocket() else { return false }
    defer { close(connected) }
    guard withAddress({ connect(connected, $0, $1) }) == 0 else { return false }
    return clinux_send_with_descriptor(connected, "", 0, file, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) == 0
  }

  private func withAddress<Result>(_ work: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { work($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  private static func makeSocket() -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    return descriptor >= 0 ? descriptor : nil
  }

  // linux/memfd.h and linux/fcntl.h; glibc hides them behind _GNU_SOURCE.
  private static let closeOnExec: UInt32 = 1
  private static let allowSealing: UInt32 = 2
  private static let addSeals: Int32 = 1033
  /// Against more seals, shrinking, growing and writing.
  private static let allSeals: Int32 = 0xf
}
