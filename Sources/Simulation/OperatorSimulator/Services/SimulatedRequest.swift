import NetworkAddress

/// A request as a service sees it.
package struct SimulatedRequest: Hashable, Sendable {
  package var method: String
  /// Whether it came over TLS.
  package var isSecure: Bool
  /// In lower case, without the port.
  package var host: String
  package var path: String
  /// Decoded; where a name stands twice the first counts.
  package var query: [String: String]
  /// Names in lower case.
  package var headers: [String: String]
  /// At most `maximumBody` bytes: a server answers 413 to more.
  package var body: [UInt8]
  /// A bearer's address, or the host's on its other uplink.
  package var source: IPAddress
  /// Path and query as they were sent.
  package var target: String

  /// Bytes that a body may have.
  package static let maximumBody = 256 << 10

  /// - Parameter target: nil for the path.
  package init(
    method: String = "GET", isSecure: Bool, host: String, path: String, query: [String: String] = [:],
    headers: [String: String] = [:], body: [UInt8] = [], source: IPAddress, target: String? = nil
  ) {
    self.body = body
    self.target = target ?? path
    self.method = method
    self.isSecure = isSecure
    self.host = host
    self.path = path
    self.query = query
    self.headers = headers
    self.source = source
  }

  /// The cookies that the client sent.
  package var cookies: [String: String] {
    var cookies: [String: String] = [:]
    for pair in (headers["cookie"] ?? "").split(separator: ";") {
      let halves = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if halves.count == 2 { cookies[String(halves[0])] = String(halves[1]) }
    }
    return cookies
  }
}

/// What a service answers.
package struct SimulatedResponse: Hashable, Sendable {
  /// How an answer reaches the client.
  package enum Delivery: Hashable, Sendable {
    case atOnce
    case after(milliseconds: Int)
    /// The connection stays open and nothing comes.
    case never
    /// The connection is closed instead.
    case hangUp
  }

  package var status: Int
  package var headers: [Header]
  package var body: String
  package var delivery = Delivery.atOnce

  /// A field; a name may stand more than once.
  package struct Header: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(status: Int, headers: [(String, String)] = [], body: String = "") {
    self.status = status
    self.headers = headers.map { Header(name: $0.0, value: $0.1) }
    self.body = body
  }

  package static func json(_ body: String, status: Int = 200) -> SimulatedResponse {
    SimulatedResponse(status: status, headers: [("Content-Type", "application/json")], body: body)
  }

  /// RFC 9457.
  package static func problem(_ status: Int, _ title: String) -> SimulatedResponse {
    SimulatedResponse(
      status: status, headers: [("Content-Type", "application/problem+json")],
      body: "{\"type\":\"about:blank\",\"title\":\"\(title)\",\"status\":\(status)}")
  }

  package static func redirect(to location: String, cookies: [String] = []) -> SimulatedResponse {
    SimulatedResponse(status: 302, headers: [("Location", location)] + cookies.map { ("Set-Cookie", $0) })
  }

  package func delivered(_ delivery: Delivery) -> SimulatedResponse {
    var response = self
    response.delivery = delivery
    return response
  }
}

/// Answers requests to some hosts; nil for a request that is not its own.
package protocol SimulatedService: Sendable {
  func answer(_ request: SimulatedRequest) async -> SimulatedResponse?
}
