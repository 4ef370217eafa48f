import Glibc
import ModemModel
import ModemSimulator

extension World {
  /// `sms FROM TEXT`: the network delivers a message, in as many parts as it needs.
  nonisolated func receiveMessage(_ words: [String], _ line: String) throws -> String {
    let parts = line.split(separator: " ", maxSplits: 2)
    guard parts.count == 3 else { throw WorldError(.process, "a sender and a text are expected after \(words[0])") }
    return try Self.deliver(String(parts[2]), from: String(parts[1]), to: modem)
  }

  /// `sms-to NUMBER FROM TEXT`: the network delivers a message to whoever has the number.
  func deliverMessage(_ line: String) throws -> String {
    let parts = line.split(separator: " ", maxSplits: 3).map(String.init)
    guard parts.count == 4 else {
      throw WorldError(.process, "a number, a sender and a text are expected after \(parts[0])")
    }
    guard let modem = modem(withNumber: parts[1]) else { return "no modem has the number" }
    return try Self.deliver(MessageLine.text(of: parts[3]), from: parts[2], to: modem)
  }

  /// The modem that had the number when it was switched on.
  private func modem(withNumber number: String) -> SimulatedModem? {
    let modems = [modem] + fleet.map(\.modem)
    return zip(scenario.members, modems).first { $0.0.simInUse.numbers.contains(number) }?.1
  }

  private static func deliver(_ text: String, from sender: String, to modem: SimulatedModem) throws -> String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let message = SimulatedMessage(
      from: sender, text: text, sent: Timestamp(milliseconds: Int64(time.tv_sec) * 1000),
      reference: UInt8.random(in: 0...255))
    return words(try modem.receive(message))
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

/// A text in one line: line feeds and backslashes are written as in C.
enum MessageLine {
  static func line(of text: String) -> String {
    text.reduce(into: "") { line, character in
      switch character {
      case "\\": line += #"\\"#
      case "\n", "\r\n": line += #"\n"#
      default: line.append(character)
      }
    }
  }

  static func text(of line: String) -> String {
    var isEscaped = false
    return line.reduce(into: "") { text, character in
      if isEscaped {
        text += character == "n" ? "\n" : String(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        text.append(character)
      }
    }
  }
}
