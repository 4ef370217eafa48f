/// Answers that go wrong in a named way, at paths of the aggregator:
/// `/status/CODE`, `/redirects/COUNT`, `/loop`, `/slow/MILLISECONDS`, `/never`, `/hangup`, `/large`, `/odd-location`,
/// `/no-location`, `/loopback`, `/unresolvable`, `/wrong-certificate`, `/unreachable`, `/text`, `/html`, `/sleepy-body`.
package struct FaultService: SimulatedService {
  private let host: String
  /// A host whose certificate names another one.
  private let misnamedHost: String
  /// A host whose name does not resolve.
  private let unknownHost: String

  package init(host: String, misnamedHost: String, unknownHost: String) {
    self.host = host
    self.misnamedHost = misnamedHost
    self.unknownHost = unknownHost
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    guard request.host == host else { return nil }
    let parts = request.path.split(separator: "/").map(String.init)
    let number = parts.count == 2 ? Int(parts[1]) : nil
    switch (parts.first, number) {
    case ("status", let code?) where (200...599).contains(code):
      return .problem(code, "as asked")
    case ("redirects", let count?):
      return count > 0 ? .redirect(to: "/redirects/\(count - 1)") : .json("{\"done\":true}")
    case ("slow", let milliseconds?):
      return SimulatedResponse.json("{\"done\":true}").delivered(.after(milliseconds: milliseconds))
    default: return fixed(request.path)
    }
  }

  private func fixed(_ path: String) -> SimulatedResponse? {
    switch path {
    case "/loop": .redirect(to: "/loop")
    case "/never": SimulatedResponse.json("{}").delivered(.never)
    case "/hangup": SimulatedResponse.json("{}").delivered(.hangUp)
    case "/large": SimulatedResponse(status: 200, body: String(repeating: "x", count: 200_000))
    case "/odd-location": .redirect(to: "https://user@\(host)/")
    case "/no-location": SimulatedResponse(status: 302)
    case "/loopback": .redirect(to: "http://127.0.0.1/")
    case "/unresolvable": .redirect(to: "https://\(unknownHost)/")
    case "/wrong-certificate": .redirect(to: "https://\(misnamedHost)/")
    case "/unreachable": .redirect(to: "http://\(host):9/")
    case "/text":
      SimulatedResponse(status: 200, headers: [("Content-Type", "text/plain; charset=utf-8")], body: "plain text")
    case "/html":
      SimulatedResponse(
        status: 200, headers: [("Content-Type", "text/html")], body: "<!doctype html><title>Sign in</title>")
    default: nil
    }
  }
}

/// Whatever is asked, the other uplink's answer says that something leaked.
package struct LeakService: SimulatedService {
  package init() {}

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? { .json("{\"leaked\":true}") }
}
