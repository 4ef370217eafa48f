import JSONTree
import OperatorSimulator

/// An application's valid request for an authorization.
struct MobileConnectAuthorization: Hashable, Sendable {
  /// Whom the application means.
  enum Hint: Hashable, Sendable {
    /// Digits, whether they came in clear or encrypted.
    case number(String)
    /// A pseudonym that it once got (PCR).
    case reference(String)
    /// A token of the exchange.
    case token(String)
  }

  var application: SimulatedMobileConnectApplication
  var redirectURI: String
  var state: String
  var nonce: String
  var scope: [String]
  /// The level of assurance that it asks for first: 2 or 3.
  var level = 2
  var prompt: Set<String> = []
  var hint: Hint?
  var version: String?
  /// What the user must agree to.
  var context: String?
  var claims: JSONValue?
  var correlationID: String?

  /// Whether the version requires an ID token with all claims: from 2.3 on, and if the server
  /// began.
  var wantsAllClaims: Bool { version == "mc_di_r2_v2.3" || version?.hasPrefix("mc_si") == true || isThird }
  var isThird: Bool { version.map { MobileConnectAuthorizationRules.third.contains($0) } ?? false }
}

/// Reads an authorization request, and refuses an invalid one.
struct MobileConnectAuthorizationRules: Sendable {
  let environment: MobileConnectEnvironment
  let parameters: MobileConnectParameters

  /// Device-initiated, third release; the portal and the SDKs spell it differently.
  static let third: Set<String> = ["mc_di_v3.0", "mc_di_r3.0"]

  private static let known: Set<String> = [
    "client_id", "redirect_uri", "response_type", "scope", "acr_values", "state", "nonce", "version", "correlation_id",
    "display", "prompt", "max_age", "ui_locales", "claims_locales", "id_token_hint", "dtbs", "login_hint",
    "login_hint_token", "claims", "client_name", "context", "binding_message",
  ]

  /// Reads everything but the client and the redirect URI.
  func read(
    _ application: SimulatedMobileConnectApplication, redirectURI: String
  ) throws(MobileConnectRefusal) -> MobileConnectAuthorization {
    try parameters.check(known: Self.known)
    guard try parameters.required("response_type") == "code" else {
      throw .init("unsupported_response_type", "response_type is not code")
    }
    var authorization = MobileConnectAuthorization(
      application: application, redirectURI: redirectURI, state: try parameters.required("state"),
      nonce: try parameters.required("nonce"),
      scope: try MobileConnectScopes.read(try parameters.required("scope")))
    authorization.correlationID = try parameters.correlationID()
    authorization.version = try version()
    authorization.level = try level()
    authorization.prompt = try prompt(authorization)
    authorization.hint = try hint(authorization)
    authorization.context = try context(authorization)
    authorization.claims = try KYCClaims.read(parameters["claims"], scope: authorization.scope)
    if let display = parameters["display"], !["page", "popup", "touch", "wap"].contains(display) {
      throw .invalid("display is not known")
    }
    if let age = parameters["max_age"], !age.isDigits { throw .invalid("max_age is no number of seconds") }
    return authorization
  }

  private func version() throws(MobileConnectRefusal) -> String? {
    guard let version = parameters["version"] else { return nil }
    guard environment.settings.versions.contains(version) else { throw .invalid("version is not supported") }
    return version
  }

  private func level() throws(MobileConnectRefusal) -> Int {
    let levels = (parameters["acr_values"] ?? "2").split(separator: " ").map(String.init)
    guard let first = levels.first, levels.allSatisfy({ $0 == "2" || $0 == "3" }) else {
      throw .invalid("acr_values are 2 and 3")
    }
    return first == "3" ? 3 : 2
  }

  private func prompt(_ authorization: MobileConnectAuthorization) throws(MobileConnectRefusal) -> Set<String> {
    let words = (parameters["prompt"] ?? "").split(separator: " ").map(String.init)
    let known: Set<String> =
      authorization.isThird ? ["none", "login", "no_seam"] : ["none", "login", "consent", "select_account", "no_seam"]
    guard known.isSuperset(of: words) else { throw .invalid("prompt is not known in this version") }
    guard words.count == 1 || !words.contains("none") else { throw .invalid("prompt has none beside another word") }
    return Set(words)
  }

  private func hint(
    _ authorization: MobileConnectAuthorization
  ) throws(MobileConnectRefusal) -> MobileConnectAuthorization.Hint? {
    switch (parameters["login_hint"], parameters["login_hint_token"]) {
    case (let hint?, nil): return try Self.hint(hint, environment.keys)
    case (let hint, let token?):
      guard authorization.isThird else { throw .invalid("login_hint_token is not of this version") }
      guard let number = environment.store.number(hintToken: token) else {
        throw .invalid("login_hint_token is not known")
      }
      let other = try hint.map { (text) throws(MobileConnectRefusal) in try Self.hint(text, environment.keys) }
      if case .number(let digits)? = other, digits != number.filter({ $0 != "+" }) {
        throw .invalid("login_hint and login_hint_token are about two numbers")
      }
      return .token(token)
    case (nil, nil):
      guard MobileConnectScopes.validation.isDisjoint(with: authorization.scope) else {
        throw .invalid("the scope needs a login_hint")
      }
      return nil
    }
  }

  static func hint(
    _ text: String, _ keys: MobileConnectKeys
  ) throws(MobileConnectRefusal) -> MobileConnectAuthorization.Hint {
    let halves = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard halves.count == 2 else { throw .invalid("login_hint has no kind") }
    switch halves[0] {
    case "MSISDN":
      guard halves[1].isDigits else { throw .invalid("login_hint is no number") }
      return .number(halves[1])
    case "ENCR_MSISDN":
      guard let number = keys.decrypt(halves[1]) else { throw .invalid("login_hint cannot be decrypted") }
      return .number(number)
    case "PCR": return .reference(halves[1])
    default: throw .invalid("login_hint is of no kind that is known")
    }
  }

  /// What the user must agree to: only for authorisation, in which the application also gives its
  /// registered name.
  private func context(_ authorization: MobileConnectAuthorization) throws(MobileConnectRefusal) -> String? {
    let isAuthorisation = authorization.scope.contains("mc_authz") || !authorization.scope.contains("mc_authn")
    let given = ["client_name", "context", "binding_message"].filter { parameters[$0] != nil }
    guard isAuthorisation || given.isEmpty else { throw .invalid("\(given[0]) is of authorisation alone") }
    if let name = parameters["client_name"], name != authorization.application.name {
      throw .invalid("client_name is not the registered one")
    }
    let needsBoth = ["mc_v1.2", "mc_v2.0", "mc_di_r2_v2.3"].contains(authorization.version)
    if authorization.scope.contains("mc_authz"), needsBoth {
      _ = try parameters.required("client_name")
      _ = try parameters.required("context")
    }
    return parameters["context"]
  }
}
