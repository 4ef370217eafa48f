import Web

/// One finished hop as people and programs may see it: hosts, names and times. Its `secrets` hold
/// the path, query and values.
public struct ChainHop: Hashable, Sendable {
  /// Milliseconds from the hop's start; nil for steps that did not happen.
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
  /// The usable addresses of the host, in the order in which they are tried. Addresses that the
  /// policy refuses or the bearer cannot reach are left out. An IPv4 address behind a translator
  /// appears as the name gave it. A host that is an address appears itself. Empty if the hop used
  /// the connection of an earlier hop.
  public var addresses: [String]
  /// The server's address that was used.
  public var address: String?
  /// The bearer's own address from which the request was sent.
  public var source: String?
  /// Whether the connection of an earlier hop was used.
  public var isReused: Bool
  /// Whether the connection was opened ahead, before the chain reached the host.
  public var isOpenedAhead: Bool
  /// The version of TLS, as in `1.3`; nil for cleartext, or if the handshake did not finish.
  public var tlsVersion: String?
  /// Nil when no answer came.
  public var status: Int?
  /// Bytes of the answer's decompressed body. For a redirect, whose body is not waited for, the
  /// announced length. Nil if unknown.
  public var bodyBytes: Int?
  /// Bytes received for the answer, including fields and framing.
  public var receivedBytes: Int
  /// Milliseconds from the chain's start to the hop's start.
  public var begin: Double
  public var times: Times
  /// Names of the cookies that were sent.
  public var cookies: [String]
  /// Names of the cookies that the answer set or deleted.
  public var cookiesSet: [String]
  /// The answer's fields that `ChainPolicy.traceHeaders` names, if they are short and printable.
  public var trace: [WebHeader]
  /// The host that the answer redirects to.
  public var next: String?
  /// What only authorised people may see.
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

  /// The fields with these names and with printable, short values; at most eight.
  public func trace(_ names: Set<String>) -> [WebHeader] {
    let shown = headers.lazy.filter { header in
      names.contains(header.name.lowercased()) && (1...Self.traceBytes).contains(header.value.utf8.count)
        && header.value.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }
    return Array(shown.prefix(8))
  }
}
