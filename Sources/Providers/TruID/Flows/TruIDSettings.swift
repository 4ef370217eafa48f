import AuthCore
import ModemModel
import RedirectChain
import Web

/// The configuration of tru.ID. Checks are made through an application's backend, or at tru.ID
/// itself with credentials.
public struct TruIDSettings: Sendable {
  /// Who makes checks.
  public enum Way: String, Hashable, Sendable, CaseIterable {
    case backend, api
  }

  public var backend: TruIDBackend?
  /// tru.ID's API.
  public var api: Endpoint
  public var credentials: TruIDCredentials?
  /// For API calls whose origin proves nothing.
  public var apiRoute = BackendRoute.host
  /// Nil for the backend if there is one, else for the API.
  public var way: Way?
  public var version = TruIDVersion.v1
  /// What `org.modemd.Verify` asks.
  public var product = TruIDProduct.phoneCheck
  /// For v0.2; nil if the chain's last answer holds the code.
  public var redirect: TruIDRedirect?
  /// Sent when a check is created at the API, instead of the project's own.
  public var callback: WebURL?
  /// Domains, including their subdomains, of check URLs, to which coverage tokens may also be sent.
  /// The API's own host is always included.
  public var checkDomains = TruIDResidency.checkDomains
  /// Whether to send the bearer's public address when a check is created, so that a hopeless check
  /// is refused before it costs money.
  public var sendsAddress = false
  /// Whether to use the old coverage call, which needs no token.
  public var usesPublicCoverage = false
  /// Whether the first hop names the transaction and the SIM's network, as in the SDKs.
  public var sendsSDKHeaders = false
  /// Whether the first hop is marked as a simulation.
  public var isSandbox = false
  /// How long to wait for the result after the end of the chain.
  public var patience = Duration.seconds(30)
  /// Checks signatures of redirect URLs against the provider's keys; nil if that is not possible.
  public var keyCheck: TruIDCheckMachine.KeyCheck?
  /// Valid tokens; shared by all copies.
  let tokens = TruIDTokens()

  public init(api: Endpoint = TruIDResidency.eu.endpoint) { self.api = api }

  /// The way of checks; nil if neither is configured.
  public var chosenWay: Way? { way ?? (backend != nil ? .backend : credentials != nil ? .api : nil) }

  /// tru.ID's origins: check URLs and URLs for coverage tokens must be there, and a check's last
  /// answer must come from there.
  var provider: TrustedOrigins { TrustedOrigins([api.url], domains: checkDomains) }
}

/// An application's backend with the paths of tru.ID's dev server.
public struct TruIDBackend: Hashable, Sendable {
  /// How to request the result of a check.
  public enum ResultForm: String, Hashable, Sendable, CaseIterable {
    /// `…/subscriber-check/ID`
    case path
    /// `…/subscriber-check?check_id=ID`
    case query

    var other: ResultForm { self == .path ? .query : .path }
  }

  /// How a code is exchanged.
  public enum Exchange: String, Hashable, Sendable, CaseIterable {
    case post, get
  }

  /// What the paths are below.
  public var endpoint: Endpoint
  public var user: String?
  public var password: Secret?
  public var route: BackendRoute
  /// The form to try first; nil for `path` with SubscriberCheck and `query` with PhoneCheck. If the
  /// backend does not know it, the other one is tried.
  public var resultForm: ResultForm?
  /// The method to try first; if a backend refuses POST (405), GET is used.
  public var exchange = Exchange.post

  public init(_ endpoint: Endpoint, user: String? = nil, password: Secret? = nil, route: BackendRoute = .host) {
    self.endpoint = endpoint
    self.user = user
    self.password = password
    self.route = route
  }
}

/// The identity of a tru.ID project.
public struct TruIDCredentials: Hashable, Sendable {
  public var clientID: String
  public var clientSecret: Secret

  public init(clientID: String, clientSecret: Secret) {
    self.clientID = clientID
    self.clientSecret = clientSecret
  }
}

/// Where the chain of a v0.2 check ends, if it was created with a `redirect_url`.
public struct TruIDRedirect: Hashable, Sendable {
  /// The requirements for the URL's signature.
  public enum Signature: String, Hashable, Sendable, CaseIterable {
    /// It is present, in the known form, and at most 300 s old.
    case dated
    /// The same, and a key of the provider made it.
    case verified
  }

  /// As it is sent.
  public var url: String
  /// Whether the URL is the backend's own and is opened over the bearer like the rest of the chain.
  /// The backend then exchanges the code and answers with the result. Otherwise, it is never
  /// fetched.
  public var isFetched: Bool
  public var signature: Signature

  public init(_ url: String, isFetched: Bool = false, signature: Signature = .dated) {
    self.url = url
    self.isFetched = isFetched
    self.signature = signature
  }
}
