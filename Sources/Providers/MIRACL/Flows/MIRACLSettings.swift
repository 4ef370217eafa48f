import AuthCore
import RedirectChain
import Web
import AuthFlows

/// What is configured of a MIRACL Trust project.
public struct MIRACLSettings: Hashable, ProviderConfiguration {
  public static let kind = "miracl"

  /// Which generation of the registration's calls the platform has.
  public enum Generation: String, Hashable, Sendable, CaseIterable {
    /// `POST /registration`, with `secretUrls`.
    case registration
    /// `PUT /rps/v2/user`, the first share from `/rps/v2/signature`, renewal by `/rps/v2/dvsregister`.
    case rps
  }

  /// Who may have users verified, and signatures too: an application's backend has these, this machine only where it is the backend.
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
  /// Which way all calls take. None proves anything by where it comes from.
  public var route = BackendRoute.host
  /// What the platform shows its users of this machine.
  public var deviceName = "modemd"
  /// 32 lower-case hexadecimal digits, the same for ever; nil where none is sent.
  public var deviceTag: String?
  /// Domains, with the names below them, of links, secret shares and backends that a link leads to. The API's own host is always one.
  public var trustedDomains: Set<String> = []
  /// Whether a link's own page says where its platform is (`LINK/service`), as before there was one API for all.
  public var asksLanding = false
  /// Whether the project's id is in the query of each call too, `project_id`.
  public var sendsProjectInQuery = false
  public var client: Client?
  /// Has `/verification` and `/dvs/verify` in place of the API.
  public var backend: Endpoint?
  /// How long a PIN is waited for, 10 to 600 seconds.
  public var pinTime = Duration.seconds(120)
  /// How long a mail's link or code is waited for, 10 to 3600 seconds.
  public var mailTime = Duration.seconds(600)

  public init(api: Endpoint, project: String) {
    self.api = api
    self.project = project
  }

  public var configuredURLs: [WebURL] { [api.url, backend?.url].compactMap(\.self) }

  public var configuredDomains: Set<String> { trustedDomains }

  /// Who is the project: whose addresses a link or an answer may give.
  var trusted: TrustedOrigins { TrustedOrigins([api.url], domains: trustedDomains) }
}
