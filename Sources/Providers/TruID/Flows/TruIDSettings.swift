import AuthCore
import ModemModel
import RedirectChain
import Web

/// The configuration of tru.ID. Checks are made through an application's backend, or at tru.ID
/// itself with credentials.
package struct TruIDSettings: Sendable {
  /// Who makes checks.
  package enum Way: String, Hashable, Sendable, CaseIterable {
    case backend, api
  }

  package var backend: TruIDBackend?
  /// tru.ID's API.
  package var api: Endpoint
  package var credentials: TruIDCredentials?
  /// For API calls whose origin proves nothing.
  package var apiRoute = BackendRoute.host
  /// Nil for the backend if there is one, else for the API.
  package var way: Way?
  package var version = TruIDVersion.v1
  /// What `org.modemd.Verify` asks.
  package var product = TruIDProduct.phoneCheck
  /// For v0.2; nil if the chain's last answer holds the code.
  package var redirect: TruIDRedirect?
  /// Sent when a check is created at the API, instead of the project's own.
  package var callback: WebURL?
  /// Domains, including their subdomains, of check URLs, to which coverage tokens may also be sent.
  /// The API's own host is always included.
  package var checkDomains = TruIDResidency.checkDomains
  /// Whether to send the bearer's public address when a check is created, so that a hopeless check
  /// is refused before it costs money.
  package var sendsAddress = false
  /// Whether to use the old coverage call, which needs no token.
  package var usesPublicCoverage = false
  /// Whether the first hop names the transaction and the SIM's network, as in the SDKs.
  package var sendsSDKHeaders = false
  /// Whether the first hop is marked as a simulation.
  package var isSandbox = false
  /// How long to wait for the result after the end of the chain.
  package var patience = Duration.seconds(30)
  /// Checks signatures of redirect URLs against the provider's keys; nil if that is not possible.
  package var keyCheck: TruIDCheckMachine.KeyCheck?
  /// Valid tokens; shared by all copies.
  let tokens = TruIDTokens()

  package init(api: Endpoint = TruIDResidency.eu.endpoint) { self.api = api }

  /// The way of checks; nil if neither is configured.
  package var chosenWay: Way? { way ?? (backend != nil ? .backend : credentials != nil ? .api : nil) }

  /// The chain that a check of a product leads to.
  func lead(_ product: TruIDProduct) -> ChainLead {
    ChainLead(ChainKind("truID/\(api.host)/\(product.rawValue)"), first: api.url)
  }

  /// tru.ID's origins: check URLs and URLs for coverage tokens must be there, and a check's last
  /// answer must come from there.
  var provider: TrustedOrigins { TrustedOrigins([api.url], domains: checkDomains) }
}

/// An application's backend with the paths of tru.ID's dev server.
package struct TruIDBackend: Hashable, Sendable {
  /// How to request the result of a check.
  package enum ResultForm: String, Hashable, Sendable, CaseIterable {
    /// `…/subscriber-check/ID`
    case path
    /// `…/subscriber-check?check_id=ID`
    case query

    var other: ResultForm { self == .path ? .query : .path }
  }

  /// How a code is exchanged.
  package enum Exchange: String, Hashable, Sendable, CaseIterable {
    case post, get
  }

  /// What the paths are below.
  package var endpoint: Endpoint
  package var user: String?
  package var password: Secret?
  package var route: BackendRoute
  /// The form to try first; nil for `path` with SubscriberCheck and `query` with PhoneCheck. If the
  /// backend does not know it, the other one is tried.
  package var resultForm: ResultForm?
  /// The method to try first; if a backend refuses POST (405), GET is used.
  package var exchange = Exchange.post
  /// Whether it is told of the trace of a call.
  package var isTraced = false

  package init(_ endpoint: Endpoint, user: String? = nil, password: Secret? = nil, route: BackendRoute = .host) {
    self.endpoint = endpoint
    self.user = user
    self.password = password
    self.route = route
  }
}

/// The identity of a tru.ID project.
package struct TruIDCredentials: Hashable, Sendable {
  package var clientID: String
  package var clientSecret: Secret

  package init(clientID: String, clientSecret: Secret) {
    self.clientID = clientID
    self.clientSecret = clientSecret
  }
}

/// Where the chain of a v0.2 check ends, if it was created with a `redirect_url`.
package struct TruIDRedirect: Hashable, Sendable {
  /// The requirements for the URL's signature.
  package enum Signature: String, Hashable, Sendable, CaseIterable {
    /// It is present, in the known form, and at most 300 s old.
    case dated
    /// The same, and a key of the provider made it.
    case verified
  }

  /// As it is sent.
  package var url: String
  /// Whether the URL is the backend's own and is opened over the bearer like the rest of the chain.
  /// The backend then exchanges the code and answers with the result. Otherwise, it is never
  /// fetched.
  package var isFetched: Bool
  package var signature: Signature

  package init(_ url: String, isFetched: Bool = false, signature: Signature = .dated) {
    self.url = url
    self.isFetched = isFetched
    self.signature = signature
  }
}
