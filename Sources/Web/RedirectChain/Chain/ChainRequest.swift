import Web

/// What a chain starts from.
public struct ChainRequest: Hashable, Sendable {
  /// How the first request is made. Every request after a redirect is a GET, whatever the
  /// redirect's status.
  public enum Method: Hashable, Sendable {
    case get
    /// For APIs that must be called over the bearer. It is sent once, and only to an https URL.
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

  /// The user of the machine that a chain belongs to, and whose earlier chains it may profit from.
  public struct Owner: Hashable, Sendable {
    public let userID: UInt32

    public init(userID: UInt32) { self.userID = userID }

    public var isRoot: Bool { userID == 0 }
  }

  public var url: WebURL
  public var method: Method
  public var redirectURI: RedirectURI?
  /// Compared with the `state` in the redirect URI.
  public var state: String?
  /// For the first hop only, and never in cleartext.
  public var headers: [WebHeader]
  public var policy: ChainPolicy
  /// The owner of the chain. If it is nil, the chain uses nothing of earlier chains, and nothing of
  /// it is remembered.
  public var owner: Owner?
  /// Whether a provider's flow opens it, for whoever counts what chains cost.
  public var isOfFlow = false
  /// The kind of check that it belongs to; nil for a URL of the caller's own.
  public var kind: ChainKind?
  /// When the bearer came up, in milliseconds since 1970; nil if nobody knows. Connections that
  /// were made ready over an earlier bearer are not used.
  public var bearerSince: Int64?

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

/// The kind of check that a chain belongs to. The URLs of one kind differ, as each has an id of its
/// own, but they begin at the same origin and go on through the same ones.
public struct ChainKind: Hashable, Sendable {
  /// The provider's kind, where such chains begin, and the product, as in
  /// `truID/eu.api.tru.id/subscriber_check`. Nothing of it is secret or personal.
  public let name: String

  public init(_ name: String) { self.name = name }
}
