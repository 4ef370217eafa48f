import Logging

/// One entry of the journal, as its fields (systemd.journal-fields(7)).
///
/// Bounded: a value is cut at `mostBytes`, and fields beyond `mostFields` are left out.
package struct JournalEntry: Hashable, Sendable {
  /// The longest value, in bytes. A longer one ends with an ellipsis.
  package static let mostBytes = 256 << 10
  /// How many fields an entry has at most.
  package static let mostFields = 64

  /// A field's name and its value.
  package struct Field: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  /// In the order in which they were added; a name may come twice.
  package private(set) var fields: [Field] = []

  package init() {}

  /// Adds a field. A name that the journal does not take is left out.
  package mutating func add(_ name: String, _ value: String) {
    guard Self.isName(name), fields.count < Self.mostFields else { return }
    fields.append(Field(name: name, value: Self.cut(value)))
  }

  /// The name of the field for a key of metadata, as in `MODEMD_MODEM` for `modem`.
  package static func name(for key: String) -> String {
    let capitals = key.utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 0x20
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      default: UInt8(ascii: "_")
      }
    }
    return String(decoding: Array("MODEMD_".utf8) + capitals.prefix(longestName - "MODEMD_".utf8.count), as: UTF8.self)
  }

  /// The journal's priority of a level (syslog(3)). `notice` and worse is what a person may want to
  /// see, `warning` and worse what somebody has to act on.
  package static func priority(of level: Logger.Level) -> Int {
    switch level {
    case .critical: 2
    case .error: 3
    case .warning: 4
    case .notice: 5
    case .info: 6
    case .debug, .trace: 7
    }
  }

  /// The entry in the journal's native protocol.
  ///
  /// A value with a line break is sent with its length, so that it cannot become another field.
  package var serialized: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 10 })
    for field in fields {
      let value = field.value.utf8
      bytes += field.name.utf8
      if value.contains(UInt8(ascii: "\n")) {
        bytes.append(UInt8(ascii: "\n"))
        withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
      } else {
        bytes.append(UInt8(ascii: "="))
      }
      bytes += value
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  private static let longestName = 64

  /// Capitals, digits and underscores, and neither of the last two first: the journal keeps names
  /// that begin with an underscore for what it knows itself.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, (1...longestName).contains(name.utf8.count) else { return false }
    let isCapital = { (byte: UInt8) in (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    let isOther = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
    }
    return isCapital(first) && name.utf8.allSatisfy { isCapital($0) || isOther($0) }
  }

  private static func cut(_ value: String) -> String {
    guard value.utf8.count > mostBytes else { return value }
    var end = value.utf8.index(value.utf8.startIndex, offsetBy: mostBytes)
    // Not within a character.
    while end.samePosition(in: value.unicodeScalars) == nil { end = value.utf8.index(before: end) }
    return String(value[..<end]) + "…"
  }
}
