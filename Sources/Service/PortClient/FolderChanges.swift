import Dispatch
import Glibc

/// Why the folder of ports cannot be followed.
package struct PortDirectoryError: Error, Sendable, CustomStringConvertible {
  package let description: String
}

/// Reports changes in a folder (inotify).
enum FolderChanges {
  /// One element at once, then one after each change.
  static func watch(_ path: String) throws -> AsyncStream<Void> {
    let descriptor = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
    guard descriptor >= 0 else { throw failure("inotify", path) }
    let mask = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_ONLYDIR)
    guard inotify_add_watch(descriptor, path, mask) >= 0 else {
      let error = failure("watching", path)
      close(descriptor)
      throw error
    }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield()
    // Not a channel: making the first one of its kind takes seven million instructions, and the
    // folder is followed before the first call is answered.
    // All threads may use dispatch sources at once, although their Swift type does not state it.
    nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler {
      drain(descriptor)
      continuation.yield()
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
    continuation.onTermination = { _ in source.cancel() }
    return stream
  }

  private static func failure(_ what: String, _ path: String) -> PortDirectoryError {
    PortDirectoryError(
      description:
        "\(what) \(path) failed: \(String(cString: strerror(errno))); create the folder (systemd-tmpfiles --create) or give another with --ports"
    )
  }

  /// Takes what is there. The kind of change does not matter: the folder is read again.
  private static func drain(_ descriptor: CInt) {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { room in
      while read(descriptor, room.baseAddress, room.count) > 0 {}
    }
  }
}
