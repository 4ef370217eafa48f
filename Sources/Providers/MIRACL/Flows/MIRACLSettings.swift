import AuthCore
import RedirectChain
import Web
import AuthFlows

/// The configuration of a MIRACL Trust project.
public struct MIRACLSettings: Hashable, ProviderConfiguration {
  public static let kind = "miracl"

  /// The generation of the platform's registration calls.
  public enum Generation: String, Hashable, Sendable, CaseIterable {
    /// `POST /registration`, with `secretUrls`.
    case registration
    /// `PUT /rps/v2/user`, the first share from `/rps/v2/signature`, renewal by
    /// `/rps/v2/dvsregister`.
    case rps
  }

  /// A client that may request the verification of users and of signatures. An application's
  /// backend may; this machine only may if it is the backend.
  public struct Client: Hashable, Sendable {
    public var id: String
    public var secret: Secret

    public init(id: String, secret: Secret) {
      self.id = id
      self.secret = secret
    }
  }

  /// The project's URL.
  public var api: Endpoint
  /// The project's id.
  public var project: String
  public var generation = Generation.registration
  /// The network for all calls. Their origin proves nothing.
  public var route = BackendRoute.host
  /// This machine's name on the platform, shown to its users.
  public var deviceName = "modemd"
  /// 32 lower-case hexadecimal digits that never change; nil to send none.
  public var deviceTag: String?
  /// Domains, including their subdomains, of links, secret shares and backends that a link leads
  /// to. The API's own host is always included.
  public var trustedDomains: Set<String> = []
  /// Whether a link's own page names its platform (`LINK/service`), as before all used one API.
  public var asksLanding = false
  /// Whether to also put the project's id into the query of each call, as `project_id`.
  public var sendsProjectInQuery = false
  public var client: Client?
  /// Serves `/verification` and `/dvs/verify` instead of the API.
  public var backend: Endpoint?
  /// How long to wait for a PIN, 10 to 600 seconds.
  public var pinTime = Duration.seconds(120)
  /// How long to wait for a mail's link or code, 10 to 3600 seconds.
  public var mailTime = Duration.seconds(600)

  public init(api: Endpoint, project: String) {
    self.api = api
    self.project = project
  }

  public var configuredURLs: [WebURL] { [api.url, backend?.url].compactMap(\.self) }

  public var configuredDomains: Set<String> { trustedDomains }

  /// The project's origins: a link or an answer may give their addresses.
  var trusted: TrustedOrigins { TrustedOrigins([api.url], domains: trustedDomains) }
}
