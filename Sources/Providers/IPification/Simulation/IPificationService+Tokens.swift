import JSONTree
import OperatorSimulator

/// What a code is exchanged for, at the provider and at an app's backend.
extension IPificationService {
  func token(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let form = request.form, let client = form["client_id"].flatMap({ clients[$0] }),
      form["client_secret"] == client.secret
    else { return Self.error("invalid_client", status: 401) }
    if client.failure == .tokenRateLimit {
      var response = Self.error("slow_down", status: 429)
      response.headers.append(.init(name: "Retry-After", value: "11"))
      return response
    }
    guard form["grant_type"] == "authorization_code" else { return Self.error("unsupported_grant_type") }
    guard let authorization = form["code"].flatMap({ store.use(code: $0, at: environment.now()) }),
      authorization.client.id == client.id, form["redirect_uri"] == client.redirectURI
    else { return Self.error("invalid_grant") }
    let access = environment.makeToken("access token")
    store.keep(authorization, token: access)
    let idToken = SimulatedToken.sign(idClaims(authorization), secret: client.secret)
    environment.issued(idToken, as: "ID token")
    return .json(
      JSONValue.object([
        "access_token": .string(access), "refresh_token": .string(environment.makeToken("refresh token")),
        "id_token": .string(idToken), "token_type": .string("Bearer"), "expires_in": .int(60),
      ]).text)
  }

  func userinfo(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let authorization = request.form?["access_token"].flatMap({ store.authorization(token: $0) }) else {
      return Self.error("invalid_token", status: 401)
    }
    return .json(JSONValue.object(claims(authorization)).text)
  }

  /// The app's backend has the secret, and asks by itself.
  func completeByBackend(_ code: String?) -> SimulatedResponse {
    guard let authorization = code.flatMap({ store.use(code: $0, at: environment.now()) }) else {
      return Self.error("invalid_grant")
    }
    return .json(JSONValue.object(claims(authorization)).text)
  }

  private func idClaims(_ authorization: IPificationStore.Authorization) -> [String: JSONValue] {
    var claims = claims(authorization)
    claims["iss"] = .string("https://\(hosts.api)\(Self.realm)")
    claims["aud"] = .string(authorization.client.id)
    claims["exp"] = .int(Int(environment.now().milliseconds / 1000) + 60)
    claims["nonce"] = authorization.nonce.map { .string($0) }
    return claims
  }

  /// What is known of the subscriber, by the scope.
  private func claims(_ authorization: IPificationStore.Authorization) -> [String: JSONValue] {
    guard case .some(.some(let number)) = authorization.number else { return ["sub": .string("anonymous")] }
    let failure = authorization.client.failure
    var claims: [String: JSONValue] = [:]
    let isAnonymous = failure == .anonymous
    claims["sub"] = .string(isAnonymous ? "anonymous" : SimulatedToken.hash("sub \(authorization.client.id) \(number)"))
    if let hint = authorization.loginHint {
      claims["login_hint"] = .string(failure == .otherNumber ? String(hint.reversed()) : hint)
      if authorization.scope.contains("ip:phone_verify"), failure != .missingVerdict {
        claims["phone_number_verified"] = .string("+\(hint)" == number && !isAnonymous ? "true" : "false")
      }
    }
    if authorization.scope.contains("ip:phone") { claims["phone_number"] = .string(String(number.dropFirst())) }
    if authorization.scope.contains("ip:mobile_id") {
      let change = environment.subscribers.subscriber(number).flatMap { environment.subscribers.simChange(of: $0) }
      let hash = SimulatedToken.hash("mobile \(number) \(change?.description ?? "never")")
      environment.issued(hash, as: "mobile id")
      claims["mobile_id"] = .string(hash)
    }
    return claims
  }
}
