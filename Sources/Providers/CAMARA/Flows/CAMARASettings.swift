import AuthCore
import RedirectChain
import Web
import AuthFlows
import CAMARACommonalities

/// What is configured of an operator, or of a front end to several, that offers CAMARA's Number
/// Verification and SIM Swap.
package struct CAMARASettings: ProviderConfiguration {
  package static let kind = "camara"

  /// How a scope names the purpose and the service.
  package enum ScopeForm: String, Hashable, Sendable, CaseIterable {
    /// `openid dpv:PURPOSE number-verification:verify`, as CAMARA has it.
    case separate
    /// `dpv:PURPOSE#number-verification-verify-read`, as Telefónica has it.
    case purposeAndName
  }

  /// How an operator token stands for the authorization over the bearer.
  package struct OperatorTokens: Hashable, Sendable {
    package var grant: OperatorTokenGrant
    /// The name of the provider that gets the tokens.
    package var source: String

    package init(_ grant: OperatorTokenGrant, from source: String) {
      self.grant = grant
      self.source = source
    }
  }

  package var server: CAMARAServer
  /// How Number Verification knows the SIM without the bearer; nil where it knows it by the bearer.
  package var operatorTokens: OperatorTokens?
  package var numberVerification = NumberVerificationVersion.v2
  package var simSwap = SIMSwapVersion.v2
  /// In place of `/number-verification/VERSION`, as `/camara/number-verification/v031`.
  package var numberVerificationPath: String?
  /// In place of `/sim-swap/VERSION`.
  package var simSwapPath: String?
  package var scopeForm = ScopeForm.separate
  /// In place of the scopes that are made of purpose and service.
  package var scopes: [CAMARAService: String] = [:]
  /// Whether the number is sent with the authorization request, as some sandboxes want it.
  package var sendsLoginHint = false
  /// Whether the number's hash is sent in place of the number.
  package var hashesNumber = false
  /// Whose token SIM Swap is asked with.
  package var simSwapToken = CAMARATokenChoice.byNumber
  /// The name of the backend's answer, where it has the redirect URI, to whether the number
  /// matches.
  package var backendAnswer = "devicePhoneNumberVerified"

  package init(_ server: CAMARAServer) { self.server = server }

  package var configuredURLs: [WebURL] {
    guard case .backchannel(let endpoint)? = operatorTokens?.grant else { return server.configuredURLs }
    return server.configuredURLs + [endpoint]
  }

  /// Where an operator token is sent first.
  var spendingEndpoint: WebURL {
    if case .backchannel(let endpoint)? = operatorTokens?.grant { endpoint } else { server.tokenEndpoint }
  }

  package var otherAbilities: [ProviderAbility] {
    server.authorizationEndpoint == nil && operatorTokens == nil ? [] : [.readNumber]
  }

  package var operatorTokensFrom: String? { operatorTokens?.source }

  package func numberVerifier(named name: String, spending source: any OperatorTokenSource) -> (any NumberVerifier)? {
    CAMARAProvider(name: name, settings: self, tokens: source)
  }

  package func credentialCheck(named name: String) -> CredentialCheck {
    server.credentialCheck(scope: scope(.checkSIMSwap, isSubscribers: false))
  }

  package func numberVerifier(named name: String) -> (any NumberVerifier)? {
    guard operatorTokens == nil, server.authorizationEndpoint != nil, server.redirect != nil else { return nil }
    return CAMARAProvider(name: name, settings: self)
  }

  package func simChangeChecker(named name: String) -> (any SIMChangeChecker)? {
    CAMARAProvider(name: name, settings: self)
  }

  /// The scope of a token for a service.
  ///
  /// - Parameter isSubscribers: whether a subscriber grants it, for a purpose.
  func scope(_ service: CAMARAService, isSubscribers: Bool) -> String {
    if let scope = scopes[service] { return scope }
    guard isSubscribers else { return service.scope }
    switch scopeForm {
    case .separate:
      // Before 1.0, the flow was plain OAuth.
      let isOpenID = service.isOfNumberVerification ? numberVerification != .v0 : simSwap != .v0
      return (isOpenID ? "openid " : "") + "dpv:\(server.purpose) \(service.scope)"
    case .purposeAndName: return "dpv:\(server.purpose)#\(service.flatName)"
    }
  }

  /// The call of a service.
  func call(_ service: CAMARAService, correlator: String) -> CAMARACall {
    CAMARACall(service.rawValue, url(service), server.route, correlator: correlator)
  }

  /// How to get a token for a service.
  func access(_ service: CAMARAService, _ grant: CAMARAAccess.Grant, _ proof: ClientProof) -> CAMARAAccess {
    CAMARAAccess(grant, scope: scope(service, isSubscribers: grant != .client), proof, at: server)
  }

  /// The URL of a service.
  func url(_ service: CAMARAService) -> WebURL {
    let base =
      service.isOfNumberVerification
      ? numberVerificationPath ?? "/number-verification/\(numberVerification.rawValue)"
      : simSwapPath ?? "/sim-swap/\(simSwap.rawValue)"
    return server.root.appending(base + service.path)
  }
}

/// Versions of the Number Verification API that differ in their paths.
package enum NumberVerificationVersion: String, Hashable, Sendable, CaseIterable {
  /// 0.3
  case v0
  /// 1.0 and 1.1
  case v1
  /// 2.0 and 2.1
  case v2
}

/// Versions of the SIM Swap API that differ in their paths.
package enum SIMSwapVersion: String, Hashable, Sendable, CaseIterable {
  /// 0.4, which takes tokens of subscribers alone.
  case v0
  /// 1.0
  case v1
  /// 2.0 and 2.1
  case v2
}

/// What can be asked.
package enum CAMARAService: String, Hashable, Sendable, CaseIterable {
  case verify, devicePhoneNumber, checkSIMSwap, retrieveSIMSwapDate

  var isOfNumberVerification: Bool { self == .verify || self == .devicePhoneNumber }

  var path: String {
    switch self {
    case .verify: "/verify"
    case .devicePhoneNumber: "/device-phone-number"
    case .checkSIMSwap: "/check"
    case .retrieveSIMSwapDate: "/retrieve-date"
    }
  }

  var scope: String {
    switch self {
    case .verify: "number-verification:verify"
    case .devicePhoneNumber: "number-verification:device-phone-number:read"
    case .checkSIMSwap: "sim-swap:check"
    case .retrieveSIMSwapDate: "sim-swap:retrieve-date"
    }
  }

  /// Telefónica's name of the scope.
  var flatName: String {
    switch self {
    case .verify: "number-verification-verify-read"
    case .devicePhoneNumber: "number-verification-device-phone-number-read"
    case .checkSIMSwap, .retrieveSIMSwapDate: "sim-swap"
    }
  }
}
