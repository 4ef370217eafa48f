import AuthCore
import RedirectChain
import Web
import AuthFlows

/// The configuration of a MIRACL Trust project.
package struct MIRACLSettings: Hashable, ProviderConfiguration {
  package static let kind = "miracl"

  /// The generation of the platform's registration calls.
  package enum Generation: String, Hashable, Sendable, CaseIterable {
    /// `POST /registration`, with `secretUrls`.
    case registration
    /// `PUT /rps/v2/user`, the first share from `/rps/v2/signature`, renewal by
    /// `/rps/v2/dvsregister`.
    case rps
  }

  /// A client that may request the verification of users and of signatures. An application's
  /// backend may; this machine only may if it is the backend.
  package struct Client: Hashable, Sendable {
    package var id: String
    package var secret: Secret

    package init(id: String, secret: Secret) {
      self.id = id
      self.secret = secret
    }
  }

  /// The project's URL.
  package var api: Endpoint
  /// The project's id.
  package var project: String
  package var generation = Generation.registration
  /// The network for all calls. Their origin proves nothing.
  package var route = BackendRoute.host
  /// This machine's name on the platform, shown to its users.
  package var deviceName = "modemd"
  /// 32 lower-case hexadecimal digits that never change; nil to send none.
  package var deviceTag: String?
  /// Domains, including their subdomains, of links, secret shares and backends that a link leads
  /// to. The API's own host is always included.
  package var trustedDomains: Set<String> = []
  /// Whether a link's own page names its platform (`LINK/service`), as before all used one API.
  package var asksLanding = false
  /// Whether to also put the project's id into the query of each call, as `project_id`.
  package var sendsProjectInQuery = false
  package var client: Client?
  /// Serves `/verification` and `/dvs/verify` instead of the API.
  package var backend: Endpoint?
  /// Whether it is told of the trace of a call.
  package var isBackendTraced = false
  /// How long to wait for a PIN, 10 to 600 seconds.
  package var pinTime = Duration.seconds(120)
  /// How long to wait for a mail's link or code, 10 to 3600 seconds.
  package var mailTime = Duration.seconds(600)

  package init(api: Endpoint, project: String) {
    self.api = api
    self.project = project
  }

  package var otherAbilities: [ProviderAbility] { [.signIn, .sign] }

  package func credentialCheck(named name: String) -> CredentialCheck {
    guard client != nil else { return .notNeeded("users prove themselves with their PINs; there is no clientID") }
    return .notFree("each request with the client's secret would begin a registration, or check a signature")
  }

  package var configuredURLs: [WebURL] { [api.url, backend?.url].compactMap(\.self) }

  package var tracedURLs: [WebURL] { isBackendTraced ? [backend?.url].compactMap(\.self) : [] }

  package var configuredDomains: Set<String> { trustedDomains }

  /// The project's origins: a link or an answer may give their addresses.
  var trusted: TrustedOrigins { TrustedOrigins([api.url], domains: trustedDomains) }
}
