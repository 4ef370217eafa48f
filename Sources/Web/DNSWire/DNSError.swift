/// Why bytes are not a DNS message, or a name is not a domain name.
package struct DNSError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of fault.
  package enum Code: String, Hashable, Sendable, CustomStringConvertible {
    /// The bytes end inside a field.
    case truncated
    /// A label or a whole name breaks the limits of RFC 1035, 2.3.4.
    case badName
    /// A compression pointer does not point backwards.
    case badPointer
    /// A record's data has another length than its type has.
    case badRecord
    /// More than 65535 bytes, or more than 65535 records in a section.
    case tooLong

    package var description: String { rawValue }
  }

  package let code: Code
  /// One sentence: the field, the shape of its value, and what was expected.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
