/// Seconds from outside: a wait, a lifetime, or a moment counted from 1970.
///
/// They are limited to `range`, so that sums of thousands of them, and their milliseconds,
/// microseconds and durations, cannot overflow. Larger values become the maximum. Nothing in this
/// program lasts that long, so the maximum means "for ever".
public struct OutsideSeconds: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// A million million seconds, some 31,700 years, in both directions.
  public static let range: ClosedRange<Int64> = -1_000_000_000_000...1_000_000_000_000

  /// Within `range`.
  public let count: Int64

  /// - Parameter count: of any size; held within `range`.
  public init(_ count: some BinaryInteger) {
    self.count = min(max(Int64(clamping: count), Self.range.lowerBound), Self.range.upperBound)
  }

  /// Seconds with a fraction, which is dropped; nil for NaN.
  public init?(_ seconds: Double) {
    guard !seconds.isNaN else { return nil }
    // Impossible: within `range`, each whole number is both a Double and an Int64.
    count = Int64(min(max(seconds, Double(Self.range.lowerBound)), Double(Self.range.upperBound)).rounded(.towardZero))
  }

  /// Digits, as many as there are, with one sign before them; nil for anything else.
  public init?(_ text: some StringProtocol) {
    let digits =
      text.utf8.first == UInt8(ascii: "-") || text.utf8.first == UInt8(ascii: "+")
      ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let most = text.utf8.first == UInt8(ascii: "-") ? Int64.min : Int64.max
    self.init(Int64(text) ?? most)
  }

  /// A multiple of a unit in seconds, as minutes and days are.
  public init(_ count: some BinaryInteger, times unit: Int64) {
    let (product, isOver) = Int64(clamping: count).multipliedReportingOverflow(by: unit)
    self.init(isOver ? (count < 0) == (unit < 0) ? .max : .min : product)
  }

  public static func minutes(_ count: some BinaryInteger) -> OutsideSeconds { OutsideSeconds(count, times: 60) }
  public static func hours(_ count: some BinaryInteger) -> OutsideSeconds { OutsideSeconds(count, times: 3600) }
  public static func days(_ count: some BinaryInteger) -> OutsideSeconds { OutsideSeconds(count, times: 86_400) }

  public var duration: Duration { .seconds(count) }

  /// Within a thousand times `range`.
  public var milliseconds: Int64 { count * 1000 }

  /// Limited to the reader's bounds.
  public func clamped(to bounds: ClosedRange<Int>) -> Int {
    Int(min(max(count, Int64(bounds.lowerBound)), Int64(bounds.upperBound)))
  }

  /// Held within `range` like all others.
  public static func + (a: OutsideSeconds, b: OutsideSeconds) -> OutsideSeconds { OutsideSeconds(a.count + b.count) }

  /// Held within `range` like all others.
  public static func - (a: OutsideSeconds, b: OutsideSeconds) -> OutsideSeconds { OutsideSeconds(a.count - b.count) }

  public static func < (a: OutsideSeconds, b: OutsideSeconds) -> Bool { a.count < b.count }

  public var description: String { "\(count)" }
}
