/// Names and values in order, as a query or a form writes them (application/x-www-form-urlencoded).
///
/// It only prints names: values may be secret.
public struct FormFields: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A name with its value.
  public struct Field: Hashable, Sendable {
    public let name: String
    public let value: String
  }

  public private(set) var fields: [Field] = []

  public init() {}

  /// - Parameter pairs: names without a value are left out.
  public init(_ pairs: KeyValuePairs<String, String?>) {
    for (name, value) in pairs { add(name, value) }
  }

  /// Adds a field if it has a value.
  public mutating func add(_ name: String, _ value: String?) {
    if let value { fields.append(Field(name: name, value: value)) }
  }

  /// The value of the first field with a name.
  public subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  /// Percent-encoded, with blanks as `%20`: valid in a query (RFC 3986) and in a form.
  public var encoded: String {
    fields.map { "\(Self.encode($0.name))=\(Self.encode($0.value))" }.joined(separator: "&")
  }

  /// Percent-encodes everything but the unreserved characters (RFC 3986, 2.3).
  public static func encode(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
        encoded.unicodeScalars.append(UnicodeScalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += "%" + (byte < 16 ? "0" : "") + digits
      }
    }
    return encoded
  }

  public var description: String { "(\(fields.map(\.name).joined(separator: ", ")))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
