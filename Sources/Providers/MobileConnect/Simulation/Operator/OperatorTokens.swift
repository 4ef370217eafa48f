import JSONTree
import ModemModel
import OperatorSimulator

/// What a code and a refresh token are exchanged for, and how they are revoked.
struct OperatorTokens: Sendable {
  let environment: MobileConnectEnvironment
  private var serverInitiated: ServerInitiated { ServerInitiated(environment: environment) }

  /// `POST /token`.
  func token(_ request: SimulatedRequest) -> SimulatedResponse {
    answer(
      request, known: ["grant_type", "code", "redirect_uri", "refresh_token", "scope", "auth_req_id", "correlation_id"]
    ) { (parameters, application) throws(MobileConnectRefusal) in
      switch try parameters.required("grant_type") {
      case "authorization_code": return try exchange(parameters, application)
      case "refresh_token": return try renew(parameters, application)
      case "urn:openid:params:grant-type:ciba":
        return try serverInitiated.poll(
          try parameters.required("auth_req_id"), of: application, try parameters.correlationID())
      default: throw .init("unsupported_grant_type", "grant_type is not known")
      }
    }
  }

  /// `POST /refresh`: where discovery leads for refresh tokens.
  func refresh(_ request: SimulatedRequest) -> SimulatedResponse {
    answer(request, known: ["grant_type", "refresh_token", "scope", "correlation_id"]) {
      (parameters, application) throws(MobileConnectRefusal) in
      guard try parameters.required("grant_type") == "refresh_token" else {
        throw .init("unsupported_grant_type", "grant_type is not refresh_token")
      }
      return try renew(parameters, application)
    }
  }

  /// `POST /revoke` (RFC 7009): an unknown token counts as revoked.
  func revoke(_ request: SimulatedRequest) -> SimulatedResponse {
    answer(request, known: ["token", "token_type_hint", "correlation_id"]) {
      (parameters, application) throws(MobileConnectRefusal) in
      let token = try parameters.required("token")
      if let kind = parameters["token_type_hint"], kind != "access_token", kind != "refresh_token" {
        throw .init("unsupported_token_type", "token_type_hint is not known")
      }
      environment.store.revoke(token, of: application.id)
      return SimulatedResponse(status: 200)
    }
  }

  /// Reads the form of a client that authenticates with Basic authentication only (RFC 6749, 2.3).
  private func answer(
    _ request: SimulatedRequest, known: Set<String>,
    _ body: (MobileConnectParameters, SimulatedMobileConnectApplication) throws(MobileConnectRefusal)
      -> SimulatedResponse
  ) -> SimulatedResponse {
    var correlation: String?
    do throws(MobileConnectRefusal) {
      guard let form = request.formPairs, request.queryPairs.isEmpty else { throw .invalid("the body is no form") }
      guard let application = environment.client(request.basicCredentials) else { throw .unknownClient }
      let parameters = MobileConnectParameters(form)
      try parameters.check(known: known)
      correlation = try parameters.correlationID()
      return try body(parameters, application)
    } catch {
      return error.response(correlationID: correlation)
    }
  }

  private func exchange(
    _ parameters: MobileConnectParameters, _ application: SimulatedMobileConnectApplication
  ) throws(MobileConnectRefusal) -> SimulatedResponse {
    if application.has(.tokenRateLimit) {
      var response = MobileConnectRefusal("slow_down", "as the scenario says", status: 429).response()
      response.headers.append(.init(name: "Retry-After", value: "11"))
      return response
    }
    let code = try parameters.required("code")
    let uri = try parameters.required("redirect_uri")
    // A code is good once, whatever comes of it.
    guard let grant = environment.store.use(code: code), grant.authorization.application.id == application.id,
      grant.authorization.redirectURI == uri, !application.has(.expiredCode),
      environment.provider.now().milliseconds < grant.began.milliseconds + Int64(application.codeSeconds) * 1000
    else { throw .init("invalid_grant", "the code is not good, or no longer") }
    return environment.issueTokens(of: grant, scope: grant.authorization.scope, try parameters.correlationID())
  }

  private func renew(
    _ parameters: MobileConnectParameters, _ application: SimulatedMobileConnectApplication
  ) throws(MobileConnectRefusal) -> SimulatedResponse {
    let text = try parameters.required("refresh_token")
    guard let token = environment.store.refresh(text), token.grant.authorization.application.id == application.id else {
      throw .init("invalid_grant", "the refresh token is not good, or no longer")
    }
    let scope = try parameters["scope"].map { (text) throws(MobileConnectRefusal) in try MobileConnectScopes.read(text)
    }
    guard Set(token.scope).isSuperset(of: scope ?? []) else {
      throw .init("invalid_scope", "the scope is more than was granted")
    }
    environment.store.end(refresh: text)
    return environment.issueTokens(of: token.grant, scope: scope ?? token.scope, try parameters.correlationID())
  }
}

extension MobileConnectEnvironment {
  /// The application that Basic authentication proves at the operator.
  func client(_ credentials: SimulatedRequest.BasicCredentials?) -> SimulatedMobileConnectApplication? {
    settings.applications.first { credentials == .init(name: $0.id, secret: $0.secret) }
  }

  /// Makes the tokens of a grant.
  func issueTokens(
    of grant: MobileConnectStore.Grant, scope: [String], _ correlationID: String?
  ) -> SimulatedResponse {
    let application = grant.authorization.application
    let access = provider.makeToken("access token")
    let refresh = provider.makeToken("refresh token")
    let end = Timestamp(milliseconds: provider.now().milliseconds + Int64(application.tokenSeconds) * 1000)
    store.keep(.init(grant: grant, scope: scope, end: end), access: access, refresh: refresh)
    let customer = reference(of: grant.number, for: application)
    provider.issued(customer, as: "customer reference")
    store.keep(number: grant.number, reference: customer)
    var members: [String: JSONValue] = [
      "token_type": .string("Bearer"), "expires_in": .int(application.tokenSeconds), "refresh_token": .string(refresh),
      "scope": .string(scope.joined(separator: " ")),
    ]
    if !application.has(.missingAccessToken) { members["access_token"] = .string(access) }
    members["id_token"] = IDTokenMaker(environment: self, grant: grant, accessToken: access).token().map { .string($0) }
    members["correlation_id"] = correlationID.map {
      .string(application.has(.tokenCorrelation) ? "00000000-0000-4000-8000-000000000000" : $0)
    }
    var response = SimulatedResponse.json(JSONValue.object(members).text)
    response.headers.append(.init(name: "Cache-Control", value: "no-store"))
    return response
  }
}
