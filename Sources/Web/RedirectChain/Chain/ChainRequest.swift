import Web

/// What a chain starts from.
public struct ChainRequest: Hashable, Sendable {
  /// How the first request is made. All that follow a redirect are GET, whatever the redirect's status.
  public enum Method: Hashable, Sendable {
    case get
    /// For APIs that must be called over the bearer. It is sent once, to an https URL only.
    case post(WebBody)
    /// As `post` (RFC 5789).
    case patch(WebBody)
    /// As `post`.
    case put(WebBody)
    case delete(WebBody?)

    /// As in the request line.
    public var name: String {
      switch self {
      case .get: "GET"
      case .post: "POST"
      case .patch: "PATCH"
      case .put: "PUT"
      case .delete: "DELETE"
      }
    }

    public var body: WebBody? {
      switch self {
      case .get: nil
      case .post(let body), .patch(let body), .put(let body): body
      case .delete(let body): body
      }
    }
  }

  /// On whose behalf a chain is walked, and whose earlier chains it may profit from: a user of the machine.
  public struct Owner: Hashable, Sendable {
    public let userID: UInt32

    public init(userID: UInt32) { self.userID = userID }

    public var isRoot: Bool { userID == 0 }
  }

  public var url: WebURL
  public var method: Method
  public var redirectURI: RedirectURI?
  /// Compared with the `state` that the redirect URI carries.
  public var state: String?
  /// For the first hop only, and never on cleartext.
  public var headers: [WebHeader]
  public var policy: ChainPolicy
  /// Whose chain it is; nil for nobody's: then nothing of earlier chains is used, and nothing is remembered of it.
  public var owner: Owner?

  public init(
    url: WebURL, method: Method = .get, redirectURI: RedirectURI? = nil, state: String? = nil,
    headers: [WebHeader] = [],
    policy: ChainPolicy = ChainPolicy()
  ) {
    self.url = url
    self.method = method
    self.redirectURI = redirectURI
    self.state = state
    self.headers = headers
    self.policy = policy
  }
}
