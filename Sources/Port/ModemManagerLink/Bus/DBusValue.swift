/// A value received over D-Bus (D-Bus specification, type system), as far as ModemManager's
/// properties need it.
package indirect enum DBusValue: Hashable, Sendable {
  case bool(Bool)
  /// Any integer type. An unsigned 64-bit value above `Int64.max` becomes `Int64.max`.
  case number(Int64)
  case real(Double)
  /// Strings, object paths and signatures.
  case text(String)
  case list([DBusValue])
  /// Number keys are kept as their digits.
  case dictionary([String: DBusValue])
  /// A struct.
  case fields([DBusValue])

  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var text: String? { if case .text(let value) = self { value } else { nil } }
  /// A non-empty text: for ModemManager, an empty text means that it does not know.
  package var someText: String? { text.flatMap { $0.isEmpty ? nil : $0 } }
  package var number: Int? { if case .number(let value) = self { Int(value) } else { nil } }
  package var real: Double? { if case .real(let value) = self { value } else { nil } }
  package var list: [DBusValue]? { if case .list(let values) = self { values } else { nil } }
  package var dictionary: [String: DBusValue]? { if case .dictionary(let values) = self { values } else { nil } }
  package var fields: [DBusValue]? { if case .fields(let values) = self { values } else { nil } }
}

/// An argument of a method.
package enum DBusArgument: Hashable, Sendable {
  case text(String)
  case bool(Bool)
  case unsigned(UInt32)
}

/// Properties hold subscriber identity, so a value only prints its shape.
extension DBusValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String {
    switch self {
    case .bool: "a boolean"
    case .number, .real: "a number"
    case .text(let text): "a text of \(text.count) characters"
    case .list(let values): "a list of \(values.count)"
    case .dictionary(let values): "a dictionary of \(values.keys.sorted().joined(separator: ", "))"
    case .fields(let values): "a struct of \(values.count)"
    }
  }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
