/// Names and values in order, as a query or a form writes them (application/x-www-form-urlencoded).
///
/// It only prints names: values may be secret.
package struct FormFields: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// A name with its value.
  package struct Field: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  package private(set) var fields: [Field] = []

  package init() {}

  /// - Parameter pairs: names without a value are left out.
  package init(_ pairs: KeyValuePairs<String, String?>) {
    for (name, value) in pairs { add(name, value) }
  }

  /// Adds a field if it has a value.
  package mutating func add(_ name: String, _ value: String?) {
    if let value { fields.append(Field(name: name, value: value)) }
  }

  /// The value of the first field with a name.
  package subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  /// Percent-encoded, with blanks as `%20`: valid in a query (RFC 3986) and in a form.
  package var encoded: String {
    fields.map { "\(Self.encode($0.name))=\(Self.encode($0.value))" }.joined(separator: "&")
  }

  /// Percent-encodes everything but the unreserved characters (RFC 3986, 2.3).
  package static func encode(_ text: String) -> String {
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

  package var description: String { "(\(fields.map(\.name).joined(separator: ", ")))" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
