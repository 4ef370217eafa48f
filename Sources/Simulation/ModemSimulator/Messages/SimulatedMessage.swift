import ModemModel
import ShortMessage

/// A short message that somebody sends to the simulated SIM.
package struct SimulatedMessage: Hashable, Sendable {
  /// `+` and digits, digits, or a name of at most 11 characters of the GSM alphabet.
  package var from: String
  package var text: String
  /// When the service centre receives it.
  package var sent: Timestamp
  /// Minutes east of UTC, a multiple of 15.
  package var zoneMinutes: Int
  /// 0 to 3; nil for none. One of class 0 is shown at once and not stored.
  package var messageClass: Int?
  /// Joins the parts of a long message.
  package var reference: UInt8

  package init(
    from: String, text: String, sent: Timestamp = Timestamp(milliseconds: 1_700_000_000_000), zoneMinutes: Int = 0,
    messageClass: Int? = nil, reference: UInt8 = 1
  ) {
    self.from = from
    self.text = text
    self.sent = sent
    self.zoneMinutes = zoneMinutes
    self.messageClass = messageClass
    self.reference = reference
  }

  /// The message as the network delivers it (SMS-DELIVER, 3GPP TS 23.040, 9.2.2.1), after the
  /// service centre's address: one PDU per part. It uses the GSM alphabet if that has all
  /// characters, else UCS-2.
  ///
  /// - Throws: `SimulatorError` for an impossible sender, and for more than 255 parts.
  package func pdus() throws(SimulatorError) -> [[UInt8]] {
    let address = try senderField()
    let parts = Self.parts(of: text)
    guard parts.count <= 255 else {
      throw SimulatorError(.badMessage, "a message has at most 255 parts and this text needs \(parts.count)")
    }
    return parts.enumerated().map { index, part in
      let header: [UInt8] = parts.count == 1 ? [] : [5, 0, 3, reference, UInt8(parts.count), UInt8(index + 1)]
      // Delivery, no more to send, and whether a header is there.
      return Self.serviceCentre + [header.isEmpty ? 0x04 : 0x44] + address + [0, coding(of: part)] + timeField
        + part.userData(behind: header)
    }
  }

  /// +491710760000 (a documented service centre).
  private static let serviceCentre: [UInt8] = [0x07, 0x91, 0x94, 0x71, 0x01, 0x67, 0x00, 0x00]

  // MARK: Text

  private enum Part {
    case septets([UInt8])
    case units([UInt16])

    func userData(behind header: [UInt8]) -> [UInt8] {
      switch self {
      case .septets(let septets):
        let headerSeptets = (header.count * 8 + 6) / 7
        var octets = GSMAlphabet.packed(septets, offset: headerSeptets * 7)
        octets.replaceSubrange(0..<header.count, with: header)
        return [UInt8(headerSeptets + septets.count)] + octets
      case .units(let units):
        let octets = header + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
        return [UInt8(octets.count)] + octets
      }
    }
  }

  private func coding(of part: Part) -> UInt8 {
    let messageClass = messageClass.map { 0x10 | UInt8($0 & 3) } ?? 0
    if case .units = part { return messageClass | 0x08 }
    return messageClass
  }

  private static func parts(of text: String) -> [Part] {
    if let septets = GSMAlphabet.septets(text) {
      // An escape and what follows stay together.
      return cut(septets, whole: 160, part: 153) { $0 == 0x1b }.map { .septets($0) }
    }
    return cut(Array(text.utf16), whole: 70, part: 67) { UTF16.isLeadSurrogate($0) }.map { .units($0) }
  }

  private static func cut<Unit>(_ units: [Unit], whole: Int, part: Int, isFirstOfTwo: (Unit) -> Bool) -> [[Unit]] {
    guard units.count > whole else { return [units] }
    var parts: [[Unit]] = []
    var rest = units[...]
    while !rest.isEmpty {
      var head = rest.prefix(part)
      if head.count < rest.count, let last = head.last, isFirstOfTwo(last) { head = head.dropLast() }
      parts.append(Array(head))
      rest = rest.dropFirst(head.count)
    }
    return parts
  }

  // MARK: Header fields

  private func senderField() throws(SimulatorError) -> [UInt8] {
    let digits = from.first == "+" ? from.dropFirst() : from[...]
    if !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      guard digits.count <= 20 else {
        throw SimulatorError(.badMessage, "a number has at most 20 digits and this sender has \(digits.count)")
      }
      let numbers = digits.utf8.map { $0 - 0x30 } + (digits.count.isMultiple(of: 2) ? [] : [0xf])
      let octets = stride(from: 0, to: numbers.count, by: 2).map { numbers[$0] | numbers[$0 + 1] << 4 }
      return [UInt8(digits.count), from.first == "+" ? 0x91 : 0x81] + octets
    }
    guard let septets = GSMAlphabet.septets(from), (1...11).contains(septets.count) else {
      throw SimulatorError(
        .badMessage, "a sender is a number or at most 11 characters of the GSM alphabet; this one has \(from.count)")
    }
    return [UInt8((septets.count * 7 + 3) / 4), 0xd0] + GSMAlphabet.packed(septets)
  }

  private var timeField: [UInt8] {
    let local = Timestamp(milliseconds: sent.milliseconds + Int64(zoneMinutes) * 60_000).description.utf8
    let digits = local.filter { (0x30...0x39).contains($0) }.map { $0 - 0x30 }.dropFirst(2).prefix(12)
    let numbers = Array(digits)
    let quarters = abs(zoneMinutes) / 15
    let zone = UInt8(quarters / 10) | (zoneMinutes < 0 ? 0x8 : 0) | UInt8(quarters % 10) << 4
    return stride(from: 0, to: 12, by: 2).map { numbers[$0] | numbers[$0 + 1] << 4 } + [zone]
  }
}
