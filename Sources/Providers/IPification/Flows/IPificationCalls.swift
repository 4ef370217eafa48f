import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Web

/// The requests, as they are sent.
extension IPificationArguments {
  /// Fields of an answer that leads into a messaging application. A chain ends with it, whatever
  /// its status.
  static let messageField = "imbox_session_id"
  /// The time limit of a repeated call.
  private static let retryTime = Duration.seconds(5)
  /// Limits of a connection, and between two parts of an answer.
  private static let hopTime = Duration.seconds(10)

  /// Whether the operator of the bearer's address is served.
  func coverageCall(withNumber: Bool, isRetry: Bool) -> BearerCall {
    var query = FormFields(["client_id": settings.clientID])
    if withNumber { query.add("phone", number?.digits) }
    addNetwork(to: &query)
    let path = settings.paths.coverage + (settings.assumesCoverage ? "/1.2.3.4" : "")
    let name = withNumber || number == nil ? "checkCoverage" : "checkCoverageOfAddress"
    var call = BearerCall.api(
      name, settings.host.appending(path, query), headers: [.accept("application/json")], time: settings.coverageTime)
    call.request.policy.prepare(settings, isRetry: isRetry, Self.hopTime, Self.retryTime)
    return call
  }

  /// The authorization request, which must come from the device itself.
  func authorizationCall(at now: Timestamp, isRetry: Bool) -> BearerCall {
    var policy = ChainPolicy()
    policy.totalTime = settings.authorizationTime
    policy.stopFields = [Self.messageField]
    policy.prepare(settings, isRetry: isRetry, Self.hopTime, Self.retryTime)
    policy.cleartextDomains =
      switch settings.cleartext {
      case .any: nil
      case .known: IPificationHosts.cleartextDomains
      case .only(let domains): domains
      }
    let url = settings.host.appending(settings.paths.authorization, authorizationQuery(at: now))
    // The machine compares the state, so that it can recognise a provider's error without one.
    var chain = ChainRequest(url: url, redirectURI: redirectURI, policy: policy)
    chain.kind = settings.lead.kind
    return BearerCall("authorize", chain)
  }

  private func authorizationQuery(at now: Timestamp) -> FormFields {
    var query = FormFields([
      "response_type": "code", "client_id": settings.clientID, "redirect_uri": settings.redirectURI,
      "state": state.revealed,
    ])
    if let requestObject {
      // It contains the scope, the consent and the number, and the number must not appear in clear
      // beside it.
      query.add("request", requestObject.token.revealed)
    } else {
      query.add("scope", scope.joined(separator: " "))
      query.add("login_hint", number?.digits)
      if let consentID = settings.consentID {
        query.add("consent_id", consentID)
        query.add("consent_timestamp", "\(now.milliseconds / 1000)")
      }
    }
    if requestObject?.nonce == nil { query.add("nonce", nonce?.revealed) }
    if !locales.isEmpty { query.add("ui_locales", locales.joined(separator: " ")) }
    if !channels.isEmpty { query.add("channel", channels.joined(separator: " ")) }
    addNetwork(to: &query)
    return query
  }

  private func addNetwork(to query: inout FormFields) {
    query.add("mcc", network?.mcc)
    query.add("mnc", network?.mnc)
  }

  /// Exchanges the code for tokens (RFC 6749, 4.1.3). A code works once, so this is never sent
  /// twice.
  func tokenCall(_ code: Secret, secret: Secret) -> BackendCall {
    let form = FormFields([
      "grant_type": "authorization_code", "code": code.revealed, "redirect_uri": settings.redirectURI,
      "client_id": settings.clientID, "client_secret": secret.revealed,
    ])
    return BackendCall(
      "exchangeCode", .post, settings.tokenHost.appending(settings.paths.token), headers: [.accept("application/json")],
      body: .form(form), route: settings.backendRoute)
  }

  func userinfoCall(_ token: Secret) -> BackendCall {
    BackendCall(
      "readUserInfo", .post, settings.tokenHost.appending(settings.paths.userinfo),
      headers: [.accept("application/json")], body: .form(FormFields(["access_token": token.revealed])),
      route: settings.backendRoute)
  }

  /// What the application's backend needs to complete the verification.
  func backendCall(_ code: Secret, to url: WebURL) -> BackendCall {
    var members: [String: JSONValue] = [
      "code": .string(code.revealed), "state": .string(state.revealed), "redirect_uri": .string(settings.redirectURI),
    ]
    if let expectedNumber { members["login_hint"] = .string(expectedNumber.digits) }
    if let nonce { members["nonce"] = .string(nonce.revealed) }
    return BackendCall(
      "completeByBackend", .post, url, headers: [.accept("application/json")],
      body: .json(JSONValue.object(members).text),
      route: settings.backendRoute)
  }

  /// The redirect URI is the backend's. Fetching it passes on the code, so it is done once.
  func redirectCall(_ url: WebURL) -> BackendCall {
    BackendCall(
      "completeByRedirect", .get, url, headers: [.accept("application/json")], route: settings.backendRoute)
  }
}

extension ChainPolicy {
  fileprivate mutating func prepare(
    _ settings: IPificationSettings, isRetry: Bool, _ time: Duration, _ retryTime: Duration
  ) {
    family = settings.family
    keepsCookies = settings.keepsCookies
    connectTime = isRetry ? retryTime : time
    readTime = isRetry ? retryTime : time
  }
}
