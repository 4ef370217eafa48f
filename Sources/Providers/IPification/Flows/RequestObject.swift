import AuthCore
import JSONTree

/// A signed request from the caller (JWT, RFC 7519; OpenID Connect Core, 6.1). It is passed on
/// unchanged. Its claims are read as far as possible, so that errors are reported before anything
/// is sent.
struct RequestObject: Hashable, Sendable {
  private static let maximumBytes = 8192

  let token: Secret
  /// Nil where it is encrypted.
  private let claims: JSONValue?

  /// - Throws: `AuthError` for an invalid JWT.
  init(_ token: Secret) throws(AuthError) {
    let parts = token.revealed.split(separator: ".", omittingEmptySubsequences: false)
    let isCompact = token.revealed.isName(and: "-._")
    guard isCompact, [3, 5].contains(parts.count), (1...Self.maximumBytes).contains(token.revealed.utf8.count) else {
      throw .invalid("request object", "a JWT in its compact form of at most \(Self.maximumBytes) bytes")
    }
    self.token = token
    guard parts.count == 3 else {
      claims = nil
      return
    }
    guard let bytes = Base64.decode(parts[1]), case .object(let members)? = JSONValue(parsing: bytes) else {
      throw .invalid("request object", "a JWT whose claims are a JSON object")
    }
    claims = .object(members)
  }

  var state: Secret? { claims?["state"]?.string.map { Secret($0) } }
  var nonce: Secret? { claims?["nonce"]?.string.map { Secret($0) } }
  /// The number that it asks about.
  var number: SubscriberNumber? { claims?["login_hint"]?.string.flatMap { try? SubscriberNumber($0) } }
  var scope: [String]? { claims?["scope"]?.string.map { $0.split(separator: " ").map(String.init) } }

  /// Checks that its readable claims are those of the call.
  ///
  /// - Throws: `AuthError` with the claim's name.
  func check(_ arguments: IPificationArguments) throws(AuthError) {
    let settings = arguments.settings
    let expected = [
      ("client_id", settings.clientID), ("redirect_uri", settings.redirectURI), ("state", arguments.state.revealed),
      ("response_type", "code"), ("nonce", arguments.nonce?.revealed),
    ]
    for case (let name, let value?) in expected {
      guard let claim = claims?[name]?.string, claim != value else { continue }
      throw .invalid("request object", "a claim \(name) like the call's own, or none")
    }
    if let asked = arguments.number, let number, asked != number {
      throw .invalid("request object", "a claim login_hint like the call's number, or no number with the call")
    }
  }
}
