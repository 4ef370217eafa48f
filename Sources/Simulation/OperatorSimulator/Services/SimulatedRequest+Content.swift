import FoundationEssentials
import JSONTree

/// What a request carries, read as providers read it.
extension SimulatedRequest {
  /// A name and a secret of HTTP's Basic authentication (RFC 7617).
  package struct BasicCredentials: Hashable, Sendable {
    package var name: String
    package var secret: String

    package init(name: String, secret: String) {
      self.name = name
      self.secret = secret
    }
  }

  /// The type in `Content-Type`, in lower case and without parameters.
  package var mediaType: String? {
    headers["content-type"]?.split(separator: ";").first
      .map { $0.lowercased().filter { !$0.isWhitespace } }
  }

  /// The fields of a body that says it is a form; where a name stands twice the first counts. Nil for any other body.
  package var form: [String: String]? {
    mediaType == "application/x-www-form-urlencoded" ? FormFields.parse(String(decoding: body, as: UTF8.self)) : nil
  }

  /// The fields of the query as they were sent, in order and with those that stand twice.
  package var queryPairs: [(name: String, value: String)] {
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return halves.count > 1 ? FormFields.pairs(halves[1]) : []
  }

  /// The fields of a body that says it is a form, in order and with those that stand twice; nil for any other body.
  package var formPairs: [(name: String, value: String)]? {
    mediaType == "application/x-www-form-urlencoded" ? FormFields.pairs(String(decoding: body, as: UTF8.self)) : nil
  }

  /// The value in a body that says it is JSON, by `application/json` or a type that ends in `+json`; nil for any other body.
  package var json: JSONValue? {
    guard let mediaType, mediaType == "application/json" || mediaType.hasSuffix("+json") else { return nil }
    return JSONValue(parsing: body)
  }

  /// What `Authorization: Basic` carries; nil without it, and where it is malformed.
  package var basicCredentials: BasicCredentials? {
    guard let encoded = authorization("basic"), let data = Data(base64Encoded: encoded) else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    return BasicCredentials(name: String(halves[0]), secret: String(halves[1]))
  }

  /// What `Authorization: Bearer` carries (RFC 6750); nil without it.
  package var bearerToken: String? { authorization("bearer") }

  /// The parts of the path, without empty ones; still percent-encoded.
  package var pathParts: [String] { path.split(separator: "/").map(String.init) }

  private func authorization(_ scheme: String) -> String? {
    let words = headers["authorization"]?.split(separator: " ") ?? []
    return words.count == 2 && words[0].lowercased() == scheme ? String(words[1]) : nil
  }
}
