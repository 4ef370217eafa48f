import OperatorSimulator

/// The parameters of a request. None may stand there twice, and one that nobody knows is a slip of the client, such as `max-age`.
struct MobileConnectParameters: Sendable {
  private let values: [String: String]
  private let repeated: String?

  init(_ pairs: [(name: String, value: String)]) {
    var values: [String: String] = [:]
    var repeated: String?
    for (name, value) in pairs where values.updateValue(value, forKey: name) != nil { repeated = repeated ?? name }
    self.values = values
    self.repeated = repeated
  }

  /// Nil for a parameter that is missing or empty.
  subscript(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Refuses parameters that stand there twice, or are not among `known`.
  func check(known: Set<String>) throws(MobileConnectRefusal) {
    if let repeated { throw .invalid("\(repeated) is there twice") }
    if let unknown = values.keys.sorted().first(where: { !known.contains($0) }) {
      throw .invalid("\(unknown) is not known")
    }
    if let empty = values.first(where: { $0.value.isEmpty }) { throw .invalid("\(empty.key) is empty") }
  }

  /// A parameter that must be there.
  func required(_ name: String) throws(MobileConnectRefusal) -> String {
    guard let value = self[name] else { throw .invalid("\(name) is missing") }
    return value
  }

  /// The correlation id, a UUID (RFC 9562); nil for none.
  func correlationID() throws(MobileConnectRefusal) -> String? {
    guard let id = self["correlation_id"] else { return nil }
    guard id.split(separator: "-", omittingEmptySubsequences: false).map(\.count) == [8, 4, 4, 4, 12],
      id.allSatisfy({ $0 == "-" || ($0.isASCII && $0.isHexDigit) })
    else { throw .invalid("correlation_id is no UUID") }
    return id
  }
}

extension String {
  /// Decimal digits and nothing else.
  var isDigits: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
