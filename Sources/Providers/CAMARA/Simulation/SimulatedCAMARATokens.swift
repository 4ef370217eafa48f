import Crypto
import JSONTree
import ModemModel
import OperatorSimulator

extension SimulatedCAMARAService {
  func token(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let form = request.form else { return Self.tokenError("invalid_request") }
    if form["grant_type"] == Self.assertionGrant { return exchangeAssertion(form) }
    guard let client = client(of: request, form) else { return Self.tokenError("invalid_client", status: 401) }
    if let refusal = client.tokenRefusal { return Self.tokenRefusal(refusal) }
    switch form["grant_type"] {
    case "authorization_code": return exchange(form, client)
    case Self.backChannelGrant: return poll(form, client)
    case "client_credentials": return issue(client, scope: form["scope"] ?? "", nil)
    default: return Self.tokenError("unsupported_grant_type")
    }
  }

  private func exchange(_ form: [String: String], _ client: SimulatedCAMARAClient) -> SimulatedResponse {
    // A code works once, whatever its result.
    guard let code = form["code"], let session = state.withLock({ $0.codes.removeValue(forKey: code) }),
      session.client.id == client.id, form["redirect_uri"] == session.redirectURI,
      session.began.milliseconds + Int64(client.codeSeconds) * 1000 > environment.now().milliseconds
    else { return Self.tokenError("invalid_grant") }
    if let challenge = session.challenge {
      guard let verifier = form["code_verifier"], Self.challenge(of: verifier) == challenge else {
        return Self.tokenError("invalid_grant")
      }
    }
    return issue(client, scope: session.scope, session)
  }

  func issue(_ client: SimulatedCAMARAClient, scope: String, _ session: Session?) -> SimulatedResponse {
    let text = environment.makeToken("access token")
    let token = Token(client: client, scope: scope, session: session, end: later(client.tokenSeconds))
    state.withLock { $0.tokens[text] = token }
    var members: [String: JSONValue] = [
      "access_token": .string(text), "token_type": .string("Bearer"), "expires_in": .int(client.tokenSeconds),
      "scope": .string(scope),
    ]
    if let session, let nonce = session.nonce, scope.split(separator: " ").contains("openid") {
      members["id_token"] = .string(idToken(client, nonce))
    }
    return .json(JSONValue.object(members).text)
  }

  /// Signed with an unknown key: whoever gets it over TLS from this host need not check it.
  private func idToken(_ client: SimulatedCAMARAClient, _ nonce: String) -> String {
    let claims = JSONValue.object([
      "iss": .string("https://\(hosts.auth)"), "aud": .string(client.id), "nonce": .string(nonce),
      "sub": .string("subscriber"), "exp": .int(Int(later(300).milliseconds / 1000)),
    ])
    let signed = [#"{"alg":"HS256"}"#, claims.text].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    let signature = HMAC<SHA256>.authenticationCode(for: Array(signed.utf8), using: SymmetricKey(size: .bits256))
    return "\(signed).\(Base64URL.encode(Array(signature)))"
  }

  static func tokenError(_ error: String, status: Int = 400) -> SimulatedResponse {
    .json(JSONValue.object(["error": .string(error)]).text, status: status)
  }

  static func tokenRefusal(_ refusal: Refusal) -> SimulatedResponse {
    var response = tokenError(refusal.code, status: refusal.status)
    if let seconds = refusal.retryAfter { response.headers.append(.init(name: "Retry-After", value: "\(seconds)")) }
    return response
  }

  static func challenge(of verifier: String) -> String {
    Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8))))
  }
}

// MARK: - Clients

extension SimulatedCAMARAService {
  /// The client of a token request, after it has authenticated.
  func client(of request: SimulatedRequest, _ form: [String: String]) -> SimulatedCAMARAClient? {
    let basic = request.basicCredentials
    guard let client = (basic?.name ?? form["client_id"]).flatMap({ clients[$0] }) else { return nil }
    switch client.proof {
    case .secret(let secret): return (basic?.secret ?? form["client_secret"]) == secret ? client : nil
    case .none: return client
    case .key(let key):
      guard form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        let assertion = form["client_assertion"], isValid(assertion, of: client, key)
      else { return nil }
      return client
    }
  }

  /// Whether an assertion is the client's own, for one of this server's addresses, for at most 300
  /// seconds, and was never used.
  private func isValid(_ assertion: String, of client: SimulatedCAMARAClient, _ key: String) -> Bool {
    // OpenID Connect Core, 9, and CIBA, 7.1.
    let audiences = ["https://\(hosts.auth)/token", "https://\(hosts.auth)/bc-authorize", "https://\(hosts.auth)"]
    guard let claims = claims(of: assertion, from: client, key), let audience = claims["aud"]?.string else {
      return false
    }
    return claims["sub"] == .string(client.id) && audiences.contains(audience)
  }

  /// The claims of an assertion that the client signed, for at most 300 seconds, and never sent
  /// before.
  func claims(of assertion: String, from client: SimulatedCAMARAClient, _ key: String) -> JSONValue? {
    let parts = assertion.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let publicKey = try? P256.Signing.PublicKey(pemRepresentation: key),
      let raw = Base64URL.decode(parts[2]),
      let signature = try? P256.Signing.ECDSASignature(rawRepresentation: raw),
      publicKey.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)),
      let header = Base64URL.decode(parts[0]).flatMap({ JSONValue(parsing: $0) }),
      header["alg"] == .string("ES256"),
      let claims = Base64URL.decode(parts[1]).flatMap({ JSONValue(parsing: $0) }),
      let begin = claims["iat"]?.integer, let end = claims["exp"]?.integer, let id = claims["jti"]?.string
    else { return nil }
    let now = Int(environment.now().milliseconds / 1000)
    guard claims["iss"] == .string(client.id), end - begin <= 300, begin <= now + 5, now < end else { return nil }
    return state.withLock { $0.assertions.insert(id).inserted } ? claims : nil
  }
}
