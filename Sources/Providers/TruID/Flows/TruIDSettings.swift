import AuthCore
import ModemModel
import RedirectChain
import Web

/// What is configured of tru.ID. Checks are made through an application's backend, or at tru.ID itself where there are credentials.
public struct TruIDSettings: Sendable {
  /// Who makes checks.
  public enum Way: String, Hashable, Sendable, CaseIterable {
    case backend, api
  }

  public var backend: TruIDBackend?
  /// tru.ID's API.
  public var api: Endpoint
  public var credentials: TruIDCredentials?
  /// For calls of the API that prove nothing by where they come from.
  public var apiRoute = BackendRoute.host
  /// Nil for the backend where there is one, else the API.
  public var way: Way?
  public var version = TruIDVersion.v1
  /// What `org.modemd.Verify` asks.
  public var product = TruIDProduct.phoneCheck
  /// For v0.2; nil for a code in the last answer of the chain.
  public var redirect: TruIDRedirect?
  /// Sent when a check is created at the API, in place of the project's own.
  public var callback: WebURL?
  /// Domains, with the names below them, in which check URLs are, and where coverage tokens may be sent. The API's own host is always one.
  public var checkDomains = TruIDResidency.checkDomains
  /// Whether the bearer's public address is told when a check is created, so that one without a chance is refused before it is paid for.
  public var sendsAddress = false
  /// Whether coverage is asked by the old call that needs no token.
  public var usesPublicCoverage = false
  /// Whether the first hop names the transaction and the SIM's network, as the SDKs do.
  public var sendsSDKHeaders = false
  /// Whether the first hop says that this is a simulation.
  public var isSandbox = false
  /// How long the result is awaited behind the end of the chain.
  public var patience = Duration.seconds(30)
  /// By which signatures of redirect URLs are compared with the provider's keys; nil where they cannot be.
  public var keyCheck: TruIDCheckMachine.KeyCheck?
  /// Tokens that are still good; shared by all copies.
  let tokens = TruIDTokens()

  public init(api: Endpoint = TruIDResidency.eu.endpoint) { self.api = api }

  /// The way that checks take; nil where neither is configured.
  public var chosenWay: Way? { way ?? (backend != nil ? .backend : credentials != nil ? .api : nil) }

  /// Who is tru.ID: check URLs, and those that a coverage token is for, are there, and the last answer of a check is theirs.
  var provider: TrustedOrigins { TrustedOrigins([api.url], domains: checkDomains) }
}

/// The backend of an application, with the paths of tru.ID's dev server.
public struct TruIDBackend: Hashable, Sendable {
  /// How the result of a check is asked for.
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
  /// What is tried first; nil for `path` with SubscriberCheck and `query` with PhoneCheck. The other one is tried where the backend does
  /// not know it.
  public var resultForm: ResultForm?
  /// What is tried first; a backend that refuses the method of POST (405) is asked by GET.
  public var exchange = Exchange.post

  public init(_ endpoint: Endpoint, user: String? = nil, password: Secret? = nil, route: BackendRoute = .host) {
    self.endpoint = endpoint
    self.user = user
    self.password = password
    self.route = route
  }
}

/// What a project of tru.ID is known by.
public struct TruIDCredentials: Hashable, Sendable {
  public var clientID: String
  public var clientSecret: Secret

  public init(clientID: String, clientSecret: Secret) {
    self.clientID = clientID
    self.clientSecret = clientSecret
  }
}

/// Where the chain of a v0.2 check ends, when it was created with a `redirect_url`.
public struct TruIDRedirect: Hashable, Sendable {
  /// What must be right about the URL's signature.
  public enum Signature: String, Hashable, Sendable, CaseIterable {
    /// It is there, of the known form, and not older than 300 s.
    case dated
    /// That, and a key of the provider made it.
    case verified
  }

  /// As it is sent.
  public var url: String
  /// Whether the URL is the backend's own and is opened over the bearer like the rest of the chain: the backend then exchanges the code
  /// and answers with the result. Else it is never fetched.
  public var isFetched: Bool
  public var signature: Signature

  public init(_ url: String, isFetched: Bool = false, signature: Signature = .dated) {
    self.url = url
    self.isFetched = isFetched
    self.signature = signature
  }
}
