import FoundationEssentials
import OutsideNumber

extension JSONValue {
  /// The value itself, if it is an object.
  package var ifObject: JSONValue? { if case .object = self { self } else { nil } }

  /// Reads a JSON text; nil for anything else, and for texts beyond the default limits of
  /// `JSONReader`.
  public init?(parsing bytes: some Collection<UInt8>) {
    guard let value = try? JSONReader.read(Array(bytes)), value.isFinite else { return nil }
    self = value
  }

  /// Whether JSON can represent each number in it.
  public var isFinite: Bool {
    switch self {
    case .double(let number): number.isFinite
    case .array(let items): items.allSatisfy(\.isFinite)
    case .object(let members): members.values.allSatisfy(\.isFinite)
    case .null, .bool, .int, .string: true
    }
  }

  /// The text of this value, members in the order of their names.
  public var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only a number that JSON cannot represent fails to encode.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }

  /// A member of an object; nil if it is missing or null.
  public subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self, let member = members[name], member != .null else { return nil }
    return member
  }

  /// The items of a list; none for anything else.
  public var items: [JSONValue] {
    guard case .array(let items) = self else { return [] }
    return items
  }

  /// Text that is not empty.
  public var string: String? {
    guard case .string(let text) = self, !text.isEmpty else { return nil }
    return text
  }

  /// Whole numbers that every JSON reader reads identically (RFC 8259, 6).
  private static let exact = -9_007_199_254_740_991...9_007_199_254_740_991

  /// A whole number between -(2^53 - 1) and 2^53 - 1, also if it is written as text; nil for
  /// anything else. Read times as `seconds`, which has no such limit.
  public var integer: Int? {
    let number: Int? =
      switch self {
      case .int(let number): number
      case .double(let number): Int(exactly: number)
      case .string(let text): Int(text)
      default: nil
      }
    return number.flatMap { Self.exact.contains($0) ? $0 : nil }
  }

  /// Seconds from any number, also if it is written as text. A fraction is dropped, and a number
  /// that is too large is limited to the countable range.
  public var seconds: OutsideSeconds? {
    switch self {
    case .int(let number): OutsideSeconds(number)
    case .double(let number): OutsideSeconds(number)
    case .string(let text): OutsideSeconds(text)
    default: nil
    }
  }

  /// Exactly true or false.
  public var boolean: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// True or false, also if a provider writes them as text.
  public var looseBoolean: Bool? {
    switch self {
    case .bool(let value): value
    case .string(let text): text.lowercased() == "true" ? true : text.lowercased() == "false" ? false : nil
    default: nil
    }
  }
}
