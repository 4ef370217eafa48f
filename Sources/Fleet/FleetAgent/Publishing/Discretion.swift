import JSONTree

/// What leaves the machine, without what the fleet need not know: modems have the fleet's names,
/// and a sentence shows no number of a subscriber.
struct Discretion: Sendable {
  let key: FleetKey

  /// Digits in a row that may be a number, an IMSI, an ICCID or an IMEI.
  private static let suspicious = 7

  func name(_ modem: String) -> String { key.name(ofModem: modem) }

  /// All texts in a value.
  func callAsFunction(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string(callAsFunction(text))
    case .array(let items): .array(items.map { callAsFunction($0) })
    case .object(let members): .object(members.mapValues { callAsFunction($0) })
    // A number of that many digits is no figure of a reply, but may be one's telephone number.
    case .null, .bool, .int, .double: value
    }
  }

  /// A text with the fleet's names of modems, and dots for long rows of digits.
  func callAsFunction(_ text: String) -> String {
    let units = Array(text.utf8)
    var result: [UInt8] = []
    var place = 0
    while place < units.count {
      if let id = Self.modemID(units[place...]) {
        result += name(id).utf8
        place += id.utf8.count
        continue
      }
      let digits = units[place...].prefix { (0x30...0x39).contains($0) }
      if digits.count >= Self.suspicious {
        result += "•••".utf8
        place += digits.count
      } else if !digits.isEmpty {
        result += digits
        place += digits.count
      } else {
        result.append(units[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// `modem-` and 8 or more hexadecimal digits at the beginning, as modemd names modems.
  private static func modemID(_ units: ArraySlice<UInt8>) -> String? {
    guard units.starts(with: "modem-".utf8) else { return nil }
    let digits = units.dropFirst(6).prefix { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    return digits.count >= 8 ? "modem-" + String(decoding: digits, as: UTF8.self) : nil
  }
}
