/// One request to a web server, and the time limit for its exchange. It prints its purpose and the
/// host: path, query, fields and body may hold identities and tokens.
public struct WebRequest: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public enum Method: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case patch = "PATCH"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// The purpose of the request, as in `createCheck`, for the log.
  public let purpose: String
  public let method: Method
  public let url: WebURL
  public let headers: [WebHeader]
  public let body: WebBody?
  /// For the whole exchange.
  public let time: Duration

  public init(
    _ purpose: String, _ method: Method = .get, _ url: WebURL, headers: [WebHeader] = [], body: WebBody? = nil,
    time: Duration = .seconds(30)
  ) {
    self.purpose = purpose
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.time = time
  }

  public var description: String { "(\(purpose): \(method.rawValue) to \(url.host))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An HTTP answer of any status from a known origin. For https, the server has proved by TLS that
/// it is the URL's host. In cleartext, the configuration names the origin.
///
/// Only the code that makes the exchange creates it, in modules that import this one with
/// `@_spi(Exchange)`.
public struct WebReply: Hashable, Sendable {
  public let status: Int
  public let headers: [WebHeader]
  public let body: [UInt8]

  @_spi(Exchange) public init(status: Int, headers: [WebHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  public var isSuccess: Bool { (200...299).contains(status) }

  /// The first field with a name, in any case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// Why a web server gave no answer.
public struct WebFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What can be acted on.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case dns, connect, tls, timeout, closed, tooLarge, refused, cancelled
  }

  public let kind: Kind
  /// One sentence that only names the host, and says what to do.
  public let text: String

  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  public var description: String { text }
}
