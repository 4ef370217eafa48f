import AuthCore
import RedirectChain
import Web
import AuthFlows

/// The configuration of Mobile Connect for one client: how to find the SIM's operator, the client,
/// and the defaults of requests.
package struct MobileConnectSettings: ProviderConfiguration {
  package static let kind = "mobileConnect"

  /// How the operator's endpoints are found.
  package enum Source: Sendable {
    /// A discovery service returns them for each SIM, with the credentials for that operator.
    case discovery(MobileConnectDiscovery)
    /// They are configured, as for all operators since the federated service ended.
    case endpoints(MobileConnectOperator)
    /// An issuer whose metadata names them (OpenID Connect Discovery, 4).
    case issuer(Endpoint)
  }

  /// Nil for a client that only signs in at an app's server.
  package var source: Source?
  /// For the operator, if the discovery service gives none.
  package var client: MobileConnectClient?
  /// As registered. It is never fetched.
  package var redirect: MobileConnectRedirect?
  package var defaults = MobileConnectDefaults()
  /// Nil for the newest version that both the operator's metadata and this machine support, and for
  /// 1.1 without metadata.
  package var version: MobileConnectVersion?
  /// The button of the client-side libraries: an app's server that does the rest.
  package var appServer: MobileConnectAppServer?
  package var serverInitiated: MobileConnectServerInitiated?
  /// Domains, including their subdomains, of the endpoints that a discovery service or metadata may
  /// name. If it is empty, a discovery service may name any public host, and metadata only hosts on
  /// the sites named before it.
  package var operatorDomains: Set<String> = []
  /// The network for calls to backends: the exchange, tokens, keys and user information.
  package var route = BackendRoute.host
  /// Whether to send the serving network's codes instead of those of the SIM's own network.
  package var usesServingNetwork = false
  /// For an authorization's chain, in which a person may answer at the handset.
  package var authorizationTime = Duration.seconds(120)
  /// Redirects of that chain.
  package var maximumRedirects = 24
  /// How long that chain waits if the operator redirects to itself until the person has answered.
  package var handsetPause = Duration.seconds(5)
  /// The allowed difference between the operator's clock and this machine's in seconds, 0 to 600.
  package var clockSkew = 60
  /// The number check that `Verify` uses.
  package var validation = MobileConnectValidation.plus
  /// Whether a number only counts as this SIM's if the operator reports that it recognised the
  /// bearer (`SEAM_OK`). It applies to `mc_mnv_validate`, which otherwise asks a person.
  package var requiresSeamless = true
  package var tools: OpenIDTools
  package var isSigned: SignatureCheck
  /// What is kept between calls. Copies of the settings share it.
  package let memory: MobileConnectMemory

  /// - Parameter isSigned: checks an ID token's signature against the operator's keys.
  package init(
    _ source: Source?, _ tools: OpenIDTools, memory: MobileConnectMemory = MobileConnectMemory(),
    isSigned: @escaping SignatureCheck
  ) {
    self.source = source
    self.tools = tools
    self.memory = memory
    self.isSigned = isSigned
  }

  /// The host that leads to an operator's endpoints; nil for a client without a source.
  var sourceHost: String? {
    switch source {
    case .discovery(let discovery): discovery.url.host
    case .endpoints(let found): found.endpoints[.authorization]?.host
    case .issuer(let issuer): issuer.host
    case nil: nil
    }
  }

  /// The limits of an authorization's chain.
  var chainPolicy: ChainPolicy {
    var policy = ChainPolicy()
    policy.maximumRedirects = maximumRedirects
    policy.totalTime = authorizationTime
    policy.returnPause = handsetPause
    return policy
  }

  package var configuredURLs: [WebURL] {
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

  package var configuredDomains: Set<String> { operatorDomains }

  package var otherAbilities: [ProviderAbility] {
    if case .discovery? = source { [.signIn, .coverage] } else { [.signIn] }
  }

  package func numberVerifier(named name: String) -> (any NumberVerifier)? {
    source == nil || redirect == nil ? nil : MobileConnectVerifier(name: name, settings: self)
  }
}

/// A client, as the operator or the exchange knows it.
package struct MobileConnectClient: Hashable, Sendable {
  package let id: String
  package let secret: Secret

  package init(id: String, secret: Secret) {
    self.id = id
    self.secret = secret
  }
}

/// The registered URI at which an authorization ends.
package struct MobileConnectRedirect: Hashable, Sendable {
  package let uri: RedirectURI
  /// As it is sent.
  package let text: String

  /// - Throws: `WebURL.Invalid`.
  package init(_ text: String) throws(WebURL.Invalid) {
    uri = try RedirectURI(text)
    self.text = text
  }
}

/// Mobile Number Validation, in its two forms.
package enum MobileConnectValidation: String, Hashable, Sendable, CaseIterable {
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
package struct MobileConnectDefaults: Hashable, Sendable {
  package var scope = ["openid"]
  /// Level of assurance: 2 one factor, 3 two.
  package var acr = ["2"]
  package var display = MobileConnectRequest.Display.page
  /// Seconds; nil leaves it out.
  package var maximumAge: Int? = 3600
  package var uiLocales: [String] = []
  package var claimsLocales: [String] = []
  /// The application's name on the handset, for authorisations.
  package var clientName: String?
  /// Whether requests carry a correlation id.
  package var sendsCorrelationID = true
  /// Whether to send the SIM's own number as login hint if a call names none. URLs then contain it.
  package var sendsNumber = false

  package init() {}
}
