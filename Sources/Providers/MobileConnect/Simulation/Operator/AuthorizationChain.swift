import JSONTree
import OperatorSimulator

/// The chain from an authorization request to the redirect URI, with a cleartext hop on which the
/// address reveals the number.
struct AuthorizationChain: Sendable {
  let environment: MobileConnectEnvironment

  func begin(_ request: SimulatedRequest) -> SimulatedResponse {
    let parameters = MobileConnectParameters(request.queryPairs)
    // Nobody is redirected to where nobody is registered (RFC 6749, 4.1.2.1).
    guard let application = environment.settings.application(parameters["client_id"]) else {
      return MobileConnectRefusal("unauthorized_client", "client_id is not known").response()
    }
    guard let uri = parameters["redirect_uri"], application.redirectURIs.contains(uri),
      request.queryPairs.count(where: { $0.name == "redirect_uri" }) == 1
    else { return MobileConnectRefusal.invalid("redirect_uri is not registered").response() }
    do throws(MobileConnectRefusal) {
      let rules = MobileConnectAuthorizationRules(environment: environment, parameters: parameters)
      let authorization = try rules.read(application, redirectURI: uri)
      guard environment.store.isNew(nonce: authorization.nonce, of: application.id) else {
        throw .invalid("nonce was used before")
      }
      return start(authorization)
    } catch {
      let fields = [("error", error.code), ("error_description", error.description)]
      return .redirect(
        to: MobileConnectEnvironment.url(
          uri, fields + [("state", parameters["state"]), ("correlation_id", parameters["correlation_id"])]))
    }
  }

  private func start(_ authorization: MobileConnectAuthorization) -> SimulatedResponse {
    if let refusal = authorization.application.refusal {
      return answer(authorization, [("error", refusal), ("error_description", "as the scenario says")])
    }
    // It goes in clear: the cookie beside it is the secret.
    let id = environment.provider.makeName(bytes: 16)
    let cookie = environment.provider.makeToken("cookie")
    environment.store.keep(.init(authorization: authorization, cookie: cookie), id: id)
    let location =
      authorization.prompt.contains("no_seam")
      ? "https://\(environment.hosts.operator)/authorize/resume?transaction=\(id)"
      : "http://\(environment.hosts.enrichment)/identify?transaction=\(id)"
    return .redirect(to: location, cookies: ["mc=\(cookie); Secure; HttpOnly; Path=/authorize"])
  }

  /// The cleartext hop: the operator's gateway only knows the customer by the source address.
  func identify(_ request: SimulatedRequest) -> SimulatedResponse? {
    guard request.method == "GET", request.path == "/identify" else { return nil }
    guard let id = request.query["transaction"], var transaction = environment.store.transaction(id) else {
      return .problem(404, "there is no such transaction")
    }
    guard request.cookies.isEmpty, request.headers["authorization"] == nil, request.queryPairs.count == 1 else {
      return .problem(400, "a secret came in clear")
    }
    let subscriber = environment.provider.subscribers.subscriber(at: request.source)
    transaction.seen = .some(subscriber.flatMap { environment.customer($0.number)?.number })
    environment.store.keep(transaction, id: id)
    let next = SimulatedResponse.redirect(
      to: "https://\(environment.hosts.operator)/authorize/resume?transaction=\(id)")
    return transaction.authorization.application.has(.silentOperator) ? next.delivered(.never) : next
  }

  func resume(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let id = request.query["transaction"], let transaction = environment.store.transaction(id),
      transaction.authorization.prompt.contains("no_seam") || transaction.seen != nil
    else { return .problem(404, "there is no such transaction") }
    guard request.cookies["mc"] == transaction.cookie else { return .problem(400, "the cookie is missing") }
    return goOn(transaction, id)
  }

  /// What the button of the consent page sends.
  func agree(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let form = request.form, let id = form["transaction"], var transaction = environment.store.transaction(id)
    else {
      return .problem(404, "there is no such transaction")
    }
    guard request.cookies["mc"] == transaction.cookie else { return .problem(400, "the cookie is missing") }
    guard form["answer"] == "yes" else {
      return end(transaction, id, [("error", "access_denied"), ("error_description", "the user refused")])
    }
    transaction.isAgreed = true
    if let number = form["msisdn"], number.isDigits { transaction.authorization.hint = .number(number) }
    return goOn(transaction, id)
  }

  private func goOn(_ transaction: MobileConnectStore.Transaction, _ id: String) -> SimulatedResponse {
    let application = transaction.authorization.application
    if application.has(.endless) || transaction.waited < application.waits {
      var transaction = transaction
      transaction.waited += 1
      environment.store.keep(transaction, id: id)
      return .redirect(to: "https://\(environment.hosts.operator)/authorize/resume?transaction=\(id)")
    }
    switch UserDecision(transaction, environment: environment).outcome {
    case .granted(let number, let method):
      let grant = MobileConnectStore.Grant(
        id: environment.provider.makeName(bytes: 16), authorization: transaction.authorization, number: number,
        method: method, began: environment.provider.now())
      let code = environment.provider.makeToken("authorization code")
      environment.store.keep(grant, code: code)
      return end(transaction, id, [("code", code)])
    case .refused(let code, let description):
      return end(transaction, id, [("error", code), ("error_description", description)])
    case .page(let page):
      environment.store.keep(transaction, id: id)
      return Self.page(page, id)
    }
  }

  private static func page(_ page: UserDecision.Page, _ id: String) -> SimulatedResponse {
    MobileConnectEnvironment.page(
      page == .number ? "Who are you?" : "Do you agree?",
      """
      <form method="post" action="/authorize/answer">
      <input type="hidden" name="transaction" value="\(id)">
      \(page == .number ? "<label>Your number <input name=\"msisdn\"></label>" : "")
      <button name="answer" value="yes">Go on</button> <button name="answer" value="no">Refuse</button>
      </form>
      """)
  }

  // MARK: The redirect URI

  private func end(
    _ transaction: MobileConnectStore.Transaction, _ id: String, _ fields: [(String, String?)]
  ) -> SimulatedResponse {
    environment.store.endTransaction(id)
    return answer(transaction.authorization, fields)
  }

  private func answer(
    _ authorization: MobileConnectAuthorization, _ fields: [(String, String?)]
  ) -> SimulatedResponse {
    let application = authorization.application
    let state = application.has(.state) ? "another" : application.has(.missingState) ? nil : authorization.state
    let correlation =
      application.has(.correlation) ? "00000000-0000-4000-8000-000000000000" : authorization.correlationID
    return .redirect(
      to: MobileConnectEnvironment.url(
        authorization.redirectURI, fields + [("state", state), ("correlation_id", correlation)]))
  }
}
