import NetworkAddress
import Synchronization

/// The six-hop check: https A, https B, http C with header enrichment, http C by a relative Location with a cookie,
/// https B, https A. The number is learnt at C from the source address alone.
///
/// It begins at `https://A/checks/NUMBER`, NUMBER without its `+`. The last hop answers JSON, or goes to
/// `redirect_uri` with `code` and `state` when the first request carried one.
package final class CheckChainService: SimulatedService {
  private struct Session {
    var expected: String
    var redirectURI: String?
    var state: String?
    var slowHop: Int?
    var slowMilliseconds: Int
    /// What header enrichment found.
    var found: String?

    func delivery(atHop hop: Int) -> SimulatedResponse.Delivery {
      slowHop == hop ? .after(milliseconds: slowMilliseconds) : .atOnce
    }
  }

  private let hosts: ChainHosts
  private let subscribers: SubscriberDirectory
  private let sessions = Mutex<[String: Session]>([:])
  private let makeID: @Sendable () -> String

  /// - Parameter makeID: makes session ids; a test gives its own.
  package init(
    hosts: ChainHosts, subscribers: SubscriberDirectory, makeID: @escaping @Sendable () -> String = randomID
  ) {
    self.hosts = hosts
    self.subscribers = subscribers
    self.makeID = makeID
  }

  /// 16 hexadecimal digits.
  package static func randomID() -> String { String(UInt64.random(in: .max / 16 ... .max), radix: 16) }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    switch (request.host, request.isSecure, request.path) {
    case (hosts.aggregator, true, let path) where path.hasPrefix("/checks/"): begin(request)
    case (hosts.signOn, true, "/authorize"): authorize(request)
    case (hosts.enrichment, false, "/he/start"): enrich(request)
    case (hosts.enrichment, false, "/he/confirm"): confirm(request)
    case (hosts.signOn, true, "/resume"): resume(request)
    case (hosts.aggregator, true, "/callback"): complete(request)
    default: nil
    }
  }

  private func begin(_ request: SimulatedRequest) -> SimulatedResponse {
    let digits = request.path.dropFirst("/checks/".count)
    guard (7...15).contains(digits.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return .problem(400, "the number in the path is not 7 to 15 digits")
    }
    let id = makeID()
    let session = Session(
      expected: "+\(digits)", redirectURI: request.query["redirect_uri"], state: request.query["state"],
      slowHop: request.query["slow_hop"].flatMap(Int.init),
      slowMilliseconds: request.query["slow_ms"].flatMap(Int.init) ?? 3000)
    sessions.withLock { $0[id] = session }
    return .redirect(
      to: "https://\(hosts.signOn)/authorize?session=\(id)", cookies: ["check=\(id); Path=/; Secure; HttpOnly"]
    ).delivered(session.delivery(atHop: 1))
  }

  private func authorize(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let (id, session) = session(of: request) else { return .problem(404, "there is no such session") }
    return .redirect(
      to: "http://\(hosts.enrichment)/he/start?session=\(id)", cookies: ["sso=\(id); Path=/; Secure; SameSite=None"]
    ).delivered(session.delivery(atHop: 2))
  }

  private func enrich(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let (id, session) = session(of: request) else { return .problem(404, "there is no such session") }
    guard request.cookies["sso"] == nil, request.cookies["check"] == nil else {
      return .problem(400, "a Secure cookie came over cleartext")
    }
    guard let number = subscribers.number(at: request.source) else {
      return .problem(403, "the request did not come over a bearer of this operator")
    }
    sessions.withLock { $0[id]?.found = number }
    return .redirect(to: "confirm?session=\(id)", cookies: ["he=\(id); Path=/he"])
      .delivered(session.delivery(atHop: 3))
  }

  private func confirm(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let (id, session) = session(of: request) else { return .problem(404, "there is no such session") }
    guard request.cookies["he"] == id else { return .problem(400, "the enrichment cookie is missing") }
    return .redirect(to: "https://\(hosts.signOn)/resume?session=\(id)").delivered(session.delivery(atHop: 4))
  }

  private func resume(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let (id, session) = session(of: request) else { return .problem(404, "there is no such session") }
    guard request.cookies["sso"] == id else { return .problem(400, "the sign-on cookie is missing") }
    return .redirect(to: "https://\(hosts.aggregator)/callback?session=\(id)").delivered(session.delivery(atHop: 5))
  }

  private func complete(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let (id, session) = session(of: request) else { return .problem(404, "there is no such session") }
    guard request.cookies["check"] == id else { return .problem(400, "the check's cookie is missing") }
    sessions.withLock { $0[id] = nil }
    let delivery = session.delivery(atHop: 6)
    if let uri = session.redirectURI {
      let state = session.state.map { "&state=\($0)" } ?? ""
      return .redirect(to: "\(uri)\(uri.contains("?") ? "&" : "?")code=\(id)\(state)").delivered(delivery)
    }
    let isMatch = session.found == session.expected
    return .json("{\"check_id\":\"\(id)\",\"status\":\"COMPLETED\",\"match\":\(isMatch)}").delivered(delivery)
  }

  private func session(of request: SimulatedRequest) -> (String, Session)? {
    guard let id = request.query["session"] else { return nil }
    return sessions.withLock { $0[id] }.map { (id, $0) }
  }
}
