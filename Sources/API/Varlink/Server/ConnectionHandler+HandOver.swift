import CLinux
import Glibc
import NIOCore

/// Replies that carry a descriptor.
///
/// The kernel gives a reader of a Unix socket the bytes before a descriptor together with it. Such
/// a reply therefore waits until everything before it was read, and leaves in one call of the
/// kernel's, beside NIO, which knows no descriptors.
extension ConnectionHandler {
  /// How long to wait before looking again whether the client has read: each time longer.
  private static let handingWaits: [TimeAmount] = [1, 2, 5, 10, 20, 50, 100].map { .milliseconds($0) }

  /// What one attempt to send came to.
  private enum Attempt {
    case isEarly
    case sent(rest: ByteBuffer)
    case failed(errno: CInt)
  }

  func handOver(_ handing: Handing) {
    guard let context else { return dropDescriptor(handing) }
    state = .handing(handing)
    handingLimit = context.eventLoop.here.scheduleTask(in: TimeAmount(limits.unreadReplyTime)) { [self] in
      end("it does not read its replies")
    }
    tryToHandOver(attempt: 0)
  }

  private func tryToHandOver(attempt number: Int) {
    guard case .handing(let handing) = state, let context else { return }
    switch attempt(handing, over: context.channel) {
    case .isEarly:
      let wait = Self.handingWaits[min(number, Self.handingWaits.count - 1)]
      handingWait = context.eventLoop.here.scheduleTask(in: wait) { [self] in tryToHandOver(attempt: number + 1) }
      resumeReads()
      settle()
    case .failed(let reason):
      end(reason == EPERM ? "it does not accept descriptors" : nil)
    case .sent(let rest):
      handingLimit?.cancel()
      handingWait?.cancel()
      state = .idle
      handing.onSent(true)
      if rest.readableBytes > 0 { write(rest) }
      serveNext()
    }
  }

  private func attempt(_ handing: Handing, over channel: any Channel) -> Attempt {
    guard unwrittenBytes == 0, (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) == 0 else {
      return .isEarly
    }
    let sent = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
      socket in send(handing, over: socket)
    }
    return (sent ?? nil) ?? .failed(errno: ENOTSOCK)
  }

  private func send(_ handing: Handing, over socket: CInt) -> Attempt {
    guard let unread = UnreadDescriptors.unreadBytes(of: socket) else { return .failed(errno: errno) }
    guard unread == 0 else { return .isEarly }
    // Tells until when the descriptor is unread, even if the client half closes.
    let witness = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    guard witness >= 0 else { return .failed(errno: errno) }
    var frame = Frame.reply(handing.reply, continues: false)
    let count = frame.withUnsafeReadableBytes { bytes in
      clinux_send_with_descriptor(
        socket, bytes.baseAddress, bytes.count, handing.descriptor.number, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL))
    }
    guard count > 0 else {
      let reason = errno
      close(witness)
      return [EAGAIN, EINTR, ENOBUFS].contains(reason) ? .isEarly : .failed(errno: reason)
    }
    reception.watchDescriptor(OwnedDescriptor(witness), id, peer)
    frame.moveReaderIndex(forwardBy: count)
    return .sent(rest: frame)
  }

  /// The descriptor does not leave.
  func dropDescriptor(_ handing: Handing) {
    reception.endDescriptor(of: peer)
    handing.onSent(false)
  }
}
