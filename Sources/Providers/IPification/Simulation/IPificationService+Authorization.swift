import JSONTree
import OperatorSimulator

/// The chain from an authorization request to the redirect URI.
extension IPificationService {
  func authorize(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let client = request.query["client_id"].flatMap({ clients[$0] }) else {
      return Self.error("invalid_client", status: 401)
    }
    guard request.query["redirect_uri"] == client.redirectURI else { return Self.error("invalid_request") }
    switch client.failure {
    case .rateLimit: return SimulatedResponse(status: 429, headers: [("Retry-After", "7")])
    case .plainText:
      return SimulatedResponse(status: 400, headers: [("Content-Type", "text/plain")], body: "invalid_scope")
    case .emptyLocation: return SimulatedResponse(status: 302)
    case .messages: return messages(client)
    default: break
    }
    var authorization = IPificationStore.Authorization(
      client: client, state: request.query["state"], scope: words(request.query["scope"]),
      loginHint: request.query["login_hint"], nonce: request.query["nonce"], cookie: environment.makeToken("cookie"),
      issued: environment.now())
    if let token = request.query["request"], !read(token, into: &authorization) {
      return refuse(authorization, "invalid_request_object")
    }
    if let refusal = problem(authorization, request) { return refuse(authorization, refusal) }
    let id = environment.makeToken("transaction")
    store.begin(authorization, id: id)
    return .redirect(
      to: "http://\(hosts.operator)/ip/start?tx=\(id)", cookies: ["ip=\(authorization.cookie); Secure; Path=/"])
  }

  /// What is wrong with a request.
  private func problem(_ authorization: IPificationStore.Authorization, _ request: SimulatedRequest) -> String? {
    if request.query["response_type"] != "code" { return "unsupported_response_type" }
    let scope = authorization.scope
    guard scope.contains("openid") else { return "invalid_scope" }
    let needsNumber = scope == ["openid"] || scope.contains("ip:phone_verify") || scope.contains("ip:profile")
    if needsNumber, authorization.loginHint?.utf8.allSatisfy({ (0x30...0x39).contains($0) }) != true {
      return "invalid_request"
    }
    return nil
  }

  /// The claims of a signed request take the place of parameters.
  private func read(_ token: String, into authorization: inout IPificationStore.Authorization) -> Bool {
    guard let claims = SimulatedToken.claims(token, secret: authorization.client.secret) else { return false }
    authorization.scope = words(claims["scope"]?.string)
    authorization.loginHint = claims["login_hint"]?.string
    authorization.nonce = claims["nonce"]?.string ?? authorization.nonce
    return (claims["client_id"]?.string ?? authorization.client.id) == authorization.client.id
      && (claims["state"]?.string ?? authorization.state) == authorization.state
  }

  private func words(_ text: String?) -> [String] { (text ?? "").split(separator: " ").map(String.init) }

  private func messages(_ client: SimulatedIPificationClient) -> SimulatedResponse {
    let session = environment.makeToken("message session")
    return SimulatedResponse(
      status: 302,
      headers: [
        ("Location", client.redirectURI), ("imbox_session_id", session), ("wa_link", "https://wa.example/\(session)"),
        ("imbox_endpoint", "https://\(hosts.api)/im"),
      ])
  }

  /// The operator's cleartext host, which only knows the address.
  func identify(_ request: SimulatedRequest) -> SimulatedResponse {
    let number = environment.subscribers.subscriber(at: request.source)?.number
    guard let id = request.query["tx"], let authorization = store.note(number: number, id: id) else {
      return .problem(404, "no such transaction")
    }
    switch authorization.client.failure {
    case .consentPage:
      return SimulatedResponse(
        status: 200, headers: [("Content-Type", "text/html")], body: "<!doctype html><title>Consent</title>")
    case .silentOperator: return SimulatedResponse(status: 200).delivered(.never)
    default: return .redirect(to: "https://\(hosts.api)\(Self.realm)/ip/complete?tx=\(id)")
    }
  }

  /// Back at the provider, which now knows the number.
  func complete(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let authorization = request.query["tx"].flatMap({ store.end($0) }), let number = authorization.number else {
      return Self.error("invalid_request")
    }
    if authorization.client.needsCookie, request.cookies["ip"] != authorization.cookie {
      return refuse(authorization, "invalid_request")
    }
    switch authorization.client.failure {
    case .consentRequired: return refuse(authorization, "consent_required")
    case .operatorError:
      var stateless = authorization
      stateless.state = nil
      return refuse(stateless, "server_error")
    default: break
    }
    guard number != nil else { return refuse(authorization, "access_denied") }
    let code = environment.makeToken("authorization code")
    store.keep(authorization, code: code)
    return redirect(authorization, [("code", code)])
  }

  private func refuse(_ authorization: IPificationStore.Authorization, _ error: String) -> SimulatedResponse {
    redirect(authorization, [("error", error), ("error_description", "simulated%20refusal")])
  }

  /// Leads to the redirect URI in the client's form.
  private func redirect(
    _ authorization: IPificationStore.Authorization, _ fields: [(String, String)]
  ) -> SimulatedResponse {
    let client = authorization.client
    let state = client.failure == .wrongState ? "another" : authorization.state
    let all = fields + (state.map { [("state", $0.percentEncoded)] } ?? [])
    let parameters = all.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    let uri = client.redirectURI + (client.form == .fragment ? "#" : "?") + parameters
    guard client.form == .body else { return .redirect(to: uri) }
    return SimulatedResponse(status: 200, headers: [("Content-Type", "text/plain")], body: uri + "\n")
  }
}

extension String {
  /// All but unreserved characters (RFC 3986, 2.3) as `%` and two digits.
  fileprivate var percentEncoded: String {
    utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
        return String(character)
      }
      return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
