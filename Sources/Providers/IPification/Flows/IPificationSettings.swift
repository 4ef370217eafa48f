import AuthCore
import RedirectChain
import Web

/// How IPification is used for one client: where it is, who asks, and who completes what the device began.
public struct IPificationSettings: Hashable, Sendable {
  /// Where a call is made, below a host.
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

  /// Which hosts a chain may reach in clear behind its first hop.
  public enum Cleartext: Hashable, Sendable {
    case any
    /// Those of `IPificationHosts.cleartextDomains`.
    case known
    /// These domains with the names below them.
    case only(Set<String>)
  }

  /// What turns an authorization code into an answer.
  public enum Completion: Hashable, Sendable {
    /// Nothing here: `Authorize` gives the code to the caller, and `Verify` is not possible.
    case none
    /// This machine, with the client's secret.
    case secret(Secret)
    /// The application's backend: the code is posted to this URL as JSON.
    case backend(WebURL)
    /// The application's backend, by the redirect URI itself, which is https: it is fetched once, by `backendRoute`.
    case redirectURI
  }

  /// Where what is known of the number is read, once a token is there.
  public enum ClaimsSource: String, Hashable, Sendable, CaseIterable {
    case userinfo, idToken
  }

  /// Of coverage and authorization: asked over the bearer.
  public var host: Endpoint
  /// Of token and userinfo; it must belong to `host`.
  public var tokenHost: Endpoint
  public var paths = Paths()
  public var clientID: String
  /// As it is registered: `scheme://path` of a scheme of its own in lower case, or https.
  public var redirectURI: String
  public var completion = Completion.none
  public var claimsSource = ClaimsSource.userinfo
  /// By which network token, userinfo, an address's coverage and the application's backend are reached.
  public var backendRoute = BackendRoute.host
  public var scope = ["openid", "ip:phone_verify"]
  /// Id of the consent that the user gave; nil sends none.
  public var consentID: String? = "ipconsent001eng"
  /// `ui_locales` (OpenID Connect Core, 3.1.2.1).
  public var locales: [String] = []
  /// Asked for only where the application can go on in a message: `ip`, `wa`, `viber`, `telegram`.
  public var channels: [String] = []
  /// Before a generated state.
  public var statePrefix = "modemd-"
  /// Whether the SIM's network codes are sent with coverage and authorization.
  public var sendsNetwork = true
  /// Whether `Verify` asks for coverage first.
  public var checksCoverage = true
  /// For the stage alone: the coverage path that answers yes to everybody.
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
  ///   - tokenHost: nil for the same as `host`.
  ///   - redirectURI: checked with the first use, in `IPificationMachine.init`.
  public init(host: Endpoint, tokenHost: Endpoint? = nil, clientID: String, redirectURI: String) {
    self.host = host
    self.tokenHost = tokenHost ?? host
    self.clientID = clientID
    self.redirectURI = redirectURI
  }
}
