import AuthCore
import RedirectChain
import Web
import AuthFlows

/// The configuration of an operator, or of a front end to several operators, that offers CAMARA's
/// Number Verification and SIM Swap.
public struct CAMARASettings: ProviderConfiguration {
  public static let kind = "camara"

  /// How a scope combines the purpose and the service.
  public enum ScopeForm: String, Hashable, Sendable, CaseIterable {
    /// `openid dpv:PURPOSE number-verification:verify`, as in CAMARA's specification.
    case separate
    /// `dpv:PURPOSE#number-verification-verify-read`, as Telefónica has it.
    case purposeAndName
  }

  /// Whose the redirect URI is.
  public enum Redirect: Hashable, Sendable {
    /// This machine's: the chain stops before it, and the code is exchanged here.
    case intercepted(RedirectURI, text: String)
    /// The backend's: it is fetched over the bearer, and the backend completes the flow and
    /// answers.
    case fetched(WebURL)
  }

  /// The token with which SIM Swap is called.
  public enum SIMSwapToken: String, Hashable, Sendable, CaseIterable {
    /// The client's own if a number is given, else the subscriber's.
    case byNumber
    /// Always the client's: a number is required.
    case client
    /// Always the subscriber's: only the SIM in this machine can be checked.
    case subscriber
  }

  /// Under this are the APIs.
  public var root: Endpoint
  /// Nil for a client that only asks by number.
  public var authorizationEndpoint: WebURL?
  public var tokenEndpoint: WebURL
  public var client: OpenIDClient
  public var tools: OpenIDTools
  public var redirect: Redirect?
  public var numberVerification = NumberVerificationVersion.v2
  public var simSwap = SIMSwapVersion.v2
  /// Replaces `/number-verification/VERSION`, as in `/camara/number-verification/v031`.
  public var numberVerificationPath: String?
  /// In place of `/sim-swap/VERSION`.
  public var simSwapPath: String?
  /// A term of the Data Privacy Vocabulary.
  public var purpose = "FraudPreventionAndDetection"
  public var scopeForm = ScopeForm.separate
  /// Replaces the scopes that are made from the purpose and the service.
  public var scopes: [CAMARAService: String] = [:]
  /// Whether a verifier ties the code to the request (RFC 7636). Not if the backend exchanges the
  /// code, because it has no verifier.
  public var usesPKCE = true
  /// Whether the server is asked to show no page.
  public var promptsNone = true
  /// Whether the number is sent with the authorization request, as some sandboxes require.
  public var sendsLoginHint = false
  /// Whether to send the number's hash instead of the number.
  public var hashesNumber = false
  public var simSwapToken = SIMSwapToken.byNumber
  /// Of the token endpoint and the APIs.
  public var route = BackendRoute.host
  /// For the chain of the authorization request.
  public var authorizationTime = Duration.seconds(60)
  /// The field in the backend's answer, if the redirect URI is the backend's, that states whether
  /// the number matches.
  public var backendAnswer = "devicePhoneNumberVerified"
  /// Seconds for which an assertion of the client is valid, 1 to 300.
  public var assertionTime = 240

  public init(
    root: Endpoint, authorizationEndpoint: WebURL?, tokenEndpoint: WebURL, client: OpenIDClient, _ tools: OpenIDTools
  ) {
    self.root = root
    self.authorizationEndpoint = authorizationEndpoint
    self.tokenEndpoint = tokenEndpoint
    self.client = client
    self.tools = tools
  }

  public var configuredURLs: [WebURL] {
    var urls = [root.url, authorizationEndpoint, tokenEndpoint].compactMap(\.self)
    if case .fetched(let url)? = redirect { urls.append(url) }
    return urls
  }

  public func numberVerifier(named name: String) -> (any NumberVerifier)? {
    authorizationEndpoint == nil || redirect == nil ? nil : CAMARAProvider(name: name, settings: self)
  }

  public func simChangeChecker(named name: String) -> (any SIMChangeChecker)? {
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
      return (isOpenID ? "openid " : "") + "dpv:\(purpose) \(service.scope)"
    case .purposeAndName: return "dpv:\(purpose)#\(service.flatName)"
    }
  }

  /// The URL of a service.
  func url(_ service: CAMARAService) -> WebURL {
    let base =
      service.isOfNumberVerification
      ? numberVerificationPath ?? "/number-verification/\(numberVerification.rawValue)"
      : simSwapPath ?? "/sim-swap/\(simSwap.rawValue)"
    return root.appending(base + service.path)
  }
}

/// Versions of the Number Verification API that differ in their paths.
public enum NumberVerificationVersion: String, Hashable, Sendable, CaseIterable {
  /// 0.3
  case v0
  /// 1.0 and 1.1
  case v1
  /// 2.0 and 2.1
  case v2
}

/// Versions of the SIM Swap API that differ in their paths.
public enum SIMSwapVersion: String, Hashable, Sendable, CaseIterable {
  /// 0.4, which only accepts subscribers' tokens.
  case v0
  /// 1.0
  case v1
  /// 2.0 and 2.1
  case v2
}

/// What can be asked.
public enum CAMARAService: String, Hashable, Sendable, CaseIterable {
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
