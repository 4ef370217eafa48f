import Glibc
import NIOCore

/// A descriptor that somebody owns: it is closed with the last reference to it.
public final class OwnedDescriptor: Sendable {
  /// Valid while this object lives.
  public let number: CInt

  public init(_ number: CInt) { self.number = number }

  deinit { close(number) }
}

/// A reply and the descriptor that leaves with it. The reply's field names index 0.
public struct HandedOver<Reply: Encodable & Sendable>: Sendable {
  public let reply: Reply
  public let descriptor: OwnedDescriptor
  /// Runs once, when the reply has left or cannot leave any more.
  public let onSent: @Sendable (_ isSent: Bool) -> Void

  public init(
    _ reply: Reply, _ descriptor: OwnedDescriptor, onSent: @escaping @Sendable (_ isSent: Bool) -> Void = { _ in }
  ) {
    self.reply = reply
    self.descriptor = descriptor
    self.onSent = onSent
  }
}

/// A reply, and what the connection is for afterwards.
public struct Upgrade<Reply: Encodable & Sendable>: Sendable {
  public let reply: Reply
  /// Runs on the connection's loop when the reply is written and the Varlink handler has left the
  /// pipeline: the channel, and what the client sent behind its call.
  public let begin: @Sendable (_ channel: any Channel, _ early: ByteBuffer) -> Void
  /// Runs in place of `begin` if the connection ended before.
  public let abandon: @Sendable () -> Void

  public init(
    _ reply: Reply, begin: @escaping @Sendable (_ channel: any Channel, _ early: ByteBuffer) -> Void,
    abandon: @escaping @Sendable () -> Void
  ) {
    self.reply = reply
    self.begin = begin
    self.abandon = abandon
  }
}
