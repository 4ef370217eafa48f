/// The keys that a configuration file may have. Any other key is an error, because a misspelt one
/// would have no effect.
package indirect enum SettingsKeys: Sendable {
  /// Anything: its type is checked when it is read.
  case value
  /// An object of these keys.
  case object([String: SettingsKeys])
  /// An object whose keys are names that the user chooses.
  case named(SettingsKeys)

  /// A key that is not allowed.
  struct Unknown: Hashable {
    let path: String
    /// The keys that are allowed in its place.
    let siblings: [String]

    /// The error, with the nearest of its siblings, else with all keys of the document.
    func error(_ keys: SettingsKeys) -> SettingsError {
      let name = String(path[(path.lastIndex(of: ".").map { path.index(after: $0) } ?? path.startIndex)...])
      guard let near = NearestWord.find(name, among: siblings) else {
        return SettingsError(.unknownKey, "there is no key \(path)", key: path, knownKeys: keys.paths)
      }
      return SettingsError(.unknownKey, "there is no key \(path); did you mean \(near)?", key: path)
    }
  }

  /// The first key, in alphabetical order, that is not allowed.
  func firstUnknown(in value: SettingsValue, at path: String = "") -> Unknown? {
    guard case .object(let fields) = value else { return nil }
    for (key, field) in fields.sorted(by: { $0.key < $1.key }) {
      let place = path.isEmpty ? key : "\(path).\(key)"
      switch self {
      case .value: return nil
      case .named(let inner):
        if let unknown = inner.firstUnknown(in: field, at: place) { return unknown }
      case .object(let known):
        guard let inner = known[key] else { return Unknown(path: place, siblings: Array(known.keys)) }
        if let unknown = inner.firstUnknown(in: field, at: place) { return unknown }
      }
    }
    return nil
  }

  /// Every path that ends in a value, in order; a user's own name appears as `NAME`.
  package var paths: [String] {
    switch self {
    case .value: [""]
    case .named(let inner): inner.paths.map { Self.join("NAME", $0) }
    case .object(let known):
      known.sorted { $0.key < $1.key }.flatMap { key, inner in inner.paths.map { Self.join(key, $0) } }
    }
  }

  private static func join(_ head: String, _ tail: String) -> String { tail.isEmpty ? head : "\(head).\(tail)" }
}

/// A JSON value, as far as its keys matter.
enum SettingsValue: Decodable {
  case object([String: SettingsValue])
  case other

  init(from decoder: any Decoder) throws {
    let fields = try? decoder.singleValueContainer().decode([String: SettingsValue].self)
    self = fields.map { .object($0) } ?? .other
  }
}
