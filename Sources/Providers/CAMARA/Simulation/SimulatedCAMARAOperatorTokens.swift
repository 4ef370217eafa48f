import JSONTree
import ModemModel
import OperatorSimulator

/// Grants for an operator token in place of a login over the bearer: a signed assertion (RFC 7523)
/// and CIBA's polls, both by CAMARA's Security and Interoperability profile.
extension SimulatedCAMARAService {
  /// A request at `/bc-authorize` that its client asks for.
  struct BackChannelRequest: Sendable {
    var session: Session
    /// Polls that get `authorization_pending`.
    var pending: Int
    var lastPoll: Timestamp?
    var end: Timestamp
  }

  static let assertionGrant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  static let backChannelGrant = "urn:openid:params:grant-type:ciba"

  private static let hint = "operatortoken:"

  // MARK: A signed assertion

  /// The assertion is the client's authentication as well.
  func exchangeAssertion(_ form: [String: String]) -> SimulatedResponse {
    guard Set(form.keys) == ["grant_type", "assertion"], let assertion = form["assertion"],
      let claimed = Self.unprovenClaims(of: assertion), let client = claimed["iss"]?.string.flatMap({ clients[$0] })
    else { return Self.tokenError("invalid_request") }
    if let refusal = client.tokenRefusal { return Self.tokenRefusal(refusal) }
    guard case .key(let key) = client.proof, let claims = claims(of: assertion, from: client, key),
      claims["aud"] == .string("https://\(hosts.auth)/token"),
      let subject = claims["sub"]?.string, subject.hasPrefix(Self.hint), let scope = claims["scope"]?.string
    else { return Self.tokenError("invalid_grant") }
    switch session(client, String(subject.dropFirst(Self.hint.count)), scope) {
    case .success(let session): return issue(client, scope: scope, session)
    case .failure(let error): return Self.tokenError(error == .scope ? "invalid_scope" : "invalid_grant")
    }
  }

  // MARK: CIBA

  func authorizeByBackChannel(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let form = request.form else { return Self.tokenError("invalid_request") }
    guard let client = client(of: request, form) else { return Self.tokenError("invalid_client", status: 401) }
    if let refusal = client.hintRefusal { return Self.tokenRefusal(refusal) }
    // Exactly one hint (CIBA, 7.1).
    guard form["login_hint_token"] == nil, form["id_token_hint"] == nil, let hint = form["login_hint"],
      hint.hasPrefix(Self.hint), let scope = form["scope"]
    else { return Self.tokenError("invalid_request") }
    guard scope.split(separator: " ").contains("openid") else { return Self.tokenError("invalid_scope") }
    switch session(client, String(hint.dropFirst(Self.hint.count)), scope) {
    case .failure(let error): return Self.tokenError(error == .scope ? "invalid_scope" : "unknown_user_id")
    case .success(let session):
      let id = environment.makeToken("auth_req_id")
      let waiting = BackChannelRequest(
        session: session, pending: client.pendingPolls, end: later(client.pollEndSeconds))
      state.withLock { $0.backChannel[id] = waiting }
      return .json(
        JSONValue.object([
          "auth_req_id": .string(id), "expires_in": .int(client.pollEndSeconds), "interval": .int(client.pollSeconds),
        ]).text)
    }
  }

  func poll(_ form: [String: String], _ client: SimulatedCAMARAClient) -> SimulatedResponse {
    let now = environment.now()
    guard let id = form["auth_req_id"], var waiting = state.withLock({ $0.backChannel.removeValue(forKey: id) }),
      waiting.session.client.id == client.id
    else { return Self.tokenError("invalid_grant") }
    guard now < waiting.end else { return Self.tokenError("expired_token") }
    let isEarly =
      waiting.lastPoll.map { now.milliseconds < $0.milliseconds + Int64(client.pollSeconds) * 1000 } ?? false
    waiting.lastPoll = now
    if isEarly || waiting.pending > 0 {
      if !isEarly { waiting.pending -= 1 }
      state.withLock { [waiting] in $0.backChannel[id] = waiting }
      return Self.tokenError(isEarly ? "slow_down" : "authorization_pending")
    }
    if let error = client.pollError { return Self.tokenError(error) }
    return issue(client, scope: waiting.session.scope, waiting.session)
  }

  // MARK: What the token stands for

  private enum TokenFault: Error { case scope, token }

  /// Takes an operator token, for the one operation that a scope is about.
  private func session(
    _ client: SimulatedCAMARAClient, _ token: String, _ scope: String
  ) -> Result<Session, TokenFault> {
    guard scope.split(separator: " ").count(where: { $0.hasPrefix("dpv:") }) == 1,
      let operation = Self.operation(of: scope)
    else { return .failure(.scope) }
    guard case .taken(let grant) = environment.operatorTokens.take(token, for: operation, at: environment.now()) else {
      return .failure(.token)
    }
    var session = Session(
      client: client, redirectURI: client.redirectURI, scope: scope, began: environment.now())
    session.number = grant.number
    session.isMobile = true
    return .success(session)
  }

  /// TS.43's word for what a scope allows; nil unless it is one.
  private static func operation(of scope: String) -> String? {
    let words = Set(scope.split { $0 == " " || $0 == "#" }.map(String.init))
    let verifies = !words.isDisjoint(with: ["number-verification:verify", "number-verification-verify-read"])
    let reads = !words.isDisjoint(
      with: ["number-verification:device-phone-number:read", "number-verification-device-phone-number-read"])
    return verifies == reads ? nil : verifies ? "VerifyPhoneNumber" : "GetPhoneNumber"
  }

  private static func unprovenClaims(of assertion: String) -> JSONValue? {
    let parts = assertion.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 3 ? Base64URL.decode(parts[1]).flatMap { JSONValue(parsing: $0) } : nil
  }
}
