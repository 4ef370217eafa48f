import Synchronization

/// A message on a modem's control channel without subscriber data: what it is, and its result.
public struct ControlMessage: Hashable, Sendable {
  /// Which way it went.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    case sent, received
    /// The modem sent it unasked.
    case indicated
    /// A command that got no reply.
    case failed
  }

  public var direction: Direction
  /// Service and command, as in `Basic Connect CONNECT set`.
  public var name: String
  /// The number that a command and its reply share; nil if there is none.
  public var transaction: Int?
  /// Bytes of the whole message, its header included.
  public var length: Int
  /// The modem's own status: 0 for success (MBIM_STATUS_CODES, or QMI's error code).
  public var status: Int?
  /// Fields whose values reveal nothing about the subscriber, and the lengths of others.
  public var detail: String?

  public init(
    _ direction: Direction, name: String, transaction: Int? = nil, length: Int = 0, status: Int? = nil,
    detail: String? = nil
  ) {
    self.direction = direction
    self.name = name
    self.transaction = transaction
    self.length = length
    self.status = status
    self.detail = detail
  }
}

/// Passes the messages of a control channel to current listeners. Without listeners, no messages
/// are made.
public final class ControlTap: Sendable {
  /// The largest number of listeners, and of messages that wait for one of them; later messages are
  /// lost.
  public static let limit = (listeners: 4, messages: 512)

  private struct Listeners {
    var next = 0
    var all: [Int: AsyncStream<ControlMessage>.Continuation] = [:]
  }

  private let listeners = Mutex(Listeners())

  public init() {}

  /// The messages from now on, until the reader leaves; nil if there are too many listeners.
  public func listen() -> AsyncStream<ControlMessage>? {
    let (messages, continuation) = AsyncStream.makeStream(
      of: ControlMessage.self, bufferingPolicy: .bufferingOldest(Self.limit.messages))
    let place = listeners.withLock { listeners -> Int? in
      guard listeners.all.count < Self.limit.listeners else { return nil }
      listeners.next += 1
      listeners.all[listeners.next] = continuation
      return listeners.next
    }
    guard let place else { return nil }
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { _ = $0.all.removeValue(forKey: place) }
    }
    return messages
  }

  /// Tells of a message.
  ///
  /// - Parameter make: only called if there is a listener.
  public func note(_ make: () -> ControlMessage?) {
    let all = listeners.withLock { Array($0.all.values) }
    guard !all.isEmpty, let message = make() else { return }
    for continuation in all { continuation.yield(message) }
  }
}
