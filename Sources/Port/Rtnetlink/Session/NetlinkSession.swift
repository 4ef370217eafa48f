import CLinux
import Glibc

/// Requests to the kernel, one after the other. Calls throw `NetlinkError`.
///
/// It serves one caller at a time: keep it in an actor or on one thread.
package final class NetlinkSession {
  private let socket: any NetlinkSocket
  private let limit: Int32
  private var sequence: UInt32

  /// Makes a session over `socket`.
  ///
  /// - Parameters:
  ///   - firstSequence: the number of the first request; later requests count up.
  ///   - limit: milliseconds to wait for each datagram of an answer.
  package init(_ socket: any NetlinkSocket, firstSequence: UInt32 = 1, limit: Int32 = 5000) {
    self.socket = socket
    self.limit = limit
    sequence = firstSequence
  }

  deinit { socket.close() }

  /// Sends a request and waits until the kernel confirms it.
  ///
  /// - Parameter operation: its purpose as it appears in errors: "add address 10.0.0.2/30 to
  ///   wwan0".
  func perform(_ operation: String, type: some BinaryInteger, flags: Int32 = 0, _ payload: [UInt8]) throws {
    let number = try send(type: type, flags: flags | NLM_F_ACK, payload)
    _ = try collect(operation, number)
  }

  /// Sends a request and returns the single message that answers it; nil if the kernel only
  /// acknowledges.
  func fetch(_ operation: String, type: some BinaryInteger, _ payload: [UInt8]) throws -> NetlinkMessage? {
    let number = try send(type: type, flags: NLM_F_ACK, payload)
    return try collect(operation, number).messages.first
  }

  /// Requests all objects of a kind, and starts again if they changed while the kernel listed them.
  func dump(_ operation: String, type: some BinaryInteger, _ payload: [UInt8]) throws -> [NetlinkMessage] {
    for _ in 0..<5 {
      let number = try send(type: type, flags: NLM_F_DUMP, payload)
      let answer = try collect(operation, number)
      if !answer.interrupted { return answer.messages }
    }
    throw NetlinkError(.failed, "cannot \(operation): the list changed during each of 5 readings; try again")
  }

  /// Requests all objects of a kind, and hands each over as it comes. What changes meanwhile may be
  /// missing.
  func scan(
    _ operation: String, type: some BinaryInteger, _ payload: [UInt8], _ each: (NetlinkMessage) -> Void
  ) throws {
    let number = try send(type: type, flags: NLM_F_DUMP, payload)
    _ = try collect(operation, number, each)
  }

  /// Sends a request for each payload in one datagram.
  ///
  /// - Returns: the kernel's answers in the order of the payloads: an errno, 0 for success.
  func performEach(_ operation: String, type: some BinaryInteger, _ payloads: [[UInt8]]) throws -> [Int32] {
    let first = sequence
    var datagram: [UInt8] = []
    for payload in payloads {
      datagram +=
        NetlinkMessage(
          type: UInt16(type), flags: UInt16(NLM_F_REQUEST | NLM_F_ACK), sequence: sequence, port: socket.port,
          payload: payload
        ).bytes
      datagram += [UInt8](repeating: 0, count: -datagram.count & 3)
      sequence &+= 1
    }
    guard !payloads.isEmpty else { return [] }
    try socket.send(datagram)
    var answers = [Int32?](repeating: nil, count: payloads.count)
    while answers.contains(nil) {
      for message in try NetlinkMessage.parse(try socket.receive(within: limit))
      where message.port == socket.port && message.type == UInt16(NLMSG_ERROR) {
        let place = Int(message.sequence &- first)
        guard answers.indices.contains(place) else { continue }
        guard let answer = Acknowledgement(message) else {
          throw NetlinkError(.badReply, "cannot \(operation): the kernel's answer is too short")
        }
        answers[place] = answer.errno
      }
    }
    return answers.map { $0 ?? 0 }
  }

  /// Sends several messages in one datagram, and waits until the kernel has acknowledged each one
  /// that requests it. The first error ends the wait. Later answers have other numbers and are
  /// skipped.
  func performTogether(_ operation: String, _ messages: [(type: UInt16, flags: Int32, payload: [UInt8])]) throws {
    var datagram: [UInt8] = []
    var numbers: Set<UInt32> = []
    var awaited: Set<UInt32> = []
    for message in messages {
      let number = sequence
      sequence &+= 1
      numbers.insert(number)
      if message.flags & NLM_F_ACK != 0 { awaited.insert(number) }
      datagram +=
        NetlinkMessage(
          type: message.type, flags: UInt16(message.flags | NLM_F_REQUEST), sequence: number, port: socket.port,
          payload: message.payload
        ).bytes
      datagram += [UInt8](repeating: 0, count: -datagram.count & 3)
    }
    try socket.send(datagram)
    while !awaited.isEmpty {
      for message in try NetlinkMessage.parse(try socket.receive(within: limit))
      where message.port == socket.port && numbers.contains(message.sequence) && message.type == UInt16(NLMSG_ERROR) {
        try check(message, operation)
        awaited.remove(message.sequence)
      }
    }
  }

  private func send(type: some BinaryInteger, flags: Int32, _ payload: [UInt8]) throws -> UInt32 {
    let number = sequence
    sequence &+= 1
    let message = NetlinkMessage(
      type: UInt16(type), flags: UInt16(flags | NLM_F_REQUEST), sequence: number, port: socket.port, payload: payload)
    try socket.send(message.bytes)
    return number
  }

  private func collect(_ operation: String, _ number: UInt32) throws -> (
    messages: [NetlinkMessage], interrupted: Bool
  ) {
    var messages: [NetlinkMessage] = []
    let interrupted = try collect(operation, number) { messages.append($0) }
    return (messages, interrupted)
  }

  /// Hands over each message of an answer; returns whether the objects changed meanwhile.
  private func collect(_ operation: String, _ number: UInt32, _ each: (NetlinkMessage) -> Void) throws -> Bool {
    var interrupted = false
    while true {
      for message in try NetlinkMessage.parse(try socket.receive(within: limit)) {
        // A late answer to an earlier request that timed out may still come.
        guard message.sequence == number, message.port == socket.port else { continue }
        if message.flags & UInt16(NLM_F_DUMP_INTR) != 0 { interrupted = true }
        switch message.type {
        case UInt16(NLMSG_ERROR), UInt16(NLMSG_DONE):
          try check(message, operation)
          return interrupted
        case UInt16(NLMSG_NOOP): continue
        case UInt16(NLMSG_OVERRUN): throw NetlinkError("\(operation)", errno: ENOBUFS)
        default: each(message)
        }
      }
    }
  }

  private func check(_ message: NetlinkMessage, _ operation: String) throws {
    guard let answer = Acknowledgement(message) else {
      // NLMSG_DONE may come bare.
      if message.type == UInt16(NLMSG_DONE) { return }
      throw NetlinkError(.badReply, "cannot \(operation): the kernel's answer is too short")
    }
    guard answer.errno == 0 else { throw NetlinkError(operation, errno: answer.errno, cause: answer.text) }
  }
}
