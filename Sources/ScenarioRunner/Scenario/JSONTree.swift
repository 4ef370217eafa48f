/// JSON as it stands in a file, for a reader that says which field is wrong.
enum JSONTree: Codable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSONTree])
  case object([String: JSONTree])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSONTree].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: JSONTree].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    // A whole number stays one: what reads it may not take 64.0.
    case .number(let value):
      if let whole = Int64(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
    case .text(let value): try container.encode(value)
    case .list(let items): try container.encode(items)
    case .object(let members): try container.encode(members)
    }
  }

  /// What it is, without what it says: a scenario may be made from a real SIM.
  var shape: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .number(let value): value == value.rounded() && abs(value) < 1e15 ? "the number \(Int(value))" : "a fraction"
    case .text(let text): text.isEmpty ? "empty text" : "text of \(text.count) characters"
    case .list(let items): "a list of \(items.count)"
    case .object: "an object"
    }
  }
}
