import AuthCore
import RedirectChain
import Web
import AuthFlows

/// The path of an app server's redirects, by their URLs. An operator's own redirects may carry
/// `code` and `state` too, so only URLs at the app server count: with its scheme, host and port.
struct AppServerRedirects: Hashable, Sendable {
  /// Of the app's server.
  let host: String
  /// Where the chain ended.
  let end: WebURL?
  /// The error, from a URL of the app's server with `error`; nil if there is none.
  let refusal: FlowOutcome?
  /// Whether the server got a code, and the chain ended there.
  let isSignedIn: Bool

  init(_ visited: [Secret], server: WebURL) {
    host = server.host
    let urls = visited.compactMap { try? WebURL($0.revealed) }
    end = urls.last
    let isOwn = { (url: WebURL) in url.origin == server.origin }
    let own = urls.filter(isOwn)
    let isFailed = urls.last.map { isOwn($0) && Self.isFailurePage($0.path) } ?? false
    // If a hop was in cleartext, anybody may have redirected to the server with an error. It then
    // counts as a refusal, not a verdict.
    let isInCustody = urls.allSatisfy { $0.scheme == .https }
    let refusals = own.compactMap { Self.refusal(RedirectURI.parameters(of: $0.text), server.host, isInCustody) }
    refusal = refusals.last ?? (isFailed ? Self.failed(server.host) : nil)
    let states = Self.states(sentBy: isOwn, in: urls)
    isSignedIn = own.contains { Self.carriesCode($0, states) } && urls.last.map(isOwn) == true
  }

  /// What the server itself gave its users: the states in its redirect URLs.
  private static func states(sentBy isOwn: (WebURL) -> Bool, in urls: [WebURL]) -> Set<String> {
    Set(
      zip(urls, urls.dropFirst()).filter { isOwn($0) && !isOwn($1) }
        .flatMap { RedirectURI.values(of: "state", in: $1.text) })
  }

  /// Whether a URL passes a code to the server: one code with one state, which must be the server's
  /// if it sent any.
  private static func carriesCode(_ url: WebURL, _ sent: Set<String>) -> Bool {
    let (codes, states) = (
      RedirectURI.values(of: "code", in: url.text), RedirectURI.values(of: "state", in: url.text)
    )
    guard codes.count == 1, states.count == 1, !codes[0].isEmpty, !states[0].isEmpty else { return false }
    return sent.isEmpty || sent.contains(states[0])
  }

  /// The libraries' name for the state in which a message waits at the handset.
  var waitsForMessage: Bool { end.map { $0.text.contains("sms-wait") } ?? false }

  private static func refusal(
    _ parameters: [String: String], _ host: String, _ isInCustody: Bool
  ) -> FlowOutcome? {
    guard let word = parameters["error"], !word.isEmpty else { return nil }
    let description = parameters["error_description"] ?? parameters["description"]
    let told = MobileConnectProblem.special(word, description)
    return (isInCustody ? told : told?.unlessVerdict)
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
