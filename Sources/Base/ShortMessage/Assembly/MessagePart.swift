import ModemModel

/// One PDU, with its arrival and where it is kept.
package struct MessagePart: Hashable, Sendable {
  package let delivery: Delivery
  /// The places of this same PDU in the modem or its port; a network may deliver it twice.
  package internal(set) var references: [String]
  /// Of the PDU's octets.
  package let fingerprint: UInt64
  /// When it arrived; nil if it was there before the first look.
  package internal(set) var received: Timestamp?
  /// Whether the modem keeps it. Otherwise, it is only in memory.
  package let isStored: Bool

  package init(_ delivery: Delivery, octets: [UInt8], reference: String, received: Timestamp?, isStored: Bool) {
    self.delivery = delivery
    references = [reference]
    fingerprint = Self.fingerprint(octets)
    self.received = received
    self.isStored = isStored
  }

  /// When it arrived, else when the service centre received it.
  var time: Timestamp? { received ?? delivery.sent?.time }

  /// FNV-1a, 64 bits: it identifies a message and hides nothing.
  private static func fingerprint(_ octets: [UInt8]) -> UInt64 {
    octets.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}

/// A message with the parts that have arrived.
package struct AssembledMessage: Hashable, Sendable {
  /// In their order, at least one.
  package let parts: [MessagePart]
  /// How many there should be.
  package let total: Int

  init(parts: [MessagePart], total: Int) {
    self.parts = parts
    self.total = total
  }

  private var first: MessagePart { parts[0] }

  package var isComplete: Bool { parts.count == total }

  /// Identifies the message: the same for as long as the modem keeps it, even over restarts. An
  /// incomplete one may get another id with its next part.
  package var id: String {
    let digits = String(first.fingerprint, radix: 16)
    return "sms-" + String(repeating: "0", count: 16 - digits.count) + digits
  }

  package var sender: MessageAddress { first.delivery.sender }
  package var serviceCentre: MessageAddress? { first.delivery.serviceCentre }
  /// When the service centre received its first part.
  package var sent: ServiceCentreTime? { first.delivery.sent }
  /// When its last part arrived; nil if that was before the first look.
  package var received: Timestamp? {
    let times = parts.compactMap(\.received)
    return times.count == parts.count ? times.max() : nil
  }
  /// When it arrived or, if that was not seen, when it was sent; nil if neither is known.
  package var time: Timestamp? { received ?? parts.compactMap { $0.delivery.sent?.time }.max() }
  package var messageClass: Int? { first.delivery.coding.messageClass }
  /// Whether the modem keeps all of its parts.
  package var isStored: Bool { parts.allSatisfy(\.isStored) }
  package var destinationPort: UInt16? { first.delivery.header.destinationPort }
  package var references: [String] { parts.flatMap(\.references) }

  /// The text of the available parts; nil for data. Parts are joined before they are decoded,
  /// because a character may be split.
  package var text: MessageText? {
    var text = ""
    var index = parts.startIndex
    while index < parts.endIndex {
      switch parts[index].delivery.content {
      case .data: return nil
      case .utf16:
        var units: [UInt16] = []
        while index < parts.endIndex, case .utf16(let more) = parts[index].delivery.content {
          units += more
          index += 1
        }
        text += String(decoding: units, as: UTF16.self)
      case .septets(_, let tables):
        var septets: [UInt8] = []
        while index < parts.endIndex, case .septets(let more, tables) = parts[index].delivery.content {
          septets += more
          index += 1
        }
        text += GSMAlphabet.text(septets, tables: tables)
      }
    }
    return MessageText(text)
  }

  /// The bytes of a message for a program; nil for text.
  package var data: [UInt8]? {
    var bytes: [UInt8] = []
    for part in parts {
      guard case .data(let more) = part.delivery.content else { return nil }
      bytes += more
    }
    return bytes
  }
}
