import Glibc
import ModemModel
import ModemSimulator

extension World {
  /// `sms FROM TEXT`: the network delivers a message, in as many parts as it needs.
  nonisolated func receiveMessage(_ words: [String], _ line: String) throws -> String {
    let parts = line.split(separator: " ", maxSplits: 2)
    guard parts.count == 3 else { throw WorldError(.process, "a sender and a text are expected after \(words[0])") }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let message = SimulatedMessage(
      from: String(parts[1]), text: String(parts[2]), sent: Timestamp(milliseconds: Int64(time.tv_sec) * 1000),
      reference: UInt8.random(in: 0...255))
    return Self.words(try modem.receive(message))
  }

  /// `sms-pdu HEX`: the network delivers these octets.
  nonisolated func receivePDU(_ words: [String]) throws -> String {
    guard words.count == 2, let pdu = MessagePDU(hex: words[1]) else {
      throw WorldError(.process, "an even number of hexadecimal digits is expected after \(words[0])")
    }
    return Self.words([modem.receive(pdu: pdu.octets)])
  }

  private static func words(_ deliveries: [MessageDelivery]) -> String {
    deliveries.map { delivery in
      switch delivery {
      case .stored(let index): "stored at \(index)"
      case .passedOn: "passed on"
      case .full: "no room"
      case .unreachable: "the modem cannot be reached"
      }
    }.joined(separator: ", ")
  }
}
