import AuthCore
import JSONTree

/// A JSON document whose every value has a place, those inside of signed tokens among them, and
/// which can be written with anything in it: numbers that no type holds, members twice.
package indirect enum Document: Hashable, Sendable {
  case object([Member])
  case list([Document])
  /// A token in compact form (RFC 7515, 7.1): header and claims, and its third part as it is.
  case token(Document, Document, signature: String)
  /// Any text that stands for a value.
  case raw(String)

  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: Document
  }

  /// The way to a value: indices of members, items, or the two parts of a token.
  package typealias Place = [Int]

  package init(_ value: JSONValue) {
    switch value {
    case .object(let members):
      self = .object(members.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: Document($0.value)) })
    case .array(let items): self = .list(items.map { Document($0) })
    case .string(let text): self = Self.token(text) ?? .raw(Extreme.quoted(text))
    default: self = .raw(value.text)
    }
  }

  /// Reads a JSON text; nil for what is none.
  package init?(_ bytes: [UInt8]) {
    guard let value = JSONValue(parsing: bytes) else { return nil }
    self.init(value)
  }

  private static func token(_ text: String) -> Document? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64.decode(parts[0]).flatMap({ JSONValue(parsing: $0) }),
      let claims = Base64.decode(parts[1]).flatMap({ JSONValue(parsing: $0) }), case .object = header
    else { return nil }
    return .token(Document(header), Document(claims), signature: String(parts[2]))
  }

  package var text: String {
    switch self {
    case .object(let members):
      "{" + members.map { Extreme.quoted($0.name) + ":" + $0.value.text }.joined(separator: ",") + "}"
    case .list(let items): "[" + items.map(\.text).joined(separator: ",") + "]"
    case .token: Extreme.quoted(compact ?? "")
    case .raw(let text): text
    }
  }

  /// A token as it is sent; nil for anything else.
  package var compact: String? {
    guard case .token(let header, let claims, let signature) = self else { return nil }
    return [header, claims].map { Base64.encodeURL(Array($0.text.utf8)) }.joined(separator: ".") + ".\(signature)"
  }

  /// Of every value: the whole first, and each before those inside of it.
  package var places: [Place] {
    [[]] + children.enumerated().flatMap { index, child in child.places.map { [index] + $0 } }
  }

  private var children: [Document] {
    switch self {
    case .object(let members): members.map(\.value)
    case .list(let items): items
    case .token(let header, let claims, _): [header, claims]
    case .raw: []
    }
  }

  /// Names, as far as the values on the way have them, as in `keys.0.kid`.
  package func name(of place: Place) -> String {
    guard let first = place.first, children.indices.contains(first) else { return "" }
    let name: String =
      switch self {
      case .object(let members): members[first].name
      case .list, .raw: "\(first)"
      case .token: first == 0 ? "<header>" : "<claims>"
      }
    let rest = children[first].name(of: Array(place.dropFirst()))
    return rest.isEmpty ? name : "\(name).\(rest)"
  }

  /// What is done to a value.
  package enum Edit: Hashable, Sendable {
    case replace(Extreme)
    /// The member or item is not there.
    case remove
    /// The member comes twice, the second time with this.
    case double(Extreme)
    /// The member has another name.
    case rename(String)
  }

  /// The document with an edit; a place that it does not have changes nothing.
  package func with(_ edit: Edit, at place: Place) -> Document {
    guard let first = place.first else {
      switch edit {
      case .replace(let extreme), .double(let extreme): return .raw(extreme.json)
      case .remove: return .raw("")
      case .rename: return self
      }
    }
    guard children.indices.contains(first) else { return self }
    let rest = Array(place.dropFirst())
    switch self {
    case .raw: return self
    case .object(var members):
      if rest.isEmpty {
        switch edit {
        case .remove: members.remove(at: first)
        case .double(let extreme):
          members.insert(Member(name: members[first].name, value: .raw(extreme.json)), at: first + 1)
        case .rename(let name): members[first].name = name
        case .replace(let extreme): members[first].value = .raw(extreme.json)
        }
      } else {
        members[first].value = members[first].value.with(edit, at: rest)
      }
      return .object(members)
    case .list(var items):
      switch edit {
      case .remove where rest.isEmpty: items.remove(at: first)
      case .double(let extreme) where rest.isEmpty: items.insert(.raw(extreme.json), at: first)
      default: items[first] = items[first].with(edit, at: rest)
      }
      return .list(items)
    case .token(let header, let claims, let signature):
      return first == 0
        ? .token(header.with(edit, at: rest), claims, signature: signature)
        : .token(header, claims.with(edit, at: rest), signature: signature)
    }
  }
}
