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
    let socket = try await trying(by: .machine) { try LoneCall.connectedSocket(to: path) }
    let call = Array(Frame.call(method, parameters).readableBytesView)
    let message: ReceivedMessage
    do {
      message = try await LoneCall(socket: socket, bytes: call, method: Method.name).run()
    } catch {
      try Task.checkCancellation()
      throw error
    }
    let reply = try ReceivedReply.only(message.frame, of: method)
    guard let index = descriptorIndex(in: message.frame), message.descriptors.indices.contains(index) else {
      throw VarlinkClientError.badReply(method: Method.name)
    }
    return ReplyWithDescriptor(reply: reply, descriptor: message.descriptors[index])
  }

  /// The value of the reply's only field that names a descriptor; nil if there is none, or more.
  private static func descriptorIndex(in frame: [UInt8]) -> Int? {
    guard case .object(let fields)? = try? ReceivedReply(frame).parameters else { return nil }
    let named = fields.filter { $0.key.hasSuffix("FileDescriptor") && $0.value != .null }
    guard named.count == 1, case .int(let index)? = named.first?.value else { return nil }
    return Int(exactly: index)
  }
}
