import Dispatch
import Glibc
import Synchronization

/// Why the folder of ports cannot be followed.
package struct PortDirectoryError: Error, Sendable, CustomStringConvertible {
  package let description: String
}

/// What happens to the entries of a folder (inotify), by their names: with a thousand entries, a
/// new one is found without a look at the others.
final class FolderChanges: Sendable {
  /// What must be looked at.
  enum Change: Hashable, Sendable {
    /// All entries: at first, and when the kernel could not keep up.
    case all
    /// Those with these names, which came, went, or both.
    case names(Set<String>)
  }

  private let path: String
  private let pending = Mutex(Change.all)
  private let news: AsyncStream<Void>
  private let tell: AsyncStream<Void>.Continuation

  private init(_ path: String) {
    self.path = path
    (news, tell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// `all` at once, then what changed since the last element was read.
  static func watch(_ path: String) throws -> some AsyncSequence<Change, Never> & Sendable {
    let changes = FolderChanges(path)
    try changes.begin()
    return changes.news.map { changes.take() }
  }

  private func begin() throws {
    let descriptor = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
    guard descriptor >= 0 else { throw failure("inotify") }
    let mask = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_ONLYDIR)
    guard inotify_add_watch(descriptor, path, mask) >= 0 else {
      let error = failure("watching")
      close(descriptor)
      throw error
    }
    tell.yield()
    // Not a channel: making the first one of its kind takes seven million instructions, and the
    // folder is followed before the first call is answered.
    // All threads may use dispatch sources at once, although their Swift type does not state it.
    nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler { self.drain(descriptor) }
    source.setCancelHandler { close(descriptor) }
    source.activate()
    tell.onTermination = { _ in source.cancel() }
  }

  private func take() -> Change {
    pending.withLock { pending in
      defer { pending = .names([]) }
      return pending
    }
  }

  /// Takes what is there. Events are whole: a read never ends within one (inotify(7)), and the
  /// longest has 272 bytes.
  private func drain(_ descriptor: CInt) {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { room in
      while case let count = read(descriptor, room.baseAddress, room.count), count > 0 {
        note(Self.change(in: UnsafeRawBufferPointer(rebasing: room[..<count])))
      }
    }
    tell.yield()
  }

  private func note(_ change: Change) {
    pending.withLock { pending in
      if case .names(let waiting) = pending, case .names(let names) = change {
        pending = .names(waiting.union(names))
      } else {
        pending = .all
      }
    }
  }

  /// What events say: wd, mask, cookie, the length of the name, and the name, which NULs follow.
  private static func change(in events: UnsafeRawBufferPointer) -> Change {
    let head = MemoryLayout<UInt32>.size * 4
    var names: Set<String> = []
    var rest = events[...]
    while rest.count >= head {
      let event = UnsafeRawBufferPointer(rebasing: rest)
      let mask = event.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
      let length = Int(event.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
      guard mask & UInt32(IN_Q_OVERFLOW) == 0, length <= rest.count - head else { return .all }
      rest = rest.dropFirst(head)
      let name = rest.prefix(length).prefix { $0 != 0 }
      if !name.isEmpty { names.insert(String(decoding: name, as: UTF8.self)) }
      rest = rest.dropFirst(length)
    }
    return rest.isEmpty ? .names(names) : .all
  }

  private func failure(_ what: String) -> PortDirectoryError {
    PortDirectoryError(
      description:
        "\(what) \(path) failed: \(String(cString: strerror(errno))); create the folder (systemd-tmpfiles --create) or give another with --ports"
    )
  }
}
