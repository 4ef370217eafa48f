import AuthCore
import JSONTree
import RedirectChain
import AuthFlows

/// An authorization request in the form that is sent, from the caller's request, the configuration,
/// and the rules of the operator's version.
struct MobileConnectAuthorization: Hashable, Sendable {
  /// Whether it uses the service `mc_authz`, which shows the user what is authorised.
  let isAuthorisation: Bool
  let version: MobileConnectVersion
  let scope: [String]
  let acr: [String]
  let loginHint: LoginHint?
  let prompt: [MobileConnectRequest.Prompt]
  let maximumAge: Int?
  let ticket: AuthorizationTicket
  let correlationID: String?
  private let request: MobileConnectRequest
  private let defaults: MobileConnectDefaults
  private let claims: JSONValue?
  private let clientName: String?

  /// - Parameters:
  ///   - hint: used if the request has none.
  ///   - correlationID: nil for none.
  /// - Throws: `AuthError` for anything that the version or the operator does not allow.
  init(
    _ request: MobileConnectRequest, _ settings: MobileConnectSettings, _ found: MobileConnectOperator,
    hint: LoginHint?, ticket: AuthorizationTicket, correlationID: String?
  ) throws(AuthError) {
    try request.check()
    self.request = request
    self.ticket = ticket
    self.correlationID = correlationID
    defaults = settings.defaults
    version = try Self.version(request.version ?? settings.version, found)
    scope = ["openid"] + (request.scope ?? defaults.scope).filter { $0 != "openid" }
    isAuthorisation = Self.isAuthorisation(scope, request)
    acr = request.acr ?? defaults.acr
    maximumAge = request.maximumAge ?? defaults.maximumAge
    // A token identifies its subject: the SIM's own number beside it could belong to somebody else.
    loginHint = try Self.hint(request.loginHint, request.loginHintToken == nil ? hint : nil, found)
    prompt = isAuthorisation ? [.login] : Self.prompt(request.prompt, version)
    claims = try Self.claims(request, found)
    clientName = request.clientName ?? defaults.clientName ?? found.clientName
    try checkAuthorisation()
    try MobileConnectRequest.require(
      request.loginHintToken == nil || version >= .v3_0, "loginHintToken",
      "left out: version \(version) of the operator has none, \(MobileConnectVersion.v3_0) has")
  }

  // MARK: Rules

  private static func version(
    _ wanted: MobileConnectVersion?, _ found: MobileConnectOperator
  ) throws(AuthError) -> MobileConnectVersion {
    if let wanted { return wanted }
    let offered = found.metadata?.versions ?? []
    guard !offered.isEmpty else { return .v1_1 }
    guard let version = MobileConnectVersion.newestCommon(of: offered) else {
      throw AuthError(
        .notConfigured,
        "the operator offers no version that is known here; set `version` to one of those that its metadata has in mc_version"
      )
    }
    return version
  }

  /// The scope mc_authz alone, or a context without mc_authn.
  private static func isAuthorisation(_ scope: [String], _ request: MobileConnectRequest) -> Bool {
    scope.dropFirst() == ["mc_authz"] || !scope.contains("mc_authn") && request.context != nil
  }

  /// Version 3.0 supports three words; others are omitted there.
  private static func prompt(
    _ wanted: [MobileConnectRequest.Prompt], _ version: MobileConnectVersion
  ) -> [MobileConnectRequest.Prompt] {
    version >= .v3_0 ? wanted.filter { [.none, .login, .noSeam].contains($0) } : wanted
  }

  private static func hint(
    _ given: LoginHint?, _ other: LoginHint?, _ found: MobileConnectOperator
  ) throws(AuthError) -> LoginHint? {
    let methods = found.metadata?.loginHintMethods ?? []
    let isTaken = { (hint: LoginHint) in methods.isEmpty || methods.contains(hint.method) }
    if let given {
      try MobileConnectRequest.require(
        isTaken(given), "loginHint", "one of the kinds that the operator takes: " + methods.joined(separator: ", "))
      return given
    }
    return other.flatMap { isTaken($0) ? $0 : nil }
  }

  private static func claims(
    _ request: MobileConnectRequest, _ found: MobileConnectOperator
  ) throws(AuthError) -> JSONValue? {
    guard request.claims != nil || request.kyc != nil else { return nil }
    try MobileConnectRequest.require(
      found.metadata?.takesClaims != false, "claims", "left out: the operator's metadata says that it takes none")
    guard let kyc = request.kyc else { return request.claims }
    guard case .object(var members)? = request.claims ?? .object([:]), case .object(let values) = kyc.json else {
      return request.claims
    }
    // KYC Match answers with premiuminfo.
    guard case .object(let given) = members["premiuminfo"] ?? .object([:]) else {
      throw .invalid("claims", "an object in `premiuminfo`, where there is a value for KYC Match too")
    }
    members["premiuminfo"] = .object(given.merging(values) { _, new in new })
    return .object(members)
  }

  private func checkAuthorisation() throws(AuthError) {
    guard isAuthorisation else {
      let isPlain = request.context == nil && request.bindingMessage == nil
      return try MobileConnectRequest.require(
        isPlain, "context",
        "left out, and the binding message too: the scope is no authorisation; add mc_authz, without mc_authn")
    }
    guard version >= .v1_2, version < .v3_0 else { return }
    try MobileConnectRequest.require(
      clientName != nil, "clientName",
      "the application's registered name, which an authorisation of version \(version) shows")
    try MobileConnectRequest.require(
      request.context != nil, "context", "what the user authorises, in an authorisation of version \(version)")
  }

  // MARK: Fields

  /// The query of the request (OpenID Connect Core, 3.1.2.1; Mobile Connect profile).
  func query(client: MobileConnectClient, redirect: MobileConnectRedirect) -> FormFields {
    var query = FormFields([
      "client_id": client.id, "redirect_uri": redirect.text, "response_type": "code",
      "scope": scope.joined(separator: " "), "acr_values": acr.joined(separator: " "),
      "state": ticket.state.revealed, "nonce": ticket.nonce.revealed, "version": version.text,
      "correlation_id": correlationID, "display": (request.display ?? defaults.display).rawValue,
      "prompt": Self.words(prompt.map(\.rawValue)), "max_age": maximumAge.map(String.init),
      "ui_locales": Self.words(request.uiLocales ?? defaults.uiLocales),
      "claims_locales": Self.words(request.claimsLocales ?? defaults.claimsLocales),
      "id_token_hint": request.idTokenHint?.revealed, "login_hint": loginHint?.text,
      "login_hint_token": request.loginHintToken?.revealed, "dtbs": request.dtbs, "claims": claims?.text,
    ])
    if isAuthorisation {
      query.add("client_name", clientName)
      query.add("context", request.context)
      query.add("binding_message", request.bindingMessage)
    }
    return query
  }

  private static func words(_ words: [String]) -> String? { words.isEmpty ? nil : words.joined(separator: " ") }
}
