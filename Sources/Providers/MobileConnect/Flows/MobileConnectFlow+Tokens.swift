import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Web
import AuthFlows

// From a request to validated tokens.

extension MobileConnectFlow {
  /// A code with everything needed to exchange it.
  struct Ready {
    let code: MobileConnectCode
    let authorization: MobileConnectAuthorization
    let found: MobileConnectOperator
    let client: MobileConnectClient
    let redirect: MobileConnectRedirect
  }

  /// Follows an authorization over the bearer.
  ///
  /// - Parameter isExchanged: whether the code is exchanged here.
  func code(
    for request: MobileConnectRequest, _ query: OperatorQuery, isExchanged: Bool = true,
    _ answer: inout MobileConnectAnswer
  ) async throws -> Ready {
    run.beginBearer(for: lead(query))
    // Without a bearer, nobody is asked anything, as far as that is known; and what goes over it
    // waits for it.
    if settings.route == .bearer || run.bearerObstacle != nil { try await prepare() }
    let found = try await found(query, &answer)
    let client = try client(of: found)
    let redirect = try redirect()
    try await prepare()
    let authorization = try MobileConnectAuthorization(
      request, settings, found, hint: hint(answer.discovered), ticket: ticket(for: request),
      correlationID: correlationID()
    )
    let machine = MobileConnectAuthorizationMachine(
      authorization, at: try endpoint(.authorization, of: found), client: client, redirect: redirect, settings,
      kind: lead(query).kind)
    if isExchanged { foreseeTokens(of: found) }
    let done = try await run(machine, within: flowTime)
    guard let code = done.answer?.code, let reached = done.answer?.redirect else {
      throw FlowEnded(done.outcome, page: done.answer?.page)
    }
    let ready = MobileConnectCode(
      code: code, state: authorization.ticket.state, nonce: authorization.ticket.nonce, redirect: reached,
      version: authorization.version)
    return Ready(code: ready, authorization: authorization, found: found, client: client, redirect: redirect)
  }

  /// A code of an earlier authorization, as the request describes it.
  func ready(
    _ code: Secret, _ request: MobileConnectRequest, _ found: MobileConnectOperator,
    _ discovered: MobileConnectDiscovered?
  ) throws -> Ready {
    let client = try client(of: found)
    let redirect = try redirect()
    let authorization = try MobileConnectAuthorization(
      request, settings, found, hint: hint(discovered), ticket: ticket(for: request), correlationID: correlationID())
    let known = MobileConnectCode(
      code: code, state: authorization.ticket.state, nonce: authorization.ticket.nonce, redirect: Secret(redirect.text),
      version: authorization.version)
    return Ready(code: known, authorization: authorization, found: found, client: client, redirect: redirect)
  }

  /// While the operator answers over the bearer, its keys are read, and the connection for the
  /// code's exchange is opened.
  private func foreseeTokens(of found: MobileConnectOperator) {
    if let url = found.endpoints[.keys] { run.foresee(firstCallOf: keysMachine(url, kept(url))) }
    let keys = found.endpoints[.keys].flatMap { kept($0)?.isFresh == true ? nil : $0.origin }
    guard let token = found.endpoints[.token], token.origin != keys else { return }
    run.foresee(FlowForesight(destinations: [.init(token, settings.route)]))
  }

  /// The chain of an authorization: each operator has its own.
  private func lead(_ query: OperatorQuery) -> ChainLead {
    let place = settings.sourceHost ?? "none"
    let code = (query.network ?? network).map { "\($0)" } ?? "any"
    return ChainLead(ChainKind("mobileConnect/\(place)/\(code)"))
  }

  private func redirect() throws -> MobileConnectRedirect {
    if let redirect = settings.redirect { return redirect }
    throw FlowEnded(
      FlowOutcome(.notConfigured, "the provider has no redirect URI; add redirectURI as it is registered"))
  }

  /// The authorization's subject if the caller gives none: the encrypted number, if there is one.
  private func hint(_ discovered: MobileConnectDiscovered?) -> LoginHint? {
    if let id = discovered?.subscriberID { return .encrypted(id) }
    return settings.defaults.sendsNumber ? subscriber.number.map { .number($0) } : nil
  }

  func ticket(for request: MobileConnectRequest) -> AuthorizationTicket {
    let made = AuthorizationTicket(settings.tools)
    guard request.state != nil || request.nonce != nil else { return made }
    return AuthorizationTicket(
      state: (request.state ?? made.state).revealed, nonce: (request.nonce ?? made.nonce).revealed,
      verifier: made.verifier.revealed, settings.tools)
  }

  /// Exchanges a code, and validates the answer.
  func tokens(for ready: Ready) async throws -> MobileConnectTokens {
    let machine = MobileConnectTokenMachine(
      .code(ready.code.code, redirect: ready.redirect), at: try endpoint(.token, of: ready.found),
      client: ready.client, correlationID: ready.authorization.correlationID, route: settings.route)
    var tokens = try await through(machine)
    var expected = expectation(ready.client, ready.authorization.version, ready.found)
    expected.nonce = ready.code.nonce
    expected.accessToken = tokens.accessToken
    expected.maximumAge = ready.authorization.maximumAge
    expected.acr = ready.authorization.acr
    expected.loginHint = ready.authorization.loginHint
    tokens.claims = try await validated(tokens.idToken, expected, ready.found)
    return tokens
  }

  /// The requirements for every ID token of an operator.
  func expectation(
    _ client: MobileConnectClient, _ version: MobileConnectVersion, _ found: MobileConnectOperator
  ) -> IDTokenExpectation {
    var expected = IDTokenExpectation(clientID: client.id, version: version)
    expected.issuer = found.issuer
    expected.skew = settings.clockSkew
    return expected
  }

  /// The claims of an ID token with a valid signature and valid claims.
  ///
  /// - Throws: `TokenFault` for the first check that fails.
  func validated(
    _ idToken: Secret?, _ expected: IDTokenExpectation, _ found: MobileConnectOperator
  ) async throws -> JSONValue {
    guard let idToken else {
      throw TokenFault(.missing, "there is no ID token; ask the operator why the scope openid gives none")
    }
    let claims = try await signedClaims(of: idToken, found)
    try expected.check(claims, at: run.now, settings.tools)
    return claims
  }

  /// The claims of a token that a key of the operator signed.
  func signedClaims(of token: Secret, _ found: MobileConnectOperator) async throws -> JSONValue {
    guard let signed = SignedToken(token) else {
      throw TokenFault(.form, "it is no signed token in compact form, or it is encrypted; ask the operator")
    }
    guard let url = found.endpoints[.keys] else {
      throw TokenFault(
        .signature, "the operator's keys are not known; configure endpoints.jwks, or the operator's metadata")
    }
    var keys = try await keys(at: url, kept(url))
    var verdict = await settings.isSigned(token, keys.json)
    if verdict == .keyMissing, keys.isKept {
      // Keys change: a key that is not among the kept ones is requested once.
      keys = try await self.keys(at: url, nil)
      verdict = await settings.isSigned(token, keys.json)
    }
    if let fault = TokenFault(verdict) { throw fault }
    return signed.claims
  }

  private func keys(at url: WebURL, _ kept: (json: JSONValue, isFresh: Bool)?) async throws -> DocumentMachine.Document
  {
    let keys = try await through(keysMachine(url, kept))
    if !keys.isKept { settings.memory.keep(keys.json, of: url, at: run.now) }
    return keys
  }

  private func keysMachine(_ url: WebURL, _ kept: (json: JSONValue, isFresh: Bool)?) -> DocumentMachine {
    DocumentMachine("readKeys", url, kept: kept, route: settings.route)
  }

  private func kept(_ url: WebURL) -> (json: JSONValue, isFresh: Bool)? {
    settings.memory.document(url, at: run.now)
  }

  /// The operator's data for a token, in any of its formats.
  func information(
    _ kind: MobileConnectInformation.Kind, _ token: Secret, subject: Secret?, _ found: MobileConnectOperator,
    _ client: MobileConnectClient
  ) async throws -> MobileConnectInformation {
    let machine = MobileConnectInformationMachine(
      kind, token, at: try endpoint(kind.relation, of: found), route: settings.route)
    let json: JSONValue
    switch try await through(machine) {
    case .plain(let told): json = told
    case .signed(let told):
      json = try await signedClaims(of: told, found)
      try Self.check(json, issuer: found.issuer, client)
    }
    let information = MobileConnectInformation(json)
    // OpenID Connect Core, 5.3.2.
    if let subject, information.subject != subject {
      throw FlowEnded(
        FlowOutcome(
          .stateMismatch, "token and information are about two subjects, or the information names none; begin anew"))
    }
    return information
  }

  /// If signed information names its audience and subject, they must match (OpenID Connect Core,
  /// 5.3.2).
  private static func check(
    _ claims: JSONValue, issuer: String?, _ client: MobileConnectClient
  ) throws(TokenFault) {
    if let other = claims["iss"]?.string, other != issuer {
      throw TokenFault(
        .iss, "the information is of another issuer than the operator; compare the issuer with its metadata")
    }
    let audience = [claims["aud"]?.string].compactMap(\.self) + (claims["aud"]?.items.compactMap(\.string) ?? [])
    guard audience.isEmpty || audience.contains(client.id) else {
      throw TokenFault(.aud, "the information is for another client; check the client id")
    }
  }
}
