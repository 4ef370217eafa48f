/// One finished hop as people and programs may see it: hosts and times, never path, query or values.
public struct ChainHop: Hashable, Sendable {
  /// Milliseconds from the hop's start; nil for what did not happen.
  public struct Times: Hashable, Sendable {
    public var dns: Double?
    public var connect: Double?
    public var tls: Double?
    public var firstByte: Double?
    public var end: Double?

    public init() {}
  }

  /// From 1.
  public var index: Int
  public var scheme: WebURL.Scheme
  public var host: String
  public var port: Int
  /// The server's address that was used.
  public var address: String?
  /// Whether a connection was used that was open already: an earlier hop's, or one opened ahead.
  public var isReused: Bool
  /// Nil when no answer came.
  public var status: Int?
  public var times: Times
  /// Names of the cookies that were sent.
  public var cookies: [String]
  /// The host that the answer points to.
  public var next: String?

  public init(_ hop: ChainMachine.Hop) {
    index = hop.index
    scheme = hop.url.scheme
    host = hop.url.host
    port = hop.url.port
    isReused = false
    times = Times()
    cookies = hop.cookieNames
  }
}
