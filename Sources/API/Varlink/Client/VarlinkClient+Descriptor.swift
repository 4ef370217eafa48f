import CLinux
import DetachedThread
import Glibc
import LimitClock

/// A reply and the descriptor that came with it.
public struct ReplyWithDescriptor<Reply: Sendable>: Sendable {
  public let reply: Reply
  /// Closed with the last reference to it; `dup` makes one that outlives it.
  public let descriptor: OwnedDescriptor
}

extension VarlinkClient {
  /// Calls a method whose reply carries a descriptor (SCM_RIGHTS), over a connection of its own.
  ///
  /// The descriptor comes with the first byte of the reply, and one field of the reply, whose name
  /// ends in `FileDescriptor`, has its index. Further descriptors are closed. Cancelling the task
  /// ends the call.
  ///
  /// - Throws: `VarlinkError` that the service answered; `VarlinkClientError`, also for a reply
  ///   without the descriptor; `CancellationError`.
  public static func takeDescriptor<Method: VarlinkMethod>(
    by method: Method.Type, _ parameters: Method.Parameters, from path: String
  ) async throws -> ReplyWithDescriptor<Method.Reply> {
    let socket = try await trying(by: .machine) { try connectedSocket(to: path) }
    let call = Array(Frame.call(method, parameters).readableBytesView)
    let message: ReceivedMessage
    do {
      message = try await DescriptorCall(socket: socket, bytes: call, method: Method.name).run()
    } catch {
      try Task.checkCancellation()
      throw error
    }
    let reply = try OnlyReply.read(message.frame, of: method)
    guard let index = descriptorIndex(in: message.frame), message.descriptors.indices.contains(index) else {
      throw VarlinkClientError.badReply(method: Method.name)
    }
    return ReplyWithDescriptor(reply: reply, descriptor: message.descriptors[index])
  }

  /// The value of the reply's only field that names a descriptor; nil if there is none, or more.
  private static func descriptorIndex(in frame: [UInt8]) -> Int? {
    guard let body = try? JSONCoding.decode(ReplyBody<JSONValue>.self, from: frame),
      case .object(let fields) = body.parameters
    else { return nil }
    let named = fields.filter { $0.key.hasSuffix("FileDescriptor") && $0.value != .null }
    guard named.count == 1, case .int(let index)? = named.first?.value else { return nil }
    return Int(exactly: index)
  }

  private static func connectedSocket(to path: String) throws -> OwnedDescriptor {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < room else { throw VarlinkClientError.unreachable(path: path, errno: ENAMETOOLONG) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { throw VarlinkClientError.unreachable(path: path, errno: errno) }
    let owned = OwnedDescriptor(descriptor)
    // Never waits: a full queue is an error.
    let result = withUnsafeBytes(of: &address) {
      Glibc.connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
    }
    guard result == 0 else { throw VarlinkClientError.unreachable(path: path, errno: errno) }
    return owned
  }
}

/// A message, and the descriptors that came with its first byte.
struct ReceivedMessage: Sendable {
  let frame: [UInt8]
  let descriptors: [OwnedDescriptor]
}

/// One call and its message, on a thread of its own: NIO would lose the descriptors.
struct DescriptorCall: Sendable {
  /// The largest message, as of other calls.
  private static let messageLimit = 16 << 20

  let socket: OwnedDescriptor
  let bytes: [UInt8]
  let method: String

  func run() async throws -> ReceivedMessage {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isStarted = DetachedThread.start { continuation.resume(with: Result { try exchange() }) }
        if !isStarted { continuation.resume(throwing: VarlinkClientError.disconnected) }
      }
    } onCancel: {
      // Wakes the thread.
      shutdown(socket.number, CInt(SHUT_RDWR))
    }
  }

  private func exchange() throws -> ReceivedMessage {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(socket.number, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
      if count > 0 { rest = rest.dropFirst(count) } else { try wait(for: POLLOUT, after: errno) }
    }
    var frame: [UInt8] = []
    var descriptors: [OwnedDescriptor] = []
    while true {
      let (part, came) = try receive()
      // By the convention, they belong to the first byte. Of a later one they would be closed here.
      guard frame.isEmpty || came.isEmpty else { throw VarlinkClientError.badReply(method: method) }
      if frame.isEmpty { descriptors = came }
      if let end = part.firstIndex(of: 0) {
        return ReceivedMessage(frame: frame + part[..<end], descriptors: descriptors)
      }
      frame += part
      guard frame.count <= Self.messageLimit else { throw VarlinkClientError.badReply(method: method) }
    }
  }

  /// The next bytes, and what came with them.
  private func receive() throws -> ([UInt8], [OwnedDescriptor]) {
    var numbers = [CInt](repeating: -1, count: Int(clinux_most_descriptors))
    while true {
      var number = 0
      var (count, reason): (Int, CInt) = (0, 0)
      let part = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
        count = clinux_receive_with_descriptors(
          socket.number, buffer.baseAddress, buffer.count, &numbers, &number, 0)
        reason = errno
        filled = max(count, 0)
      }
      if count > 0 { return (part, numbers.prefix(number).map { OwnedDescriptor($0) }) }
      guard count < 0 else { throw VarlinkClientError.disconnected }
      try wait(for: POLLIN, after: reason)
    }
  }

  /// Waits, if that cures the error.
  private func wait(for event: CInt, after reason: CInt) throws {
    guard reason == EAGAIN || reason == EINTR else { throw VarlinkClientError.disconnected }
    var polled = pollfd(fd: socket.number, events: Int16(event), revents: 0)
    _ = poll(&polled, 1, -1)
  }
}
