import CLinux
import DetachedThread
import Glibc
import LimitClock

/// A message, and the descriptors that came with its first byte.
struct ReceivedMessage: Sendable {
  let frame: [UInt8]
  let descriptors: [OwnedDescriptor]
}

/// One call and its message over a connection of its own, without an event loop: NIO would lose the
/// descriptors, and starting it costs a short program more than the call does.
struct LoneCall: Sendable {
  /// The largest message, as of other calls.
  private static let messageLimit = 16 << 20
  /// How often `atOnce` looks for more.
  private static let mostLooks = 16

  private enum Progress {
    case message(ReceivedMessage)
    /// The other side has to do something first.
    case waits(for: CInt)
  }

  private let socket: OwnedDescriptor
  private let method: String
  /// What is not sent yet.
  private var rest: ArraySlice<UInt8>
  private var frame: [UInt8] = []
  private var descriptors: [OwnedDescriptor] = []

  init(socket: OwnedDescriptor, bytes: [UInt8], method: String) {
    self.socket = socket
    self.method = method
    rest = bytes[...]
  }

  /// Sends the call, and waits for the message on the caller's own thread, which most services need
  /// no longer for than a thread takes to start.
  ///
  /// - Parameter milliseconds: how long each part of the message may take to come.
  /// - Returns: nil if there is no message by then; `run` waits on.
  /// - Throws: `VarlinkClientError.disconnected`, `.badReply`.
  mutating func atOnce(_ milliseconds: CInt) throws -> ReceivedMessage? {
    for _ in 0..<Self.mostLooks {
      switch try advance() {
      case .message(let message): return message
      case .waits(let event): if !wait(for: event, milliseconds) { return nil }
      }
    }
    return nil
  }

  /// Does, or goes on with, the whole exchange on a thread of its own. Cancelling the task ends it.
  ///
  /// - Throws: `VarlinkClientError.disconnected`, `.badReply`.
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
    var call = self
    while true {
      switch try call.advance() {
      case .message(let message): return message
      case .waits(let event): _ = wait(for: event, -1)
      }
    }
  }

  /// Sends and receives what can be without waiting.
  private mutating func advance() throws -> Progress {
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(socket.number, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
      if count > 0 { rest = rest.dropFirst(count) } else if try isBusy(errno) { return .waits(for: POLLOUT) }
    }
    while true {
      guard let (part, came) = try receive() else { return .waits(for: POLLIN) }
      // By the convention, they belong to the first byte. Of a later one they would be closed here.
      guard frame.isEmpty || came.isEmpty else { throw VarlinkClientError.badReply(method: method) }
      if frame.isEmpty { descriptors = came }
      if let end = part.firstIndex(of: 0) {
        return .message(ReceivedMessage(frame: frame + part[..<end], descriptors: descriptors))
      }
      frame += part
      guard frame.count <= Self.messageLimit else { throw VarlinkClientError.badReply(method: method) }
    }
  }

  /// The next bytes, and what came with them; nil if there are none yet.
  private func receive() throws -> ([UInt8], [OwnedDescriptor])? {
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
      if try isBusy(reason) { return nil }
    }
  }

  /// - Returns: whether waiting cures the error; otherwise trying again does.
  private func isBusy(_ reason: CInt) throws -> Bool {
    guard reason == EAGAIN || reason == EINTR else { throw VarlinkClientError.disconnected }
    return reason == EAGAIN
  }

  /// - Returns: whether it came within the time, -1 for any.
  private func wait(for event: CInt, _ milliseconds: CInt) -> Bool {
    var polled = pollfd(fd: socket.number, events: Int16(event), revents: 0)
    return poll(&polled, 1, milliseconds) != 0
  }
}

extension LoneCall {
  /// - Throws: `VarlinkClientError.unreachable`.
  static func connectedSocket(to path: String) throws -> OwnedDescriptor {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < room else { throw VarlinkClientError.unreachable(path: path, errno: ENAMETOOLONG) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    let descriptor = Glibc.socket(AF_UNIX, type, 0)
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

extension VarlinkClient {
  /// Calls a method over a connection of its own, for a program that makes few calls: without
  /// threads and without an event loop, if the service answers soon. Otherwise the wait goes on on
  /// a thread, and cancelling the task ends it.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - parameters: what it takes.
  ///   - path: where the service listens.
  ///   - clock: by which it waits while the service's queue in the kernel is full.
  ///   - patience: runs the part that may take long, and may end it.
  /// - Throws: `VarlinkError` that the service answered, `VarlinkClientError`, `CancellationError`,
  ///   and what `patience` throws.
  package nonisolated(nonsending) static func callAlone<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, at path: String, clock: LimitClock = .machine,
    patience: nonisolated(nonsending) (@escaping @Sendable () async throws -> [UInt8]) async throws -> [UInt8] = {
      try await $0()
    }
  ) async throws -> Method.Reply {
    let bytes = Array(Frame.call(method, parameters).readableBytesView)
    var started: LoneCall?
    do {
      var call = LoneCall(socket: try LoneCall.connectedSocket(to: path), bytes: bytes, method: Method.name)
      if let message = try call.atOnce(100) { return try ReceivedReply.only(message.frame, of: method) }
      started = call
    } catch VarlinkClientError.unreachable(_, EAGAIN) {
      // Its queue is full.
    }
    let frame = try await patience { [started] in
      do {
        if let started { return try await started.run().frame }
        let socket = try await trying(by: clock) { try LoneCall.connectedSocket(to: path) }
        return try await LoneCall(socket: socket, bytes: bytes, method: Method.name).run().frame
      } catch {
        try Task.checkCancellation()
        throw error
      }
    }
    return try ReceivedReply.only(frame, of: method)
  }
}
