import AuthCore
import RedirectChain

/// Where the redirects of an app's server led, by their URLs. An operator's own redirects may carry `code` and `state` of its own, so that only
/// those at the app's server count.
struct AppServerTrail: Hashable, Sendable {
  /// Of the app's server.
  let host: String
  /// Where the chain ended.
  let end: WebURL?
  /// What is wrong, by a URL of the app's server with `error`; nil where none has it.
  let refusal: FlowOutcome?
  /// Whether the server got a code, and the chain ended there.
  let isSignedIn: Bool

  init(_ trail: [Secret], server: WebURL) {
    host = server.host
    let urls = trail.compactMap { try? WebURL($0.revealed) }
    end = urls.last
    let own = urls.filter { $0.host == server.host }
    let parameters = own.map { RedirectURI.parameters(of: $0.text) }
    let isFailed = urls.last.map { $0.host == server.host && Self.isFailurePage($0.path) } ?? false
    refusal =
      parameters.lazy.compactMap { Self.refusal($0, server.host) }.last ?? (isFailed ? Self.failed(server.host) : nil)
    let hasCode = parameters.contains { !($0["code"] ?? "").isEmpty && !($0["state"] ?? "").isEmpty }
    isSignedIn = hasCode && urls.last?.host == server.host
  }

  /// As the libraries name the state in which a message waits at the handset.
  var waitsForMessage: Bool { end.map { $0.text.contains("sms-wait") } ?? false }

  private static func refusal(_ parameters: [String: String], _ host: String) -> FlowOutcome? {
    guard let word = parameters["error"], !word.isEmpty else { return nil }
    let description = parameters["error_description"] ?? parameters["description"]
    return MobileConnectProblem.special(word, description)
      ?? OpenIDProblem.outcome(word, MobileConnectProblem.results, status: nil, host: host)
  }

  private static func failed(_ host: String) -> FlowOutcome {
    FlowOutcome(
      .operatorError, "\(host) ended at its page for failures and does not say more; look at that server's log")
  }

  /// The page of the libraries' sample server.
  private static func isFailurePage(_ path: String) -> Bool {
    let last = path.split(separator: "/").last?.lowercased() ?? ""
    return ["fail", "fail.html", "error", "error.html"].contains(last)
  }
}
