import JSONTree
import ModemModel
import NetworkAddress

/// Reads the members of one object of a scenario. Each error names the field, the shape of its
/// value, and what was expected.
package struct ScenarioFields {
  /// As in `network.ipv4`; empty for the file itself.
  package let path: String
  package let file: String
  private let members: [String: JSONValue]

  /// - Parameter known: the allowed members; any other one is an error, because it is probably
  ///   misspelt.
  package init(_ tree: JSONValue, path: String, file: String, known: [String]) throws {
    self.path = path
    self.file = file
    guard case .object(let members) = tree else {
      throw Self.error(file, path.isEmpty ? "the file" : path, "is \(tree.shape)", "an object is expected")
    }
    self.members = members
    if let unknown = members.keys.sorted().first(where: { !known.contains($0) }) {
      throw Self.error(file, name(unknown), "is not known", "known here: \(known.joined(separator: ", "))")
    }
  }

  package func fields(_ key: String, known: [String]) throws -> ScenarioFields? {
    try value(key).map { try ScenarioFields($0, path: name(key), file: file, known: known) }
  }

  /// - Parameter read: makes the value; nil if the text is not valid.
  package func text<Value>(_ key: String, _ expected: String, _ read: (String) -> Value?) throws -> Value? {
    try value(key).map { try self.read($0, name(key), expected, read) }
  }

  /// Any text.
  package func text(_ key: String) throws -> String? { try text(key, "text") { $0 } }

  /// A required text.
  ///
  /// - Parameter expected: what it should be, for the error.
  package func required<Value>(_ key: String, _ expected: String, _ read: (String) -> Value?) throws -> Value {
    guard let value = try text(key, expected, read) else { throw missing(key, expected) }
    return value
  }

  /// Bytes as hexadecimal digits of either case.
  ///
  /// - Parameter count: how many bytes there may be.
  package func octets(_ key: String, _ count: ClosedRange<Int>) throws -> [UInt8]? {
    let digits =
      count.count == 1 ? "\(count.lowerBound * 2)" : "\(count.lowerBound * 2) to \(count.upperBound * 2)"
    return try text(key, "\(digits) hexadecimal digits") { text in
      Hexadecimal.bytes(of: text).flatMap { count.contains($0.count) ? $0 : nil }
    }
  }

  package func texts<Value>(_ key: String, _ expected: String, _ read: (String) -> Value?) throws -> [Value]? {
    guard let tree = value(key) else { return nil }
    guard case .array(let items) = tree else { throw wrong(name(key), tree, "a list, each \(expected)") }
    return try items.enumerated().map { try self.read($0.element, "\(name(key))[\($0.offset)]", expected, read) }
  }

  package func word<Value: RawRepresentable & CaseIterable>(_ key: String, _: Value.Type) throws -> Value?
  where Value.RawValue == String {
    try text(key, "one of " + Value.allCases.map(\.rawValue).joined(separator: ", ")) { Value(rawValue: $0) }
  }

  package func number(_ key: String, _ range: ClosedRange<Int>) throws -> Int? {
    try value(key).map { tree in
      guard case .int(let whole) = tree, range.contains(whole) else {
        throw wrong(name(key), tree, "a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return whole
    }
  }

  package func flag(_ key: String) throws -> Bool? {
    try value(key).map { tree in
      guard case .bool(let flag) = tree else { throw wrong(name(key), tree, "true or false") }
      return flag
    }
  }

  /// A list of objects.
  package func list(_ key: String, known: [String]) throws -> [ScenarioFields]? {
    guard let tree = value(key) else { return nil }
    guard case .array(let items) = tree else { throw wrong(name(key), tree, "a list of objects") }
    return try items.enumerated().map {
      try ScenarioFields($0.element, path: "\(name(key))[\($0.offset)]", file: file, known: known)
    }
  }

  /// An object unchanged, in JSON.
  package func object(_ key: String) throws -> String? {
    guard let tree = value(key) else { return nil }
    guard case .object = tree else { throw wrong(name(key), tree, "an object") }
    return tree.text
  }

  /// An object whose members are objects, each unchanged in JSON.
  package func objects(_ key: String) throws -> [String: String]? {
    guard let tree = value(key) else { return nil }
    guard case .object(let members) = tree else { throw wrong(name(key), tree, "an object") }
    let fields = try ScenarioFields(tree, path: name(key), file: file, known: Array(members.keys))
    return try Dictionary(uniqueKeysWithValues: members.keys.map { ($0, try fields.object($0) ?? "{}") })
  }

  package func numbers(_ key: String, _ range: ClosedRange<Int>) throws -> [Int]? {
    guard let tree = value(key) else { return nil }
    guard case .array(let items) = tree else { throw wrong(name(key), tree, "a list of whole numbers") }
    return try items.map { item in
      guard case .int(let whole) = item, range.contains(whole) else {
        throw wrong(name(key), tree, "a list of whole numbers from \(range.lowerBound) to \(range.upperBound)")
      }
      return whole
    }
  }

  /// An object whose members are all text.
  package func table<Value>(_ key: String, _ expected: String, _ read: (String) -> Value?) throws -> [String: Value]? {
    guard let tree = value(key) else { return nil }
    guard case .object(let members) = tree else { throw wrong(name(key), tree, "an object") }
    var table: [String: Value] = [:]
    for (member, tree) in members { table[member] = try self.read(tree, "\(name(key)).\(member)", expected, read) }
    return table
  }

  /// A list of objects whose members have not been checked yet.
  package func trees(_ key: String) throws -> [ScenarioFields]? {
    guard let tree = value(key) else { return nil }
    guard case .array(let items) = tree else { throw wrong(name(key), tree, "a list of objects") }
    return try items.enumerated().map { item in
      let path = "\(name(key))[\(item.offset)]"
      guard case .object(let members) = item.element else { throw wrong(path, item.element, "an object") }
      return try ScenarioFields(item.element, path: path, file: file, known: Array(members.keys))
    }
  }

  /// The same object again, for a reader with these known members.
  package func knowing(_ known: [String]) throws -> ScenarioFields {
    try ScenarioFields(.object(members), path: path, file: file, known: known)
  }

  package func missing(_ key: String, _ expected: String) -> ScenarioError {
    Self.error(file, name(key), "is missing", "\(expected) is expected")
  }

  private func read<Value>(_ tree: JSONValue, _ name: String, _ expected: String, _ read: (String) -> Value?) throws
    -> Value
  {
    guard case .string(let text) = tree, let value = read(text) else { throw wrong(name, tree, expected) }
    return value
  }

  private func value(_ key: String) -> JSONValue? {
    if let tree = members[key], case .null = tree { nil } else { members[key] }
  }

  private func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  private func wrong(_ name: String, _ tree: JSONValue, _ expected: String) -> ScenarioError {
    Self.error(file, name, "is \(tree.shape)", "\(expected) is expected")
  }

  private static func error(_ file: String, _ name: String, _ found: String, _ expected: String) -> ScenarioError {
    ScenarioError(message: "\(file): \(name) \(found); \(expected)")
  }
}

/// A field of a scenario with an unexpected value.
package struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file and the field, the shape of what it holds, and what was expected.
  package let message: String

  package var description: String { message }
}

extension String {
  /// The text, if it consists of this many decimal digits.
  package func digits(_ count: ClosedRange<Int>) -> String? {
    count.contains(utf8.count) && utf8.allSatisfy { (0x30...0x39).contains($0) } ? self : nil
  }
}

extension JSONValue {
  /// Its type without its content, because a scenario may be made from a real SIM.
  fileprivate var shape: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .int(let value): "the number \(value)"
    case .double: "a fraction"
    case .string(let text): text.isEmpty ? "empty text" : "text of \(text.count) characters"
    case .array(let items): "a list of \(items.count)"
    case .object: "an object"
    }
  }
}
