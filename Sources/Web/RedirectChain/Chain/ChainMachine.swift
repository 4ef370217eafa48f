@_spi(Exchange) import Web

/// The chain's decisions, hop by hop. An answer goes in; the next request or the end comes out. It
/// has no clock and no socket.
public struct ChainMachine: Sendable {
  /// A request to make.
  public struct Hop: Hashable, Sendable {
    /// From 1.
    public let index: Int
    public let url: WebURL
    /// Always GET after the first hop.
    public let method: ChainRequest.Method
    public let headers: [WebHeader]
    public let cookieNames: [String]
    /// How long to wait before the request.
    public let pause: Duration

    public init(
      index: Int, url: WebURL, method: ChainRequest.Method = .get, headers: [WebHeader] = [],
      cookieNames: [String] = [], pause: Duration = .zero
    ) {
      self.index = index
      self.url = url
      self.method = method
      self.headers = headers
      self.cookieNames = cookieNames
      self.pause = pause
    }
  }

  /// An answer that came.
  public struct Response: Hashable, Sendable {
    public let status: Int
    public let headers: [WebHeader]
    public let body: [UInt8]

    public init(status: Int, headers: [WebHeader], body: [UInt8]) {
      self.status = status
      self.headers = headers
      self.body = body
    }

    /// All values of a field.
    public func values(_ name: String) -> [String] {
      headers.filter { $0.name.lowercased() == name }.map(\.value)
    }
  }

  public enum Action: Hashable, Sendable {
    case fetch(Hop)
    case finish(ChainResult)
  }

  private enum State {
    case ready
    case waiting(Hop)
    case finished
  }

  /// Identifies a place where the same request would be sent a second time with the same cookies.
  private struct Visit: Hashable {
    let method: String
    let url: WebURL
    let cookies: String?
  }

  /// A page regardless of its query.
  private struct Page: Hashable {
    let origin: WebURL.Origin
    let path: String

    init(_ url: WebURL) { (origin, path) = (url.origin, url.path) }
  }

  private let request: ChainRequest
  private var state = State.ready
  private var jar = CookieJar()
  private var visits: Set<Visit> = []
  /// Without their queries.
  private var pages: Set<Page> = []
  /// Names of the cookies that the last answer set or deleted.
  public private(set) var cookiesSet: [String] = []

  public init(_ request: ChainRequest) { self.request = request }

  /// The first request.
  ///
  /// - Parameter now: seconds since 1970.
  public mutating func start(now: Int64) -> Action {
    guard case .ready = state else { return fail(.badAnswer, nil, "a chain starts once; begin anew") }
    guard !request.policy.requiresSecureStart || request.url.scheme == .https else {
      return fail(.refusedByPolicy, nil, "a chain must start with https; this URL is http")
    }
    if request.method != .get, request.url.scheme != .https {
      return fail(.refusedByPolicy, nil, "a \(request.method.name) is not sent in clear; give an https URL")
    }
    // Checked whatever their origin: everything written to a connection passes here.
    if let field = request.headers.first(where: { !$0.hasValidName || !$0.hasValidValue || $0.isOfConnection }) {
      let name = field.hasValidName ? field.name : "with a name that is none"
      return fail(
        .refusedByPolicy, nil,
        "the field \(name) cannot be sent: it is the connection's own, or its value holds a control character; leave it out"
      )
    }
    return fetch(request.url, index: 1, now: now)
  }

  /// Takes the answer to the last request.
  ///
  /// - Parameter now: seconds since 1970.
  public mutating func received(_ response: Response, now: Int64) -> Action {
    guard case .waiting(let hop) = state else {
      return fail(.badAnswer, nil, "an answer came where the chain awaited none; begin anew")
    }
    if request.policy.keepsCookies {
      cookiesSet = jar.store(response.values("set-cookie"), from: hop.url, now: now)
    }
    if response.headers.contains(where: { request.policy.stopFields.contains($0.name.lowercased()) }) {
      return finish(.answer(ChainAnswer(response, from: hop.url)))
    }
    guard Self.isRedirect(response.status) else { return end(response, at: hop, now: now) }
    let locations = Set(response.values("location"))
    guard let location = locations.first, locations.count == 1 else {
      return fail(
        .badRedirect, hop, telling: response,
        "\(hop.url.host) redirects with \(locations.isEmpty ? "no" : "more than one") Location")
    }
    return follow(location, response, after: hop, now: now)
  }

  /// Ends the chain at an answer. Some gateways give the redirect URI as the body of a 200 instead
  /// of a Location.
  private mutating func end(_ response: Response, at hop: Hop, now: Int64) -> Action {
    let answer = ChainAnswer(response, from: hop.url)
    if RetryAfter.isRateLimit(response, now: now) {
      return limit(answer, RetryAfter.seconds(in: response, now: now), hop)
    }
    if response.status == 511, !request.policy.answersWith511 || hop.url.scheme == .http {
      return fail(
        .possibleCaptivePortal, hop,
        "in place of \(hop.url.host) a portal asks for a login; check the SIM's credit and what its plan allows")
    }
    if let redirectURI = request.redirectURI, (200...299).contains(response.status) {
      if let uri = Self.onlyLine(of: response.body), let target = try? LocationTarget(uri, from: hop.url),
        redirectURI.matches(target)
      {
        return reach(uri, target, after: hop)
      }
    }
    // Without an expected redirect, a page may be the answer, but not one that anybody on the way
    // could have made.
    let isInTheMiddle = request.redirectURI != nil || hop.url.scheme == .http
    if isInTheMiddle, (200...299).contains(response.status), Self.isPage(answer.contentType) {
      return fail(
        .interactionRequired, hop,
        "\(hop.url.host) shows a page to a person instead of redirecting; open the check on a device with a browser")
    }
    return finish(.answer(answer))
  }

  private static func isPage(_ type: String?) -> Bool {
    guard let type = type?.lowercased() else { return false }
    return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
  }

  private mutating func limit(_ answer: ChainAnswer, _ seconds: Int?, _ hop: Hop) -> Action {
    let advice = seconds.map { "ask again in \($0) s" } ?? "ask again later"
    return finish(
      .failed(
        ChainFailure(
          .rateLimited, hop: hop.index, retryAfter: seconds, answer: answer,
          "\(hop.url.host) gets too many requests (\(answer.status)); \(advice), with a new URL")))
  }

  /// The body, if it is one line that begins with a scheme.
  private static func onlyLine(of body: [UInt8]) -> String? {
    guard (1...8192).contains(body.count), let text = String(validating: body, as: UTF8.self) else { return nil }
    let line = text.drop(while: \.isWhitespace)
    let end = line.lastIndex { !$0.isWhitespace }.map { line.index(after: $0) } ?? line.endIndex
    guard URLReference(String(line[..<end])).scheme != nil else { return nil }
    return String(line[..<end])
  }

  /// Whether an answer of this status is followed, always with GET. Its body does not matter.
  public static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// What a hop redirects to, for display: the host, or a custom scheme.
  public static func nextHost(of response: Response, at url: WebURL) -> String? {
    guard isRedirect(response.status), let location = response.values("location").first else { return nil }
    return switch try? LocationTarget(location, from: url) {
    case .web(let next): next.host
    case .other(let scheme, _): "\(scheme):"
    case nil: nil
    }
  }

  private mutating func follow(_ location: String, _ response: Response, after hop: Hop, now: Int64) -> Action {
    let target: LocationTarget
    do {
      target = try LocationTarget(location, from: hop.url)
    } catch {
      return fail(.badRedirect, hop, telling: response, "\(hop.url.host) redirects to what is no URL: \(error)")
    }
    if let redirectURI = request.redirectURI, redirectURI.matches(target) {
      return reach(location, target, after: hop)
    }
    switch target {
    case .other(let scheme, _):
      return fail(
        .badRedirect, hop, telling: response,
        "\(hop.url.host) redirects to the scheme \(scheme), which is not the redirect URI; give it as redirectURI to stop there"
      )
    case .web(let url):
      if hop.index == 1, mustStayOnSite(hop), !Site.isOne(hop.url, url) {
        return fail(
          .possibleCaptivePortal, hop,
          "in place of \(hop.url.host) something redirects to \(url.host), perhaps a page of the operator: check the SIM's credit"
        )
      }
      guard hop.index <= request.policy.maximumRedirects else {
        return fail(
          .tooManyRedirects, hop, "more than \(request.policy.maximumRedirects) redirects, the last to \(url.host)")
      }
      guard request.policy.allows(url) else {
        return fail(
          .refusedByPolicy, hop,
          "\(hop.url.host) redirects in clear to \(url.host), which is not among the cleartext domains; add it there")
      }
      return fetch(url, index: hop.index + 1, pause: pause(before: url, after: hop), now: now)
    }
  }

  /// How long to wait if a host redirects back to one of its own pages; nil if it does not, or must
  /// not.
  private func pause(before url: WebURL, after hop: Hop) -> Duration? {
    hop.url.origin == url.origin && pages.contains(Page(url)) ? request.policy.returnPause : nil
  }

  /// Whether a redirect of the first hop to another site is a captive portal's. A cleartext answer
  /// is not authenticated, and a chain that allows no redirect does not expect one.
  private func mustStayOnSite(_ hop: Hop) -> Bool {
    hop.url.scheme == .http || request.policy.staysOnFirstSite || request.policy.maximumRedirects == 0
  }

  private mutating func reach(_ location: String, _ target: LocationTarget, after hop: Hop) -> Action {
    let text = String(location.trimmingBlanks)
    // Unchanged, unless it is relative: without the sending host, a relative URI means nothing.
    let uri: String =
      if URLReference(text).scheme == nil, case .web(let url) = target {
        url.text + (URLReference(text).fragment.map { "#\($0)" } ?? "")
      } else {
        text
      }
    if let expected = request.state {
      let states = RedirectURI.values(of: "state", in: uri)
      // The next reader of the URI could take either value of a duplicated parameter.
      guard states == [expected] else {
        let what = states.isEmpty ? "no state" : states.count > 1 ? "state twice" : "another state than was given"
        return fail(.stateMismatch, hop, "the redirect URI carries \(what); start anew")
      }
    }
    return finish(
      .redirectReached(uri: uri, parameters: RedirectURI.parameters(of: uri), by: AnswerSource(asked: hop.url)))
  }

  private mutating func fetch(_ url: WebURL, index: Int, pause: Duration? = nil, now: Int64) -> Action {
    let cookies = jar.header(for: url, now: now)
    let method = index == 1 ? request.method : .get
    pages.insert(Page(url))
    let isNew = visits.insert(Visit(method: method.name, url: url, cookies: cookies?.value)).inserted
    guard isNew || pause != nil else {
      return fail(
        .redirectLoop, Hop(index: index, url: url), "the chain comes back to \(url.host) with nothing changed")
    }
    var all = index == 1 && url.scheme == .https ? request.headers : []
    if let type = method.body?.contentType, !all.contains(where: { $0.name.lowercased() == "content-type" }) {
      all.append(WebHeader(name: "Content-Type", value: type))
    }
    if let cookies { all.append(WebHeader(name: "Cookie", value: cookies.value)) }
    let hop = Hop(
      index: index, url: url, method: method, headers: all, cookieNames: cookies?.names ?? [], pause: pause ?? .zero)
    state = .waiting(hop)
    return .fetch(hop)
  }

  private mutating func finish(_ result: ChainResult) -> Action {
    state = .finished
    return .finish(result)
  }

  /// - Parameter response: the answer to report with the failure.
  private mutating func fail(
    _ cause: ChainFailure.Cause, _ hop: Hop?, telling response: Response? = nil, _ text: String
  ) -> Action {
    let answer = response.flatMap { response in hop.map { ChainAnswer(response, from: $0.url) } }
    return finish(.failed(ChainFailure(cause, hop: hop?.index, answer: answer, text)))
  }
}

extension ChainAnswer {
  /// - Parameter url: the URL that was requested.
  fileprivate init(_ response: ChainMachine.Response, from url: WebURL) {
    self.init(
      status: response.status, contentType: response.values("content-type").first, body: response.body,
      fields: response.headers, from: AnswerSource(asked: url))
  }
}
