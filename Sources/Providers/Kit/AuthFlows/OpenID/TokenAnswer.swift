import AuthCore
import JSONTree
import ModemModel
import Web

/// What a token endpoint gave.
package struct AccessToken: Hashable, Sendable {
  package let secret: Secret
  /// When it expires; nil if that was not given.
  package let end: Timestamp?

  /// Whether it can still be used.
  package func isGood(at now: Timestamp) -> Bool { end.map { now < $0 } ?? true }
}

/// The answer of a token endpoint (RFC 6749, 5). A refresh token is ignored, because nothing here
/// is used twice.
package enum TokenAnswer: Hashable, Sendable {
  case token(AccessToken)
  case failed(FlowOutcome)

  /// - Parameters:
  ///   - clientID: the required audience of the ID token.
  ///   - nonce: the nonce that it must carry; nil if no ID token is expected, and one that comes is
  ///     ignored.
  ///   - known: the meaning of error words.
  package init(
    _ reply: BackendReply, clientID: String, nonce: Secret?, _ known: [String: FlowResult], host: String,
    at now: Timestamp
  ) {
    let (json, text): (JSONValue, String)
    switch BearerTokenAnswer(reply, known, host: host) {
    case .token(let found, let members): (text, json) = (found, members)
    case .failed(let outcome):
      self = .failed(outcome)
      return
    }
    if let nonce, let idToken = json["id_token"]?.string,
      let problem = Self.problem(idToken, clientID: clientID, nonce: nonce, at: now)
    {
      self = .failed(problem)
      return
    }
    let life = json["expires_in"]?.seconds.map { Duration.seconds($0.clamped(to: 0...86_400)) }
    self = .token(AccessToken(secret: Secret(text), end: life.map { now.later(by: $0) }))
  }

  /// Whether an ID token is for this client and answers this request. It came over TLS from the
  /// token endpoint, so its signature need not be checked (OpenID Connect Core, 3.1.3.7).
  private static func problem(
    _ token: String, clientID: String, nonce: Secret, at now: Timestamp
  ) -> FlowOutcome? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    // Five parts are an encrypted token, which this program cannot read.
    if parts.count == 5 { return nil }
    guard parts.count == 3, let bytes = Base64.decode(parts[1]), let claims = JSONValue(parsing: bytes) else {
      return FlowOutcome(.badAnswer, "the ID token is no token; ask the operator")
    }
    let audience = [claims["aud"]?.string].compactMap(\.self) + (claims["aud"]?.items.compactMap(\.string) ?? [])
    guard audience.contains(clientID) else {
      return FlowOutcome(.stateMismatch, "the ID token is for another client; check client id and host")
    }
    guard claims["nonce"]?.string == nonce.revealed else {
      return FlowOutcome(.stateMismatch, "the ID token answers another request; begin anew")
    }
    if let end = claims["exp"]?.seconds, Timestamp(end) <= now {
      return FlowOutcome(.expired, "the ID token is too old; check this machine's clock, then begin anew")
    }
    return nil
  }
}

/// The raw answer of a token endpoint: a bearer token with the members beside it, or the reason why
/// there is none.
package enum BearerTokenAnswer: Hashable, Sendable {
  case token(String, members: JSONValue)
  case failed(FlowOutcome)

  /// - Parameter known: the meaning of error words.
  package init(_ reply: BackendReply, _ known: [String: FlowResult], host: String) {
    let json = reply.json
    guard reply.isSuccess, json?["error"] == nil else {
      self = .failed(Self.refusal(reply, json, known, host))
      return
    }
    guard let json, let text = json["access_token"]?.string else {
      self = .failed(
        FlowOutcome(.badAnswer, status: reply.status, "\(host) gives no access token where one is awaited"))
      return
    }
    if let type = json["token_type"]?.string, type.lowercased() != "bearer" {
      self = .failed(
        FlowOutcome(
          .notConfigured, code: type, status: reply.status,
          "\(host) gives a token that is bound to a proof, which modemd does not make; register the client for bearer tokens"
        ))
      return
    }
    self = .token(text, members: json)
  }

  private static func refusal(
    _ reply: BackendReply, _ json: JSONValue?, _ known: [String: FlowResult], _ host: String
  ) -> FlowOutcome {
    let word = json?["error"]?.string ?? json?["code"]?.string
    // A refusal without a word concerns the client: the request contains nothing else to refuse.
    let status = word == nil && reply.status == 401 ? 403 : reply.status
    var outcome = OpenIDProblem.outcome(word, known, status: status, retryAfter: reply.retryAfter, host: host)
    outcome.status = reply.status
    return outcome
  }
}
