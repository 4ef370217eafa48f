import JSONTree
import ModemModel

/// A message's content: a JSON object with the time, the session's number and a body.
enum Payload {
  /// Largest message in bytes.
  static let most = 16 << 10
  static let contentType = "application/json"

  /// The text of a body with time and session; nil if it is too large.
  static func bytes(_ body: [String: JSONValue], time: Timestamp, session: Int) -> [UInt8]? {
    var members = body
    members["time"] = .string(time.description)
    members["n"] = .int(session)
    let bytes = Array(JSONValue.object(members).text.utf8)
    return bytes.count <= most ? bytes : nil
  }
}

extension JSONValue {
  /// A wire type's value, without what is null.
  init(wire value: some Encodable) {
    let bytes = (try? JSONWriter.write(value, nils: .leftOut)) ?? []
    self = JSONValue(parsing: bytes) ?? .null
  }

  /// Without the members that are null.
  static func fields(_ members: KeyValuePairs<String, JSONValue?>) -> [String: JSONValue] {
    guard case .object(let object) = JSONValue.members(members) else { return [:] }
    return object.filter { $0.value != .null }
  }
}

extension Optional<String> {
  var json: JSONValue? { map { .string($0) } }
}

extension Optional<Int> {
  var json: JSONValue? { map { .int($0) } }
}
