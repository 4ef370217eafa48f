import AuthCore
import RedirectChain
import Web

/// How to use IPification for one client: where it is served, who asks, and who completes the
/// device's authorization.
package struct IPificationSettings: Hashable, Sendable {
  /// The paths of calls below a host.
  package struct Paths: Hashable, Sendable {
    package var coverage: String
    package var authorization: String
    package var token: String
    package var userinfo: String

    /// The paths of a realm (OpenID Connect as Keycloak serves it).
    package init(realm: String = "ipification") {
      let root = "/auth/realms/\(FormFields.encode(realm))"
      coverage = root + "/coverage"
      authorization = root + "/protocol/openid-connect/auth"
      token = root + "/protocol/openid-connect/token"
      userinfo = root + "/protocol/openid-connect/userinfo"
    }
  }

  /// The hosts that a chain may reach in cleartext after its first hop.
  package enum Cleartext: Hashable, Sendable {
    case any
    /// Those of `IPificationHosts.cleartextDomains`.
    case known
    /// These domains and their subdomains.
    case only(Set<String>)
  }

  /// What turns an authorization code into an answer.
  package enum Completion: Hashable, Sendable {
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
  package enum ClaimsSource: String, Hashable, Sendable, CaseIterable {
    case userinfo, idToken
  }

  /// For coverage and authorization, over the bearer.
  package var host: Endpoint
  /// For token and userinfo; it must belong to `host`.
  package var tokenHost: Endpoint
  package var paths = Paths()
  package var clientID: String
  /// As registered: `scheme://path` with a custom scheme in lower case, or https.
  package var redirectURI: String
  package var completion = Completion.none
  package var claimsSource = ClaimsSource.userinfo
  /// Whether the app's own server is told of the trace of a call.
  package var isBackendTraced = false
  /// The network for token, userinfo, an address's coverage and the application's backend.
  package var backendRoute = BackendRoute.host
  package var scope = ["openid", "ip:phone_verify"]
  /// Id of the consent that the user gave; nil sends none.
  package var consentID: String? = "ipconsent001eng"
  /// `ui_locales` (OpenID Connect Core, 3.1.2.1).
  package var locales: [String] = []
  /// Only if the application can continue in a message: `ip`, `wa`, `viber`, `telegram`.
  package var channels: [String] = []
  /// Before a generated state.
  package var statePrefix = "modemd-"
  /// Whether to send the SIM's network codes with coverage and authorization.
  package var sendsNetwork = true
  /// Whether `Verify` asks for coverage first.
  package var checksCoverage = true
  /// Only for the stage: the coverage path that answers yes to everybody.
  package var assumesCoverage = false
  /// Some operators need cookies.
  package var keepsCookies = true
  package var cleartext = Cleartext.any
  /// The only address family used; nil for any.
  package var family: ChainHop.Family?
  /// For the whole chain of an authorization.
  package var authorizationTime = Duration.seconds(60)
  /// For the whole of a coverage call.
  package var coverageTime = Duration.seconds(25)

  /// - Parameters:
  ///   - tokenHost: nil to use `host`.
  ///   - redirectURI: checked on first use, in `IPificationMachine.init`.
  package init(host: Endpoint, tokenHost: Endpoint? = nil, clientID: String, redirectURI: String) {
    self.host = host
    self.tokenHost = tokenHost ?? host
    self.clientID = clientID
    self.redirectURI = redirectURI
  }
}
