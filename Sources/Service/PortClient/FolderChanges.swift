import Glibc
import NIOCore
import NIOPosix

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
    let pipe = NIOPipeBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ChangeHandler(continuation))
        }
      }
      .takingOwnershipOfDescriptor(input: descriptor)
    continuation.onTermination = { _ in pipe.whenSuccess { $0.close(promise: nil) } }
    return stream
  }

  private static func failure(_ what: String, _ path: String) -> PortDirectoryError {
    PortDirectoryError(
      description:
        "\(what) \(path) failed: \(String(cString: strerror(errno))); create the folder (systemd-tmpfiles --create) or give another with --ports"
    )
  }
}

// The kind of change does not matter: the folder is read again.
private final class ChangeHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let continuation: AsyncStream<Void>.Continuation

  init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { continuation.yield() }
  func channelInactive(context: ChannelHandlerContext) { continuation.finish() }
}
