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
  /// Runs once, when the reply has left or cannot leave any more. It has left when the kernel has
  /// it for the client, who may have it unread or be gone.
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
  ///
  /// Handlers must be added before it returns. The channel reads only when it is asked to
  /// (`autoRead` is off, and one read may still be under way), and passes on a half close by
  /// `ChannelEvent.inputClosed`, one that came before too. The server closes the channel when it
  /// ends, and counts it as a connection of its user until then.
  public let begin: @Sendable (_ channel: any Channel, _ early: ByteBuffer) -> Void
  /// Runs in place of `begin` if the connection ended before; on any thread.
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

/// How a method is called.
enum CallForm: Hashable, Sendable {
  /// For one reply, or for many.
  case replies
  /// For one reply with a descriptor.
  case handOver
  /// For one reply, and the connection after it.
  case upgrade

  /// The member of a call that does not fit this form; nil if all do.
  func unfitting(_ header: CallHeader) -> String? {
    switch self {
    case .replies: nil
    case .upgrade where header.upgrade != true: "upgrade"
    case .handOver, .upgrade: header.more == true ? "more" : header.oneway == true ? "oneway" : nil
    }
  }
}

/// The end of a call that ran: its last reply, and what goes along with it.
enum CallAnswer: Sendable {
  case reply([UInt8])
  case handOver(Handing)
  case upgrade(Upgrading)

  /// Nobody is there any more who could have it.
  func discard() {
    switch self {
    case .reply: break
    case .handOver(let handing): handing.onSent(false)
    case .upgrade(let upgrading): upgrading.abandon()
    }
  }
}

/// An encoded reply and its descriptor, on their way.
struct Handing: Sendable {
  let reply: [UInt8]
  let descriptor: OwnedDescriptor
  let onSent: @Sendable (_ isSent: Bool) -> Void
}

/// An encoded reply, and who gets the connection after it.
struct Upgrading: Sendable {
  let reply: [UInt8]
  let begin: @Sendable (_ channel: any Channel, _ early: ByteBuffer) -> Void
  let abandon: @Sendable () -> Void
}
