import Rtnetlink
import Synchronization

/// Records what is sent and answers from a list of datagrams, with the request's sequence number
/// filled in.
final class FakeNetlinkSocket: NetlinkSocket {
  let port: UInt32 = 7
  private let state = Mutex((sent: [[UInt8]](), answers: [[UInt8]]()))

  init(_ answers: [[UInt8]] = []) { state.withLock { $0.answers = answers } }

  var sent: [[UInt8]] { state.withLock(\.sent) }

  func send(_ datagram: [UInt8]) throws { state.withLock { $0.sent.append(datagram) } }

  func receive(within milliseconds: Int32?) throws -> [UInt8] {
    let next = state.withLock { $0.answers.isEmpty ? nil : $0.answers.removeFirst() }
    guard let next else { throw NetlinkError(.timeout, "the fake has no more answers") }
    return next
  }

  func close() {}

  /// NLMSG_ERROR with code 0 for the request with this number.
  static func done(_ sequence: UInt8) -> [UInt8] {
    hex("24000000 0200 0000 \(byte(sequence))000000 07000000  00000000  20000000 1000 0500 01000000 07000000")
  }

  static func byte(_ number: UInt8) -> String { (number < 16 ? "0" : "") + String(number, radix: 16) }
}

/// Bytes from hexadecimal digits; everything after `;` on a line is a remark.
func hex(_ text: String) -> [UInt8] {
  let digits = text.split(separator: "\n").flatMap { $0.prefix { $0 != ";" } }.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}

/// A kernel's socket in front of which something happens, once, before the first message of a type.
final class InterruptedSocket: NetlinkSocket {
  private let kernel: KernelNetlinkSocket
  private let type: UInt16
  private let interruption: @Sendable () throws -> Void
  private let isDone = Mutex(false)

  init(_ kernel: KernelNetlinkSocket, before type: UInt16, _ interruption: @escaping @Sendable () throws -> Void) {
    self.kernel = kernel
    self.type = type
    self.interruption = interruption
  }

  var port: UInt32 { kernel.port }

  func send(_ datagram: [UInt8]) throws {
    let isFirst =
      try NetlinkMessage.parse(datagram).first?.type == type
      && isDone.withLock { done in
        defer { done = true }
        return !done
      }
    if isFirst { try interruption() }
    try kernel.send(datagram)
  }

  func receive(within milliseconds: Int32?) throws -> [UInt8] { try kernel.receive(within: milliseconds) }
  func close() { kernel.close() }
}
