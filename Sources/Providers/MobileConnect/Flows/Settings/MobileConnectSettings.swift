import AuthCore
import RedirectChain
import Web
import AuthFlows

/// The configuration of Mobile Connect for one client: how to find the SIM's operator, the client,
/// and the defaults of requests.
public struct MobileConnectSettings: ProviderConfiguration {
  public static let kind = "mobileConnect"

  /// How the operator's endpoints are found.
  public enum Source: Sendable {
    /// A discovery service returns them for each SIM, with the credentials for that operator.
    case discovery(MobileConnectDiscovery)
    /// They are configured, as for all operators since the federated service ended.
    case endpoints(MobileConnectOperator)
    /// An issuer whose metadata names them (OpenID Connect Discovery, 4).
    case issuer(Endpoint)
  }

  /// Nil for a client that only signs in at an app's server.
  public var source: Source?
  /// For the operator, if the discovery service gives none.
  public var client: MobileConnectClient?
  /// As registered. It is never fetched.
  public var redirect: MobileConnectRedirect?
  public var defaults = MobileConnectDefaults()
  /// Nil for the newest version that both the operator's metadata and this machine support, and for
  /// 1.1 without metadata.
  public var version: MobileConnectVersion?
  /// The button of the client-side libraries: an app's server that does the rest.
  public var appServer: MobileConnectAppServer?
  public var serverInitiated: MobileConnectServerInitiated?
  /// Domains, including their subdomains, of the endpoints that a discovery service or metadata may
  /// name. If it is empty, a discovery service may name any public host, and metadata only hosts on
  /// the sites named before it.
  public var operatorDomains: Set<String> = []
  /// The network for calls to backends: the exchange, tokens, keys and user information.
  public var route = BackendRoute.host
  /// Whether to send the serving network's codes instead of those of the SIM's own network.
  public var usesServingNetwork = false
  /// For an authorization's chain, in which a person may answer at the handset.
  public var authorizationTime = Duration.seconds(120)
  /// Redirects of that chain.
  public var maximumRedirects = 24
  /// How long that chain waits if the operator redirects to itself until the person has answered.
  public var handsetPause = Duration.seconds(5)
  /// The allowed difference between the operator's clock and this machine's in seconds, 0 to 600.
  public var clockSkew = 60
  /// The number check that `Verify` uses.
  public var validation = MobileConnectValidation.plus
  /// Whether a number only counts as this SIM's if the operator reports that it recognised the
  /// bearer (`SEAM_OK`). It applies to `mc_mnv_validate`, which otherwise asks a person.
  public var requiresSeamless = true
  public var tools: OpenIDTools
  public var isSigned: SignatureCheck
  /// What is kept between calls. Copies of the settings share it.
  public let memory: MobileConnectMemory

  /// - Parameter isSigned: checks an ID token's signature against the operator's keys.
  public init(
    _ source: Source?, _ tools: OpenIDTools, memory: MobileConnectMemory = MobileConnectMemory(),
    isSigned: @escaping SignatureCheck
  ) {
    self.source = source
    self.tools = tools
    self.memory = memory
    self.isSigned = isSigned
  }

  /// The limits of an authorization's chain.
  var chainPolicy: ChainPolicy {
    var policy = ChainPolicy()
    policy.maximumRedirects = maximumRedirects
    policy.totalTime = authorizationTime
    policy.returnPause = handsetPause
    return policy
  }

  public var configuredURLs: [WebURL] {
    let source: [WebURL?] =
      switch self.source {
      case .discovery(let discovery): [discovery.url]
      case .endpoints(let found): found.endpoints.values.map { $0 } + [found.issuer.flatMap { try? WebURL($0) }]
      case .issuer(let issuer): [issuer.url]
      case nil: []
      }
    return (source + [appServer?.root.url, serverInitiated?.endpoint, serverInitiated?.pollingEndpoint])
      .compactMap(\.self)
  }

  public var configuredDomains: Set<String> { operatorDomains }

  public func numberVerifier(named name: String) -> (any NumberVerifier)? {
    source == nil || redirect == nil ? nil : MobileConnectVerifier(name: name, settings: self)
  }
}

/// A client, as the operator or the exchange knows it.
public struct MobileConnectClient: Hashable, Sendable {
  public let id: String
  public let secret: Secret

  public init(id: String, secret: Secret) {
    self.id = id
    self.secret = secret
  }
}

/// The registered URI at which an authorization ends.
public struct MobileConnectRedirect: Hashable, Sendable {
  public let uri: RedirectURI
  /// As it is sent.
  public let text: String

  /// - Throws: `WebURL.Invalid`.
  public init(_ text: String) throws(WebURL.Invalid) {
    uri = try RedirectURI(text)
    self.text = text
  }
}

/// Mobile Number Validation, in its two forms.
public enum MobileConnectValidation: String, Hashable, Sendable, CaseIterable {
  /// `mc_mnv_validate`: the operator compares, and may ask a person if it does not recognise the
  /// bearer.
  case plain
  /// `mc_mnv_validate_plus`: the operator must recognise the bearer, and returns the number's hash.
  case plus

  /// The scope of each (GSMA Mobile Number Validation).
  var scope: [String] {
    switch self {
    case .plain: ["openid", "mc_mnv_validate"]
    case .plus: ["openid", "mc_mnv_validate_plus", "mc_identity_phonenumber_hashed"]
    }
  }
}

/// The defaults of an authorization request.
public struct MobileConnectDefaults: Hashable, Sendable {
  public var scope = ["openid"]
  /// Level of assurance: 2 one factor, 3 two.
  public var acr = ["2"]
  public var display = MobileConnectRequest.Display.page
  /// Seconds; nil leaves it out.
  public var maximumAge: Int? = 3600
  public var uiLocales: [String] = []
  public var claimsLocales: [String] = []
  /// The application's name on the handset, for authorisations.
  public var clientName: String?
  /// Whether requests carry a correlation id.
  public var sendsCorrelationID = true
  /// Whether to send the SIM's own number as login hint if a call names none. URLs then contain it.
  public var sendsNumber = false

  public init() {}
}
