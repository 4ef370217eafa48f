/// Why bytes are not a DNS message, or a name is not a domain name.
public struct DNSError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of fault; new ones may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String { case truncated, badName, badPointer, badRecord, tooLong }
    private let kind: Kind
    public var description: String { kind.rawValue }

    /// The bytes end inside a field.
    public static let truncated = Code(kind: .truncated)
    /// A label or a whole name exceeds the limits of RFC 1035, 2.3.4.
    public static let badName = Code(kind: .badName)
    /// A compression pointer does not point backwards.
    public static let badPointer = Code(kind: .badPointer)
    /// The length of a record's data does not match its type.
    public static let badRecord = Code(kind: .badRecord)
    /// More than 65535 bytes, or more than 65535 records in a section.
    public static let tooLong = Code(kind: .tooLong)
  }

  public let code: Code
  /// One sentence: the field, the shape of its value, and what was expected.
  public let message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}
