import AuthCore
import JSONTree
import ModemModel
import AuthFlows

extension MobileConnectFlow {
  /// Seconds for which a signed request is valid.
  private static let requestTime = 300

  /// Makes the operator ask the user at the handset, without redirects, and polls for the answer.
  ///
  /// - Parameter request: with a login hint; the SIM's own number where it has none.
  /// - Throws: `AuthError` for a request that no operator would take, or a key that cannot sign;
  ///   what the lanes throw.
  package func askAtHandset(_ request: MobileConnectRequest, _ query: OperatorQuery) async throws -> FlowEnd<
    MobileConnectAnswer
  > {
    try request.check()
    return try await ending { answer in
      guard let mode = settings.serverInitiated else {
        throw FlowEnded(
          FlowOutcome(
            .notConfigured,
            "the provider has no server-initiated mode; add serverInitiated and the credential request-key"))
      }
      let found = try await found(query, &answer)
      let client = try client(of: found)
      guard
        let hint = request.loginHint ?? answer.discovered?.subscriberID.map({ .encrypted($0) })
          ?? subscriber.number.map({ .number($0) })
      else { throw FlowEnded(FlowOutcome(.badRequest, "nobody is named whom the operator could ask; give a number")) }
      let ticket = ticket(for: request)
      let scope = ["openid"] + (request.scope ?? settings.defaults.scope).filter { $0 != "openid" }
      let acr = request.acr ?? settings.defaults.acr
      let object = try await mode.signer.sign(
        claims(request, mode, scope: scope, acr: acr, hint, ticket, found, client))
      let machine = ServerInitiatedMachine(
        .init(scope: scope, object: object, correlationID: correlationID()),
        at: try mode.endpoint ?? endpoint(.serverInitiated, of: found),
        polling: try mode.pollingEndpoint ?? endpoint(.token, of: found), client: client, mode, route: settings.route)
      let asked = try await run(machine, within: .seconds(660))
      guard var tokens = asked.answer?.tokens else { throw FlowEnded(asked.outcome) }
      var expected = expectation(client, version(of: found), found)
      expected.nonce = ticket.nonce
      expected.accessToken = tokens.accessToken
      expected.acr = acr
      expected.loginHint = hint
      tokens.claims = try await validated(tokens.idToken, expected, found)
      answer.tokens = tokens
      return FlowOutcome(.signedIn, "the user answered at the handset; the ID token is validated")
    }
  }

  private func claims(
    _ request: MobileConnectRequest, _ mode: MobileConnectServerInitiated, scope: [String], acr: [String],
    _ hint: LoginHint, _ ticket: AuthorizationTicket, _ found: MobileConnectOperator, _ client: MobileConnectClient
  ) -> JSONValue {
    let now = Int(run.now.seconds)
    var claims: [String: JSONValue] = [
      "response_type": .string(ServerInitiatedMachine.responseType), "client_id": .string(client.id),
      "scope": .string(scope.joined(separator: " ")), "version": .string(mode.version),
      "nonce": .string(ticket.nonce.revealed), "login_hint": .string(hint.text),
      "acr_values": .string(acr.joined(separator: " ")), "iss": .string(client.id),
      "iat": .int(now), "exp": .int(now + Self.requestTime),
    ]
    claims["aud"] = (mode.audience ?? found.issuer).map { .string($0) }
    claims["binding_message"] = request.bindingMessage.map { .string($0) }
    claims["context"] = request.context.map { .string($0) }
    claims["client_name"] = (request.clientName ?? settings.defaults.clientName).map { .string($0) }
    claims["claims"] = request.claims
    if let uri = mode.notificationURI {
      claims["notification_uri"] = .string(uri)
      claims["client_notification_token"] = .string(Base64.encodeURL(settings.tools.random(32)))
    }
    return .object(claims)
  }
}
