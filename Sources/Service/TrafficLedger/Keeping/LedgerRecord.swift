import ModemModel

/// One line of the journal: what happened since the last whole file.
enum LedgerRecord: Hashable, Sendable {
  /// What was added to a row of a day.
  case row(CivilDay, TrafficKey, TrafficCounts)
  /// How many bytes of a user may be moved before the next line of that user. The last one counts.
  case lease(user: UInt32, bytes: Int, isRoaming: Bool)
  /// A bearer came up.
  case bearer(modem: String, since: Timestamp)
  /// The first line of a journal. With the start of a process, what the leases of the last one left
  /// over counts as used. Otherwise the lines behind it tell the leases anew.
  case begin(isStart: Bool)
  /// A day began.
  case day(CivilDay, isNewMonth: Bool)

  /// The line, with its end and a check against damage.
  var line: String {
    var text = ""
    for (place, field) in fields.enumerated() {
      if place > 0 { text.append("\t") }
      text.append(field.filter { $0 != "\t" && !$0.isNewline })
    }
    return "\(text)\t\(Self.check(text))\n"
  }

  private var fields: [String] {
    switch self {
    case .row(let day, let key, let counts):
      let numbers = [counts.sent, counts.received, counts.roaming, counts.connections].map { "\($0)" }
      return ["row", "\(day)", key.modem, key.user.map { "\($0)" } ?? "-", key.purpose.rawValue] + numbers
    case .lease(let user, let bytes, let isRoaming): return ["lease", "\(user)", "\(bytes)", isRoaming ? "1" : "0"]
    case .bearer(let modem, let since): return ["bearer", modem, "\(since.milliseconds)"]
    case .begin(let isStart): return ["begin", isStart ? "1" : "0"]
    case .day(let day, let isNewMonth): return ["day", "\(day)", isNewMonth ? "1" : "0"]
    }
  }

  /// Reads a line without its end; nil for a damaged one.
  init?(line: some StringProtocol) {
    guard let end = line.lastIndex(of: "\t"), Self.check(line[..<end]) == line[line.index(after: end)...] else {
      return nil
    }
    let fields = line[..<end].split(separator: "\t", omittingEmptySubsequences: false)
    switch (fields[0], fields.count) {
    case ("row", 9):
      let numbers = fields[5...].compactMap { Int($0) }
      guard let day = CivilDay(fields[1]), let purpose = TrafficPurpose(rawValue: String(fields[4])),
        numbers.count == 4, numbers.allSatisfy({ $0 >= 0 }), fields[3] == "-" || UInt32(fields[3]) != nil
      else { return nil }
      let key = TrafficKey(modem: String(fields[2]), user: UInt32(fields[3]), purpose: purpose)
      self = .row(
        day, key,
        TrafficCounts(sent: numbers[0], received: numbers[1], roaming: numbers[2], connections: numbers[3]))
    case ("lease", 4):
      guard let user = UInt32(fields[1]), let bytes = Int(fields[2]), bytes >= 0 else { return nil }
      self = .lease(user: user, bytes: bytes, isRoaming: fields[3] == "1")
    case ("bearer", 3):
      guard let since = Int64(fields[2]) else { return nil }
      self = .bearer(modem: String(fields[1]), since: Timestamp(milliseconds: since))
    case ("begin", 2): self = .begin(isStart: fields[1] == "1")
    case ("day", 3):
      guard let day = CivilDay(fields[1]) else { return nil }
      self = .day(day, isNewMonth: fields[2] == "1")
    default: return nil
    }
  }

  /// FNV-1a of 64 bits, in hexadecimal digits: it finds damage, and protects from nobody.
  static func check(_ text: some StringProtocol) -> String {
    let sum = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: max(16 - digits.count, 0)) + digits
  }
}
