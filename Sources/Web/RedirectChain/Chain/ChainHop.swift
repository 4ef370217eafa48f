import Web

/// One finished hop as people and programs may see it: hosts, names and times. Path, query and values are its `secrets`.
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

  public enum Family: String, Hashable, Sendable, CaseIterable {
    case ipv4, ipv6
  }

  /// From 1.
  public var index: Int
  /// `GET` or `POST`.
  public var method: String
  public var scheme: WebURL.Scheme
  public var host: String
  public var port: Int
  /// The addresses of the host that could be used, in the order in which they are tried: what the policy refuses, and what the
  /// bearer cannot reach, is not among them. IPv4 that is reached through a translator stands as the name gave it; the host
  /// itself when it is an address. Empty where a connection of an earlier hop was used.
  public var addresses: [String]
  /// The server's address that was used.
  public var address: String?
  /// The bearer's own address that the request left from.
  public var source: String?
  /// Whether the connection of an earlier hop was used.
  public var isReused: Bool
  /// Whether the connection was opened ahead, before the chain came to the host.
  public var isOpenedAhead: Bool
  /// The version of TLS, as in `1.3`; nil for cleartext, or when the handshake did not end.
  public var tlsVersion: String?
  /// Nil when no answer came.
  public var status: Int?
  /// Bytes of the answer's body, decompressed; of a redirect, whose body is not waited for, what its length says. Nil when unknown.
  public var bodyBytes: Int?
  /// Bytes that came for the answer, fields and framing among them.
  public var receivedBytes: Int
  /// Milliseconds from the chain's start to the hop's.
  public var begin: Double
  public var times: Times
  /// Names of the cookies that were sent.
  public var cookies: [String]
  /// Names of the cookies that the answer set or deleted.
  public var cookiesSet: [String]
  /// The answer's fields among `ChainPolicy.traceHeaders`, as far as they are short and printable.
  public var trace: [WebHeader]
  /// The host that the answer points to.
  public var next: String?
  /// What nobody may see who has not been allowed to.
  public var secrets: HopSecrets

  public init(_ hop: ChainMachine.Hop) {
    index = hop.index
    method = hop.method.name
    scheme = hop.url.scheme
    host = hop.url.host
    port = hop.url.port
    addresses = []
    isReused = false
    isOpenedAhead = false
    receivedBytes = 0
    begin = 0
    times = Times()
    cookies = hop.cookieNames
    cookiesSet = []
    trace = []
    secrets = HopSecrets(.init(url: hop.url.text, requestFields: hop.headers))
  }

  /// The family of the address that was used.
  public var family: Family? { address.map { $0.contains(":") ? .ipv6 : .ipv4 } }
}

extension ChainMachine.Response {
  private static let traceBytes = 128

  /// The fields with these names whose values are printable and short, at most eight.
  public func trace(_ names: Set<String>) -> [WebHeader] {
    let shown = headers.lazy.filter { header in
      names.contains(header.name.lowercased()) && (1...Self.traceBytes).contains(header.value.utf8.count)
        && header.value.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }
    return Array(shown.prefix(8))
  }
}
