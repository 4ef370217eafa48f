import JSONTree
import ModemModel
import OperatorSimulator

/// Server-initiated requests: the operator asks at the handset, and the application polls.
struct ServerInitiated: Sendable {
  let environment: MobileConnectEnvironment

  /// Seconds for which a request may be answered, and between two polls.
  private static let life = 120
  private static let interval = 1
  private static let responseType = "mc_si_async_code"

  /// `POST /si-authorize`: a request that the application has signed.
  func begin(_ request: SimulatedRequest) -> SimulatedResponse {
    var correlation: String?
    do throws(MobileConnectRefusal) {
      guard let form = request.formPairs, request.queryPairs.isEmpty else { throw .invalid("the body is no form") }
      let parameters = MobileConnectParameters(form)
      try parameters.check(
        known: ["response_type", "client_id", "scope", "request", "correlation_id", "claims", "version"])
      correlation = try parameters.correlationID()
      let (authorization, number) = try read(parameters)
      return accept(authorization, number, correlation)
    } catch {
      return error.response(correlationID: correlation)
    }
  }

  private func accept(
    _ authorization: MobileConnectAuthorization, _ number: String, _ correlation: String?
  ) -> SimulatedResponse {
    let id = environment.provider.makeToken("authentication request id")
    let grant = MobileConnectStore.Grant(
      id: environment.provider.makeName(bytes: 16), authorization: authorization, number: number, method: "USSD_OK",
      began: environment.provider.now())
    let end = Timestamp(milliseconds: environment.provider.now().milliseconds + Int64(Self.life) * 1000)
    environment.store.keep(.init(grant: grant, pending: authorization.application.polls, end: end), id: id)
    var members: [String: JSONValue] = [
      "auth_req_id": .string(id), "expires_in": .int(Self.life), "interval": .int(Self.interval),
    ]
    members["correlation_id"] = correlation.map { .string($0) }
    return .json(JSONValue.object(members).text)
  }

  /// The signed request, whose claims must be those of the form where they are in both.
  private func read(
    _ parameters: MobileConnectParameters
  ) throws(MobileConnectRefusal) -> (MobileConnectAuthorization, number: String) {
    guard let application = environment.settings.application(parameters["client_id"]), let key = application.key else {
      throw .init("unauthorized_client", "the client may not ask so", status: 401)
    }
    guard let (header, claims) = MobileConnectKeys.read(try parameters.required("request"), signedBy: key),
      header["kid"]?.string?.isEmpty == false
    else { throw .init("invalid_request_object", "the signature of request is not the client's") }
    for name in ["response_type", "client_id", "scope"] {
      guard claims[name]?.string == (try parameters.required(name)) else {
        throw .init("invalid_request_object", "\(name) of request is another")
      }
    }
    guard claims["response_type"]?.string == Self.responseType else {
      throw .init("unsupported_response_type", "response_type is not \(Self.responseType)")
    }
    guard claims["iss"]?.string == application.id, claims["aud"]?.string == "https://\(environment.hosts.operator)"
    else {
      throw .init("invalid_request_object", "iss or aud of request is another")
    }
    return try authorization(claims, application)
  }

  private func authorization(
    _ claims: JSONValue, _ application: SimulatedMobileConnectApplication
  ) throws(MobileConnectRefusal) -> (MobileConnectAuthorization, number: String) {
    guard ["mc_si_r2_v1.0", "mc_si_r2.0"].contains(claims["version"]?.string) else {
      throw .invalid("version is not supported")
    }
    guard let nonce = claims["nonce"]?.string, environment.store.isNew(nonce: nonce, of: application.id) else {
      throw .invalid("nonce is missing, or was used before")
    }
    // A string of words, and not a list.
    guard let level = claims["acr_values"]?.string.map({ $0.split(separator: " ").first.map(String.init) }) ?? nil,
      ["2", "3"].contains(level)
    else { throw .invalid("acr_values are 2 and 3, as text") }
    guard let text = claims["login_hint"]?.string else { throw .invalid("login_hint is missing") }
    let hint = try MobileConnectAuthorizationRules.hint(text, environment.keys)
    let number: String?
    switch hint {
    case .number(let digits): number = environment.customer(digits)?.number
    case .reference(let reference): number = environment.store.number(reference: reference)
    case .token(let token): number = environment.store.number(hintToken: token)
    }
    guard let number else { throw .init("unknown_user_id", "unknown Mobile Connect user") }
    let authorization = MobileConnectAuthorization(
      application: application, redirectURI: "", state: "", nonce: nonce,
      scope: try MobileConnectScopes.read(claims["scope"]?.string ?? ""), level: level == "3" ? 3 : 2, hint: hint,
      version: claims["version"]?.string)
    return (authorization, number)
  }

  /// What the token endpoint answers to a poll (OpenID Connect CIBA, 10.1 and 11).
  func poll(
    _ id: String, of application: SimulatedMobileConnectApplication, _ correlationID: String?
  ) throws(MobileConnectRefusal) -> SimulatedResponse {
    guard var push = environment.store.push(id), push.grant.authorization.application.id == application.id else {
      throw .init("invalid_grant", "there is no such request")
    }
    guard environment.provider.now() < push.end else { throw .init("expired_token", "the user did not answer in time") }
    if environment.provider.word("mobileConnect.user") == "refuses" {
      environment.store.endPush(id)
      throw .init("access_denied", "the user refused")
    }
    if push.pending > 0 {
      push.pending -= 1
      environment.store.keep(push, id: id)
      throw .init("authorization_pending", "the user has not answered yet")
    }
    environment.store.endPush(id)
    return environment.issueTokens(of: push.grant, scope: push.grant.authorization.scope, correlationID)
  }
}
