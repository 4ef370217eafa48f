import AuthCore
import RedirectChain
import Web

/// How to use IPification for one client: where it is served, who asks, and who completes the
/// device's authorization.
public struct IPificationSettings: Hashable, Sendable {
  /// The paths of calls below a host.
  public struct Paths: Hashable, Sendable {
    public var coverage: String
    public var authorization: String
    public var token: String
    public var userinfo: String

    /// The paths of a realm (OpenID Connect as Keycloak serves it).
    public init(realm: String = "ipification") {
      let root = "/auth/realms/\(FormFields.encode(realm))"
      coverage = root + "/coverage"
      authorization = root + "/protocol/openid-connect/auth"
      token = root + "/protocol/openid-connect/token"
      userinfo = root + "/protocol/openid-connect/userinfo"
    }
  }

  /// The hosts that a chain may reach in cleartext after its first hop.
  public enum Cleartext: Hashable, Sendable {
    case any
    /// Those of `IPificationHosts.cleartextDomains`.
    case known
    /// These domains and their subdomains.
    case only(Set<String>)
  }

  /// What turns an authorization code into an answer.
  public enum Completion: Hashable, Sendable {
    /// Nothing: `Authorize` returns the code to the caller, and `Verify` is not possible.
    case none
    /// This machine, with the client's secret.
    case secret(Secret)
    /// The application's backend: the code is posted to this URL as JSON.
    case backend(WebURL)
    /// The application's backend, by the redirect URI itself, which is https and fetched once, by
    /// `backendRoute`.
    case redirectURI
  }

  /// Where to read the data about the number once there is a token.
  public enum ClaimsSource: String, Hashable, Sendable, CaseIterable {
    case userinfo, idToken
  }

  /// For coverage and authorization, over the bearer.
  public var host: Endpoint
  /// For token and userinfo; it must belong to `host`.
  public var tokenHost: Endpoint
  public var paths = Paths()
  public var clientID: String
  /// As registered: `scheme://path` with a custom scheme in lower case, or https.
  public var redirectURI: String
  public var completion = Completion.none
  public var claimsSource = ClaimsSource.userinfo
  /// The network for token, userinfo, an address's coverage and the application's backend.
  public var backendRoute = BackendRoute.host
  public var scope = ["openid", "ip:phone_verify"]
  /// Id of the consent that the user gave; nil sends none.
  public var consentID: String? = "ipconsent001eng"
  /// `ui_locales` (OpenID Connect Core, 3.1.2.1).
  public var locales: [String] = []
  /// Only if the application can continue in a message: `ip`, `wa`, `viber`, `telegram`.
  public var channels: [String] = []
  /// Before a generated state.
  public var statePrefix = "modemd-"
  /// Whether to send the SIM's network codes with coverage and authorization.
  public var sendsNetwork = true
  /// Whether `Verify` asks for coverage first.
  public var checksCoverage = true
  /// Only for the stage: the coverage path that answers yes to everybody.
  public var assumesCoverage = false
  /// Some operators need cookies.
  public var keepsCookies = true
  public var cleartext = Cleartext.any
  /// The only address family used; nil for any.
  public var family: ChainHop.Family?
  /// For the whole chain of an authorization.
  public var authorizationTime = Duration.seconds(60)
  /// For the whole of a coverage call.
  public var coverageTime = Duration.seconds(25)

  /// - Parameters:
  ///   - tokenHost: nil to use `host`.
  ///   - redirectURI: checked on first use, in `IPificationMachine.init`.
  public init(host: Endpoint, tokenHost: Endpoint? = nil, clientID: String, redirectURI: String) {
    self.host = host
    self.tokenHost = tokenHost ?? host
    self.clientID = clientID
    self.redirectURI = redirectURI
  }
}
