/// What a chain starts from.
public struct ChainRequest: Hashable, Sendable {
  /// A field of the first request.
  public struct Header: Hashable, Sendable {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// What a POST carries. It prints its size and type, never its bytes.
  public struct Body: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    public let bytes: [UInt8]
    /// Media type, as in `application/json`; nil for none.
    public let contentType: String?

    public init(_ bytes: [UInt8], contentType: String?) {
      self.bytes = bytes
      self.contentType = contentType
    }

    /// JSON, written already.
    public static func json(_ text: String) -> Body { Body(Array(text.utf8), contentType: "application/json") }

    public static func text(_ text: String) -> Body {
      Body(Array(text.utf8), contentType: "text/plain; charset=utf-8")
    }

    public var description: String { "(\(bytes.count) bytes, \(contentType ?? "no type"))" }
    public var debugDescription: String { description }
  }

  /// How the first request is made. All that follow a redirect are GET, whatever the redirect's status.
  public enum Method: Hashable, Sendable {
    case get
    /// For APIs that must be called over the bearer. It is sent once, to an https URL only.
    case post(Body)
    /// As `post` (RFC 5789).
    case patch(Body)
    /// As `post`.
    case put(Body)
    case delete(Body?)

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

    public var body: Body? {
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
  public var headers: [Header]
  public var policy: ChainPolicy
  /// Whose chain it is; nil for nobody's: then nothing of earlier chains is used, and nothing is remembered of it.
  public var owner: Owner?

  public init(
    url: WebURL, method: Method = .get, redirectURI: RedirectURI? = nil, state: String? = nil, headers: [Header] = [],
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
