import ModemModel
import OperatorSimulator

extension SimulatedCAMARAService {
  func authorize(_ request: SimulatedRequest) -> SimulatedResponse {
    let query = request.query
    guard let client = query["client_id"].flatMap({ clients[$0] }), query["redirect_uri"] == client.redirectURI else {
      // An unregistered URI is never redirected to (RFC 6749, 4.1.2.1).
      return .json(#"{"error":"unauthorized_client"}"#, status: 400)
    }
    let session = Session(
      client: client, redirectURI: client.redirectURI, state: query["state"], nonce: query["nonce"],
      scope: query["scope"] ?? "", challenge: query["code_challenge"], began: environment.now())
    if let error = Self.error(in: query, client) { return redirect(session, "error=\(error)") }
    let id = environment.makeToken("session")
    state.withLock { $0.sessions[id] = session }
    return .redirect(to: "http://\(hosts.enrichment)/number?session=\(id)", cookies: ["sso=\(id); Path=/; Secure"])
  }

  private static func error(in query: [String: String], _ client: SimulatedCAMARAClient) -> String? {
    if query["response_type"] != "code" { return "unsupported_response_type" }
    guard let scope = query["scope"], scope.split(separator: " ").count(where: { $0.hasPrefix("dpv:") }) == 1 else {
      return "invalid_scope"
    }
    if client.needsPKCE, query["code_challenge_method"] != "S256" || query["code_challenge"]?.count != 43 {
      return "invalid_request"
    }
    // Without a verifier, the server uses state and nonce.
    return query["state"] == nil ? "invalid_request" : nil
  }

  /// The cleartext hop: the operator's gateway only knows the subscriber by the source address.
  func enrich(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let id = request.query["session"], let client = state.withLock({ $0.sessions[id]?.client }) else {
      return .problem(404, "there is no such session")
    }
    guard request.cookies["sso"] == nil, request.headers["authorization"] == nil else {
      return .problem(400, "a secret came in clear")
    }
    let isMobile = environment.subscribers.isBearer(request.source)
    let number = environment.subscribers.subscriber(at: request.source)?.number
    state.withLock {
      $0.sessions[id]?.number = number
      $0.sessions[id]?.isMobile = isMobile
    }
    let response = SimulatedResponse.redirect(to: "https://\(hosts.auth)/resume?session=\(id)")
    return client.page == .silence ? response.delivered(.never) : response
  }

  func resume(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let id = request.query["session"], request.cookies["sso"] == id,
      let session = state.withLock({ $0.sessions.removeValue(forKey: id) })
    else { return .problem(404, "there is no such session") }
    switch session.client.page {
    case .error(let word): return redirect(session, "error=\(word)&error_description=as%20the%20scenario%20says")
    case .html:
      return SimulatedResponse(
        status: 200, headers: [("Content-Type", "text/html; charset=utf-8")], body: "<html><form>Agree?</form></html>")
    case .otherState:
      var other = session
      other.state = "another"
      return redirect(other, "code=\(makeCode(session))")
    case .silence, nil: return redirect(session, "code=\(makeCode(session))")
    }
  }

  private func makeCode(_ session: Session) -> String {
    let code = environment.makeToken("authorization code")
    var session = session
    session.began = environment.now()
    state.withLock { $0.codes[code] = session }
    return code
  }

  private func redirect(_ session: Session, _ query: String) -> SimulatedResponse {
    let state = session.state.map { "&state=\($0)" } ?? ""
    return .redirect(to: "\(session.redirectURI)?\(query)\(state)")
  }
}
