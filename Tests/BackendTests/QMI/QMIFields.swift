/// Builds the TLVs of the messages that a modem sends.
enum QMIField {
  /// Card Status of UIM: one card.
  struct Card {
    var state: UInt8 = 1
    var error: UInt8 = 0
    var universal: [UInt8] = [0, 0, 0]
    var applications: [[UInt8]] = []
  }

  static func application(
    _ state: UInt8, personalisation: UInt8 = 2, usesUniversalPIN: Bool = false, pin1: [UInt8] = [3, 3, 10]
  ) -> [UInt8] {
    [2, state, personalisation, 0, 0, 0, 2, 0xa0, 0, usesUniversalPIN ? 1 : 0] + pin1 + [2, 3, 10]
  }

  static func cardStatus(index: UInt16 = 0, _ cards: [Card]) -> [UInt8: [UInt8]] {
    let bytes = cards.flatMap { card in
      [card.state] + card.universal + [card.error, UInt8(card.applications.count)] + card.applications.flatMap(\.self)
    }
    return [0x10: [index, 0xffff, 0xffff, 0xffff].shortBytes + [UInt8(cards.count)] + bytes]
  }

  static let ready = cardStatus([Card(applications: [application(7)])])

  static func locked(pin1: [UInt8] = [1, 3, 10]) -> [UInt8: [UInt8]] {
    cardStatus([Card(applications: [application(2, pin1: pin1)])])
  }

  /// Read Transparent of UIM.
  static func file(_ content: [UInt8]) -> [UInt8: [UInt8]] {
    [0x10: [0x90, 0], 0x11: [UInt16(content.count)].shortBytes + content]
  }

  static func network(_ mcc: UInt16, _ mnc: UInt16, _ name: String) -> [UInt8] {
    [mcc, mnc].shortBytes + [UInt8(name.utf8.count)] + Array(name.utf8)
  }

  /// Serving System of NAS.
  static func servingSystem(
    _ state: UInt8, attached: Bool = true, interfaces: [UInt8] = [8], roaming: UInt8? = 1,
    network: [UInt8]? = network(262, 1, "Telekom.de"), digit: [UInt8]? = nil
  ) -> [UInt8: [UInt8]] {
    var fields: [UInt8: [UInt8]] = [1: [state, 1, attached ? 1 : 2, 2, UInt8(interfaces.count)] + interfaces]
    fields[0x10] = roaming.map { [$0] }
    fields[0x12] = network
    fields[0x27] = digit
    return fields
  }

  /// Current Settings of WDS.
  static let ipv4: [UInt8: [UInt8]] = [
    0x1e: [7, 0, 64, 10], 0x20: [1, 0, 64, 10], 0x21: [0, 255, 255, 255], 0x15: [53, 0, 64, 10], 0x16: [0, 0, 0, 0],
    0x29: [0x96, 5, 0, 0], 0x2b: [4],
  ]
  static let ipv6: [UInt8: [UInt8]] = [
    0x25: [0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [7, 64],
    0x26: [0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [1, 64],
    0x27: [0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [0x53], 0x28: [UInt8](repeating: 0, count: 16),
    0x29: [0xdc, 5, 0, 0], 0x2b: [6],
  ]

  /// Packet Service Status of WDS.
  static func disconnected(_ cause: UInt16? = nil, family: UInt8? = nil) -> [UInt8: [UInt8]] {
    var fields: [UInt8: [UInt8]] = [1: [1, 0], 0x10: [2, 0]]
    fields[0x11] = cause.map { [6, $0].shortBytes }
    fields[0x12] = family.map { [$0] }
    return fields
  }
}
