import AuthCore
import RedirectChain
import Web
import AuthFlows

/// What is configured of Mobile Connect for one client: how the SIM's operator is found, who asks, and what is asked for where a call does not
/// say.
public struct MobileConnectSettings: ProviderConfiguration {
  public static let kind = "mobileConnect"

  /// How the operator's endpoints become known.
  public enum Source: Sendable {
    /// A discovery service tells them for each SIM, with the credentials for that operator.
    case discovery(MobileConnectDiscovery)
    /// They are configured, as all operators have them since the federated service ended.
    case endpoints(MobileConnectOperator)
    /// An issuer whose metadata tells them (OpenID Connect Discovery, 4).
    case issuer(Endpoint)
  }

  /// Nil for a client that signs in at an app's server alone.
  public var source: Source?
  /// For the operator, where the discovery service gives none.
  public var client: MobileConnectClient?
  /// As it is registered. It is never fetched.
  public var redirect: MobileConnectRedirect?
  public var defaults = MobileConnectDefaults()
  /// Nil for the newest version that the operator's metadata and this machine have in common, and for 1.1 where there is no metadata.
  public var version: MobileConnectVersion?
  /// The button of the client-side libraries: an app's server that does the rest.
  public var appServer: MobileConnectAppServer?
  public var serverInitiated: MobileConnectServerInitiated?
  /// Domains, with the names below them, in which the endpoints are that a discovery service or metadata names. Empty: a discovery service may name
  /// any public host, and metadata those on the sites that were named before it.
  public var operatorDomains: Set<String> = []
  /// By which network backends are asked: the exchange, tokens, keys and user information.
  public var route = BackendRoute.host
  /// Whether the serving network's codes are sent in place of those of the SIM's own network.
  public var usesServingNetwork = false
  /// For the chain of an authorization, in which a person may answer at the handset.
  public var authorizationTime = Duration.seconds(120)
  /// Redirects of that chain.
  public var maximumRedirects = 24
  /// How long that chain waits where the operator redirects to itself until the person has answered.
  public var handsetPause = Duration.seconds(5)
  /// Seconds by which the operator's clock may differ from this machine's, 0 to 600.
  public var clockSkew = 60
  /// Which number check `Verify` asks for.
  public var validation = MobileConnectValidation.plus
  /// Whether a number counts as this SIM's only where the operator says that it recognised the bearer (`SEAM_OK`); for `mc_mnv_validate`, which
  /// asks a person otherwise.
  public var requiresSeamless = true
  public var tools: OpenIDTools
  public var isSigned: SignatureCheck
  /// What is kept between calls. Settings that are copied share it.
  public let memory: MobileConnectMemory

  /// - Parameter isSigned: compares an ID token's signature with the operator's keys.
  public init(
    _ source: Source?, _ tools: OpenIDTools, memory: MobileConnectMemory = MobileConnectMemory(),
    isSigned: @escaping SignatureCheck
  ) {
    self.source = source
    self.tools = tools
    self.memory = memory
    self.isSigned = isSigned
  }

  /// What a chain of an authorization may do.
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

/// A client as an operator, or the exchange, knows it.
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
  /// `mc_mnv_validate`: the operator compares, and may ask a person where it does not see the bearer.
  case plain
  /// `mc_mnv_validate_plus`: the operator must see the bearer, and tells the number's hash.
  case plus

  /// The scope of each (GSMA Mobile Number Validation).
  var scope: [String] {
    switch self {
    case .plain: ["openid", "mc_mnv_validate"]
    case .plus: ["openid", "mc_mnv_validate_plus", "mc_identity_phonenumber_hashed"]
    }
  }
}

/// What an authorization request asks for where a call does not say.
public struct MobileConnectDefaults: Hashable, Sendable {
  public var scope = ["openid"]
  /// Level of assurance: 2 one factor, 3 two.
  public var acr = ["2"]
  public var display = MobileConnectRequest.Display.page
  /// Seconds; nil leaves it out.
  public var maximumAge: Int? = 3600
  public var uiLocales: [String] = []
  public var claimsLocales: [String] = []
  /// The application's name as the handset shows it, for authorisations.
  public var clientName: String?
  /// Whether requests carry a correlation id.
  public var sendsCorrelationID = true
  /// Whether the SIM's own number is sent as login hint where a call names none. It then stands in URLs.
  public var sendsNumber = false

  public init() {}
}
