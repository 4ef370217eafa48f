/// Bars of bytes.
struct UsageDrawing: Hashable, Sendable {
  private static let widths = 32...200
  private static let leastBar = 8
  private static let eighths: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// The longest line, in characters.
  let width: Int
  /// Whether only ASCII may be used.
  let isPlain: Bool

  init(width: Int, isPlain: Bool) {
    self.width = min(max(width, Self.widths.lowerBound), Self.widths.upperBound)
    self.isPlain = isPlain
  }

  /// A line for each value, with a bar as long as the value is of the largest one.
  func lines(_ values: [(label: String, bytes: Int)]) -> [String] {
    let largest = max(values.map(\.bytes).max() ?? 0, 1)
    let labels = values.map(\.label.count).max() ?? 0
    let numbers = values.map { ShownBytes.text($0.bytes) }
    let number = numbers.map(\.count).max() ?? 0
    let room = max(width - labels - number - 4, Self.leastBar)
    return zip(values, numbers).map { value, text in
      let bar = bar(Double(max(value.bytes, 0)) / Double(largest), room)
      let line =
        value.label + String(repeating: " ", count: labels - value.label.count + 2)
        + String(repeating: " ", count: number - text.count) + text + "  " + bar
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  private func bar(_ share: Double, _ room: Int) -> String {
    let eighths = min(Int((share * Double(room) * 8).rounded(.up)), room * 8)
    guard !isPlain else { return String(repeating: "#", count: (eighths + 7) / 8) }
    let full = String(repeating: "█", count: eighths / 8)
    return eighths % 8 == 0 ? full : full + String(Self.eighths[eighths % 8 - 1])
  }
}

/// Bytes for people.
enum ShownBytes {
  private static let units = ["kB", "MB", "GB", "TB", "PB", "EB"]

  /// As in `999 B` and `1.2 MB`; a kilobyte has 1000 bytes, as operators count.
  static func text(_ bytes: Int) -> String {
    guard bytes >= 1000 else { return "\(bytes) B" }
    var (value, unit) = (Double(bytes) / 1000, 0)
    while value >= 999.95, unit + 1 < units.count {
      value /= 1000
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
