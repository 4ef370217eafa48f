import LoopbackHTTP
import NativeMessaging

/// Decides from a request's fields alone whether a page may ask by `fetch`, and what the browser is
/// told of that (Fetch, 3.2 "CORS protocol").
///
/// `Origin` protects against pages: a browser sets it, and no script can. A local program can send
/// any. Therefore the connection's user comes first.
package struct FetchRules: Sendable {
  /// What may go on.
  package enum Passed: Hashable, Sendable {
    /// The browser asks whether the page may send its call.
    case preflight(PageOrigin)
    /// A call, whose body is still to be read.
    case call(PageOrigin)
  }

  /// Why a request is refused. None of it depends on what modemd says.
  package enum Refusal: Error, Hashable, Sendable {
    /// The connection is of another user than this process.
    case otherUser
    /// `Host` is not this machine's loopback address with the port (DNS rebinding).
    case wrongHost
    /// No origin, `null`, two, or one that is not in the configuration.
    case otherOrigin
    case notFound(PageOrigin)
    case wrongMethod(PageOrigin)
    /// A form, a plain text, a tracing beacon: what pages can send without being asked.
    case notJSON(PageOrigin)
    /// Not sent by `fetch` of a page, or sent with cookies or a password.
    case notACall(PageOrigin)

    package var status: Int {
      switch self {
      case .otherUser, .otherOrigin, .notACall: 403
      case .wrongHost: 421
      case .notFound: 404
      case .wrongMethod: 405
      case .notJSON: 415
      }
    }

    /// One sentence for whoever looks; empty for another user.
    package var text: String {
      switch self {
      case .otherUser: ""
      case .wrongHost: SenderRules.Refusal.wrongHost.text
      case .otherOrigin: "pages of this origin are not answered; fetch.origins of web.json names those that are"
      case .notFound: "there is nothing but \(FetchRules.path)"
      case .wrongMethod: "POST is expected here"
      case .notJSON: "Content-Type must be application/json, with nothing behind it"
      case .notACall: "a call is sent by fetch, without cookies and without a password"
      }
    }

    /// Whose page may read the refusal.
    var origin: PageOrigin? {
      switch self {
      case .otherUser, .wrongHost, .otherOrigin: nil
      case .notFound(let origin), .wrongMethod(let origin), .notJSON(let origin), .notACall(let origin): origin
      }
    }
  }

  /// Where calls go.
  package static let path = "/call"
  /// How long a browser may remember the answer to a preflight, in seconds.
  static let preflightSeconds = 600

  private let user: UInt32
  private let origins: Set<PageOrigin>

  /// - Parameter user: this process's own.
  package init(user: UInt32, origins: some Sequence<PageOrigin>) {
    self.user = user
    self.origins = Set(origins)
  }

  /// Looks at a request.
  ///
  /// - Throws: `Refusal`, the first of its kinds that applies.
  package func check(_ request: BrowserRequest) throws(Refusal) -> Passed {
    guard request.user == user else { throw .otherUser }
    do throws(SenderRules.Refusal) { try SenderRules.checkHost(request) } catch { throw .wrongHost }
    guard let text = request.field("origin"), let origin = PageOrigin(text) ?? PageOrigin.ofLoopback(text),
      origins.contains(origin)
    else { throw .otherOrigin }
    guard request.path == Self.path, request.query == nil else { throw .notFound(origin) }
    switch request.method {
    case "OPTIONS":
      guard Self.isPreflight(request) else { throw .notACall(origin) }
      return .preflight(origin)
    case "POST":
      guard request.field("content-type")?.lowercased() == "application/json" else { throw .notJSON(origin) }
      guard Self.isCall(request) else { throw .notACall(origin) }
      return .call(origin)
    default: throw .wrongMethod(origin)
    }
  }

  /// A preflight asks for POST and for `Content-Type`, and for nothing else.
  private static func isPreflight(_ request: BrowserRequest) -> Bool {
    request.field("access-control-request-method") == "POST"
      && request.field("access-control-request-headers")?.lowercased() == "content-type" && request.body.isEmpty
      && isOfAScript(request)
  }

  private static func isCall(_ request: BrowserRequest) -> Bool {
    isOfAScript(request) && !request.has("cookie") && !request.has("authorization")
  }

  /// Fetch Metadata of `fetch` with `mode: "cors"`: a navigation, a beacon and a page that is
  /// loaded ahead have others.
  private static func isOfAScript(_ request: BrowserRequest) -> Bool {
    request.field("sec-fetch-mode") == "cors" && request.field("sec-fetch-dest") == "empty"
      && ["cross-site", "same-site"].contains(request.field("sec-fetch-site"))
      && !request.has("sec-purpose") && !request.has("purpose")
  }

  /// The fields that let a page of the origin read an answer.
  static func fields(for origin: PageOrigin) -> [(name: String, value: String)] {
    [("Access-Control-Allow-Origin", origin.description), ("Vary", "Origin")]
  }

  /// The answer to a preflight.
  static func preflight(for origin: PageOrigin) -> BrowserAnswer {
    BrowserAnswer(
      204,
      fields: fields(for: origin) + [
        ("Access-Control-Allow-Methods", "POST"), ("Access-Control-Allow-Headers", "content-type"),
        ("Access-Control-Max-Age", "\(preflightSeconds)"),
      ], body: .bytes([]))
  }

  /// The answer to a request that is refused. Another user's connection learns nothing from it.
  static func answer(_ refusal: Refusal) -> BrowserAnswer {
    var fields = refusal.origin.map { Self.fields(for: $0) } ?? [("Vary", "Origin")]
    if case .otherUser = refusal { return BrowserAnswer(403, body: .bytes([])) }
    if case .wrongMethod = refusal { fields.append(("Allow", "POST")) }
    return .text(refusal.status, refusal.text, fields: fields)
  }
}
