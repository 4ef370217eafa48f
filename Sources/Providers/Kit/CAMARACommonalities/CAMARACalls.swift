import AuthCore
import JSONTree
import RedirectChain
import Web
import AuthFlows

extension CAMARAAccess.Request {
  /// The authorization request (OpenID Connect Core, 3.1.2.1); nil if it is not configured.
  func authorization(_ ticket: AuthorizationTicket, _ hint: SubscriberNumber?) -> BearerCall? {
    guard let authorizationEndpoint, let redirect else { return nil }
    // The backend that exchanges the code does not have the verifier.
    let sendsChallenge = usesPKCE && !redirect.isFetched
    let query = FormFields([
      "response_type": "code", "client_id": clientID, "redirect_uri": redirect.text, "scope": scope,
      "state": ticket.state.revealed, "nonce": isOpenID ? ticket.nonce.revealed : nil,
      "code_challenge": sendsChallenge ? ticket.challenge : nil,
      "code_challenge_method": sendsChallenge ? "S256" : nil, "prompt": promptsNone ? "none" : nil,
      "login_hint": hint.map { "tel:\($0.revealed)" },
    ])
    var policy = ChainPolicy()
    policy.totalTime = authorizationTime
    // The machine compares the state, because it can recognise an error without one.
    var request = ChainRequest(
      url: authorizationEndpoint.adding(query), redirectURI: redirect.uri, policy: policy)
    request.kind = ChainKind("camara/\(authorizationEndpoint.host)/authorize")
    return BearerCall("authorize", request)
  }

  /// The redirect URI itself, with its code, over the same bearer as the chain before it.
  func fetch(_ url: WebURL) -> BearerCall {
    var policy = ChainPolicy()
    policy.totalTime = authorizationTime
    return BearerCall(
      "fetchRedirect", ChainRequest(url: url, headers: [.accept("application/json")], policy: policy))
  }

  /// Exchanges the code for a token (RFC 6749, 4.1.3).
  func exchange(_ code: Secret, _ ticket: AuthorizationTicket) -> BackendCall {
    token(
      "exchangeCode",
      FormFields([
        "grant_type": "authorization_code", "code": code.revealed, "redirect_uri": redirect?.text,
        "code_verifier": usesPKCE ? ticket.verifier.revealed : nil,
      ]))
  }

  /// Requests the client's own token (RFC 6749, 4.4).
  var clientToken: BackendCall {
    token("clientToken", FormFields(["grant_type": "client_credentials", "scope": scope]))
  }

  /// Exchanges an assertion for a token (RFC 7523, 2.1). It proves the client as well, so that
  /// nothing else is sent.
  func exchange(_ assertion: Secret) -> BackendCall {
    post(
      "exchangeAssertion", tokenEndpoint,
      FormFields([
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion.revealed,
      ]))
  }

  /// Requests an authorization over the backchannel (CIBA Core, 7.1).
  func backchannel(_ ticket: BackchannelTicket) -> BackendCall {
    let (headers, fields) = ticket.proof.token(
      clientID, FormFields(["scope": scope, "login_hint": ticket.hint.revealed]))
    return post("requestAuthorization", ticket.endpoint, fields, headers)
  }

  /// Asks for the token of a backchannel request (CIBA Core, 10.1).
  func poll(_ id: Secret, _ proof: ClientProof) -> BackendCall {
    let (headers, fields) = proof.token(
      clientID,
      FormFields(["grant_type": "urn:openid:params:grant-type:ciba", "auth_req_id": id.revealed]))
    return post("askForToken", tokenEndpoint, fields, headers)
  }

  private func token(_ step: String, _ fields: FormFields) -> BackendCall {
    let (headers, fields) = proof.token(clientID, fields)
    return post(step, tokenEndpoint, fields, headers)
  }

  private func post(_ step: String, _ url: WebURL, _ fields: FormFields, _ headers: [WebHeader] = []) -> BackendCall {
    BackendCall(step, .post, url, headers: headers + [.accept("application/json")], body: .form(fields), route: route)
  }
}

/// A call of one of CAMARA's APIs.
package struct CAMARACall: Hashable, Sendable {
  let step: String
  let url: WebURL
  let route: BackendRoute
  /// The same in all calls of one flow, for the operator to find them by.
  package let correlator: String

  /// - Parameters:
  ///   - step: the step's name in outcomes and traces.
  ///   - correlator: at most 256 letters, digits and `-_:;./<>{}`.
  package init(_ step: String, _ url: WebURL, _ route: BackendRoute, correlator: String) {
    self.step = step
    self.url = url
    self.route = route
    self.correlator = correlator
  }

  /// - Parameter body: nil for a GET.
  func backendCall(_ token: AccessToken, _ body: [String: JSONValue]?) -> BackendCall {
    BackendCall(
      step, body == nil ? .get : .post, url,
      headers: [
        .bearer(token.secret), .accept("application/json"), WebHeader(name: "x-correlator", value: correlator),
      ], body: body.map { .json(JSONValue.object($0).text) }, route: route)
  }
}
