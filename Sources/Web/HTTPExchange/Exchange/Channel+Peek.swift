import Glibc
import NIOCore
import NIOPosix

/// What the kernel has received on a connection and the loop has not read yet.
enum UnreadInput {
  case none, some
  /// The other side ended the connection, or it is broken.
  case end
}

extension ChannelHandlerContext {
  /// Looks at the socket without reading from it. Call it on the channel's loop.
  var unreadInput: UnreadInput {
    let result: UnreadInput?? = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(
      of: NIOBSDSocket.Handle.self
    ) {
      socket -> UnreadInput in
      var byte: UInt8 = 0
      switch recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) {
      case 1: return .some
      case 0: return .end
      default: return [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? .none : .end
      }
    }
    // A channel without a socket has no unread input.
    return (result ?? nil) ?? UnreadInput.none
  }
}
