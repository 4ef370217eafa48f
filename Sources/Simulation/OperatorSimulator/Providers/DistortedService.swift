import JSONTree

/// A service whose answers are made wrong on the way, as a hostile provider's are: the words `distort.1` to `distort.9` of a world say how.
///
/// A word is what the path holds, then one change behind the other: `status=429` for the status, `Retry-After:60` for a field,
/// `expires_in=-1` for each member of this name in the JSON body, `+ttl=1` for one that is added to it, and `claim.exp=1` for a claim of each
/// token in it, whose signature is left as it is. What stands behind the mark has no blank.
package struct DistortedService: SimulatedService {
  private let service: any SimulatedService
  private let word: @Sendable (_ name: String) -> String?

  /// - Parameter word: what was told by a name.
  package init(_ service: any SimulatedService, word: @escaping @Sendable (_ name: String) -> String?) {
    self.service = service
    self.word = word
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    guard var response = await service.answer(request) else { return nil }
    for number in 1...9 {
      guard let text = word("distort.\(number)"), let distortion = AnswerDistortion(text),
        request.path.contains(distortion.path)
      else { continue }
      distortion.apply(to: &response)
    }
    return response
  }
}

/// What is made of an answer.
struct AnswerDistortion: Hashable, Sendable {
  enum Change: Hashable, Sendable {
    case status(Int)
    case field(String, String)
    case member(String, JSONValue)
    case newMember(String, JSONValue)
    case claim(String, JSONValue)
  }

  /// What the request's path holds.
  let path: String
  let changes: [Change]

  /// Nil where a change is none of those that there are.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard let path = words.first else { return nil }
    let changes = words.dropFirst().map { Self.change(String($0)) }
    guard !changes.isEmpty, !changes.contains(nil) else { return nil }
    self.path = String(path)
    self.changes = changes.compactMap(\.self)
  }

  private static func change(_ word: String) -> Change? {
    guard let mark = word.firstIndex(where: { $0 == "=" || $0 == ":" }) else { return nil }
    let (name, value) = (String(word[..<mark]), String(word[word.index(after: mark)...]))
    if word[mark] == ":" { return .field(name, value) }
    if name == "status" { return Int(value).map { .status($0) } }
    let json = JSONValue(parsing: value.utf8) ?? .string(value)
    if name.hasPrefix("+") { return .newMember(String(name.dropFirst()), json) }
    if name.hasPrefix("claim.") { return .claim(String(name.dropFirst("claim.".count)), json) }
    return .member(name, json)
  }

  func apply(to response: inout SimulatedResponse) {
    for change in changes {
      switch change {
      case .status(let status): response.status = status
      case .field(let name, let value):
        response.headers.removeAll { $0.name.lowercased() == name.lowercased() }
        response.headers.append(.init(name: name, value: value))
      case .member(let name, let value): response.change { $0.replacing(name, by: value) }
      case .newMember(let name, let value): response.change { $0.adding(name, value) }
      case .claim(let name, let value): response.change { $0.replacingClaim(name, by: value) }
      }
    }
  }
}

extension SimulatedResponse {
  fileprivate mutating func change(_ body: (JSONValue) -> JSONValue) {
    guard let json = JSONValue(parsing: self.body.utf8) else { return }
    self.body = body(json).text
  }
}

extension JSONValue {
  fileprivate func replacing(_ name: String, by value: JSONValue) -> JSONValue {
    switch self {
    case .array(let items): .array(items.map { $0.replacing(name, by: value) })
    case .object(let members):
      .object(
        members.reduce(into: [:]) { $0[$1.key] = $1.key == name ? value : $1.value.replacing(name, by: value) })
    default: self
    }
  }

  fileprivate func adding(_ name: String, _ value: JSONValue) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.merging([name: value]) { $1 })
  }

  /// The claims of tokens: texts of three parts, of which the second is an object.
  fileprivate func replacingClaim(_ name: String, by value: JSONValue) -> JSONValue {
    switch self {
    case .array(let items): return .array(items.map { $0.replacingClaim(name, by: value) })
    case .object(let members): return .object(members.mapValues { $0.replacingClaim(name, by: value) })
    case .string(let text):
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3, let bytes = Base64URL.decode(String(parts[1])), let claims = JSONValue(parsing: bytes),
        case .object(let members) = claims
      else { return self }
      let changed = JSONValue.object(members.merging([name: value]) { $1 }).text
      return .string("\(parts[0]).\(Base64URL.encode(Array(changed.utf8))).\(parts[2])")
    default: return self
    }
  }
}
