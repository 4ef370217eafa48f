import Glibc
import LimitClock
import ModemAPIClient
import NIOCore

/// Calls whose reply comes with a socket, or before a stream.
extension Driver {
  nonisolated func take<Method: VarlinkMethod>(
    _ what: String, by method: Method.Type, _ parameters: Method.Parameters, _ call: Order.Call, _ index: Int,
    _ client: ModemAPIClient, within limit: Duration?
  ) async throws {
    if call.cancelAfterReplies == 0 {
      // Cancelling is one thing whenever it comes: the server sees the call and then the end.
      let taking = Task { try await take(what, by: method, parameters, call.waiting, index, client, within: limit) }
      try await LimitClock.machine.pause(for: .milliseconds(200))
      taking.cancel()
      return try await taking.value
    }
    if what == "socket" {
      let taken = try await client.takeDescriptor(by: method, parameters, within: limit)
      Line.print(index, ["reply": try Line.json(taken.reply)])
      return Line.print(index, ["received": .string(Self.read(taken.descriptor))])
    }
    let opened = try await client.upgrade(by: method, parameters, within: limit)
    Line.print(index, ["reply": try Line.json(opened.reply)])
    if call.cancelAfterReplies == 1 { withUnsafeCurrentTask { $0?.cancel() } }
    if let text = call.send {
      try await opened.stream.write(ByteBuffer(string: text))
      try await opened.stream.closeSending()
    }
    var received = ByteBuffer()
    for try await var bytes in opened.stream { received.writeBuffer(&bytes) }
    if let text = call.sendAtEnd {
      try await opened.stream.write(ByteBuffer(string: text))
      try await opened.stream.closeSending()
    }
    Line.print(index, ["received": .string(String(buffer: received))])
  }

  /// All that comes from a socket, to its end.
  private static func read(_ descriptor: OwnedDescriptor) -> String {
    var (all, part): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 4096))
    while case let count = recv(descriptor.number, &part, part.count, 0), count > 0 { all += part[..<count] }
    return String(decoding: all, as: UTF8.self)
  }
}

extension Order.Call {
  /// The same call, not cancelled by itself.
  fileprivate var waiting: Order.Call {
    var call = self
    call.cancelAfterReplies = nil
    return call
  }
}
