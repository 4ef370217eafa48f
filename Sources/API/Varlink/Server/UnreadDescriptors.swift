import CLinux
import Glibc
import NIOCore

/// Descriptors that were sent and that their clients have not read yet. Confined to the server's
/// event loop.
///
/// The kernel counts them for the sender's user, and refuses to send more than RLIMIT_NOFILE. A
/// client that never reads must not use them up for all, so they count for it until they are read,
/// even if it half closes and the connection ends.
final class UnreadDescriptors {
  private struct Unread {
    let id: ConnectionBudget.ID
    let peer: Peer
    /// The server's end of the connection.
    let witness: OwnedDescriptor
  }

  private static let waits: [TimeAmount] = [5, 10, 20, 50, 100, 200, 500, 1000].map { .milliseconds($0) }

  private let loop: any EventLoop
  /// A client has read a descriptor, or is gone.
  private let ended: (Peer) -> Void
  private var unread: [Unread] = []
  private var look: Scheduled<Void>?
  private var lookCount = 0

  init(on loop: any EventLoop, _ ended: @escaping (Peer) -> Void) {
    self.loop = loop
    self.ended = ended
  }

  /// How many bytes the other end of a Unix socket has not read; nil for an error (errno). None, if
  /// that end is closed.
  static func unreadBytes(of socket: CInt) -> CInt? {
    var count: CInt = 0
    return ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? count : nil
  }

  /// A descriptor was sent.
  func add(_ witness: OwnedDescriptor, _ id: ConnectionBudget.ID, _ peer: Peer) {
    // It left because all before it was read.
    let former = unread.count
    unread.removeAll { $0.id == id }
    if unread.count < former { ended(peer) }
    unread.append(Unread(id: id, peer: peer, witness: witness))
    lookCount = 0
    look?.cancel()
    lookAgain()
  }

  /// A connection is closed: its client must see the end although the witness is open.
  func shutDown(_ id: ConnectionBudget.ID) {
    for each in unread where each.id == id { shutdown(each.witness.number, CInt(SHUT_RDWR)) }
  }

  /// Forgets what was read.
  func sweep() {
    let former = unread
    unread = []
    for each in former {
      if let bytes = Self.unreadBytes(of: each.witness.number), bytes > 0 {
        unread.append(each)
      } else {
        ended(each.peer)
      }
    }
  }

  /// Forgets all.
  func removeAll() {
    look?.cancel()
    look = nil
    for each in unread { shutDown(each.id) }
    unread = []
  }

  private func lookAgain() {
    guard !unread.isEmpty else { return look = nil }
    let wait = Self.waits[min(lookCount, Self.waits.count - 1)]
    lookCount += 1
    look = loop.here.scheduleTask(in: wait) { [self] in
      sweep()
      lookAgain()
    }
  }
}
