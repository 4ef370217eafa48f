import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Web

/// The HTTP side of a flow with an entitlement server: cookies, redirects, the method and the
/// version that the server takes. It has no clock and no socket.
struct EntitlementExchange: Sendable {
  /// What follows from an answer.
  enum Step: Sendable {
    /// The same question again, or where a redirect leads.
    case send(BackendCall)
    /// A packet of EAP for the SIM.
    case relay([UInt8])
    case document(EntitlementDocument)
    /// 511: the proof is not accepted.
    case refused
    case failed(FlowOutcome)
  }

  /// Redirects of a flow. RCC.14's two, to another server and back, may come twice.
  static let redirectLimit = 5
  /// Bytes of a packet in an answer. A challenge has less than three hundred.
  static let packetLimit = 4096

  static let relayType = "application/vnd.gsma.eap-relay.v1.0+json"
  static let documentType = "text/vnd.wap.connectivity-xml"
  private static let packetName = "eap-relay-packet"

  let context: EntitlementContext
  private(set) var jar: CookieJar
  /// The version that is offered.
  private(set) var version: String
  /// The method of a question.
  private(set) var method: TS43Settings.Method

  /// Versions that were not tried yet, best first.
  private var versions: [String]
  private var isOtherMethodTried = false
  private var redirects = 0
  private var phase = Phase.idle
  /// Where the last request went.
  private var url: WebURL

  private enum Phase: Sendable {
    case idle
    case asking(String, EntitlementRequest)
    case relaying(BackendCall)
  }

  /// - Parameters:
  ///   - token: what an earlier login learnt of the server; nil for a first one.
  ///   - jar: cookies of the login.
  init(_ context: EntitlementContext, after token: EntitlementToken? = nil, jar: CookieJar = CookieJar()) {
    self.context = context
    self.jar = jar
    url = context.url
    let offered = context.settings.versions
    let all = offered.filter { $0 == token?.version } + offered
    version = all.first ?? ""
    versions = all.dropFirst().filter { $0 != all.first }
    method = token?.method ?? context.settings.method
  }

  /// The server that was asked last.
  var host: String { url.host }

  /// The TOKEN in a document, with what this exchange has learnt of the server; nil if there is
  /// none.
  func token(in document: EntitlementDocument, _ groupIdentifier: [UInt8]?, at now: Timestamp) -> EntitlementToken? {
    document.token.map { found in
      EntitlementToken(
        found.token, expires: found.validity?.seconds.map { now.later(by: .seconds($0.count)) }, version: version,
        method: method, groupIdentifier: groupIdentifier)
    }
  }

  /// Whether a URL may follow a redirect: protected, or the server's own origin, which the
  /// configuration may name in clear.
  private func mayFollow(_ next: WebURL) -> Bool { next.scheme == .https || next.origin == context.url.origin }

  /// A question, in the form that the server takes.
  ///
  /// - Parameter step: its name.
  mutating func ask(_ step: String, _ request: EntitlementRequest, at now: Timestamp) -> BackendCall {
    phase = .asking(step, request)
    url = context.url
    let fields = request.fields(context, version: version)
    let accept =
      switch request.proof {
      case .identity: Self.relayType
      case .token: method == .get ? Self.documentType : "\(Self.documentType), application/json"
      }
    switch method {
    case .get: return call(step, .get, context.url.adding(fields), accept, nil, now)
    case .post:
      return call(step, .post, context.url, accept, .json(EntitlementRequest.json(fields)), now)
    }
  }

  /// The SIM's answer, to the place that sent the packet, without its query (TS.43, 2.8.1).
  mutating func answer(_ packet: [UInt8], at now: Timestamp) -> BackendCall {
    let body = JSONValue.object([Self.packetName: .string(Base64.encode(packet))])
    url = url.withoutQuery
    let call = call(
      "sendAnswer", .post, url, "\(Self.relayType), \(Self.documentType)",
      WebBody(Array(body.text.utf8), contentType: Self.relayType), now)
    phase = .relaying(call)
    return call
  }

  private func call(
    _ step: String, _ method: BackendCall.Method, _ url: WebURL, _ accept: String, _ body: WebBody?,
    _ now: Timestamp
  ) -> BackendCall {
    var headers: [WebHeader] = [
      .accept(accept), WebHeader(name: "User-Agent", value: Self.userAgent(context.settings)),
    ]
    if let cookies = jar.header(for: url, now: now.seconds) {
      headers.append(WebHeader(name: "Cookie", value: cookies.value))
    }
    return BackendCall(step, method, url, headers: headers, body: body, route: context.settings.route)
  }

  /// The form of TS.43, 2.2.1.
  static func userAgent(_ settings: TS43Settings) -> String {
    settings.userAgent
      ?? "PRD-TS43 term-\(settings.terminalVendor)/\(settings.terminalModel) client-modemd/\(Product.version) "
      + "OS-Linux/\(settings.terminalSoftware)"
  }

  /// Takes the answer to the last request.
  mutating func take(_ reply: BackendReply, at now: Timestamp) -> Step {
    let cookies = reply.headers.filter { $0.name.lowercased() == "set-cookie" }.map(\.value)
    jar.store(cookies, from: url, now: now.seconds)
    switch reply.status {
    case 200...299: return content(reply)
    case 301, 302, 303, 307, 308: return follow(reply, at: now)
    case 511: return .refused
    case 405, 501:
      guard case .asking(let step, let request) = phase, !isOtherMethodTried else { break }
      isOtherMethodTried = true
      method = method == .get ? .post : .get
      return .send(ask(step, request, at: now))
    case 406:
      guard case .asking(let step, let request) = phase, !versions.isEmpty else { break }
      version = versions.removeFirst()
      return .send(ask(step, request, at: now))
    default: break
    }
    return .failed(EntitlementRefusal.outcome(of: reply, from: url.host))
  }

  private func content(_ reply: BackendReply) -> Step {
    if let packet = relayed(reply) {
      guard let bytes = packet else {
        return .failed(
          FlowOutcome(
            .badAnswer, status: reply.status, "\(url.host) sent a packet of EAP that cannot be read; ask the operator"))
      }
      return .relay(bytes)
    }
    do throws(EntitlementDocument.Flaw) {
      return .document(try EntitlementDocument(reply.body, type: reply.header("content-type")))
    } catch {
      return .failed(EntitlementRefusal.outcome(of: error, status: reply.status, from: url.host))
    }
  }

  /// The packet in an answer; nil for an answer that is no relay, and a missing packet for one that
  /// cannot be read.
  private func relayed(_ reply: BackendReply) -> [UInt8]?? {
    let isRelay = reply.header("content-type")?.lowercased().hasPrefix("application/vnd.gsma.eap-relay") == true
    guard reply.body.count <= EntitlementDocument.byteLimit, let members = reply.json?.ifObject else {
      return isRelay ? .some(nil) : nil
    }
    guard let packet = members[Self.packetName] else { return isRelay ? .some(nil) : nil }
    guard let text = packet.string, let bytes = Base64.decode(text), (4...Self.packetLimit).contains(bytes.count) else {
      return .some(nil)
    }
    return .some(bytes)
  }

  /// Follows a redirect (TS.43, 2.8.1): to another server that speaks the same, and back.
  private mutating func follow(_ reply: BackendReply, at now: Timestamp) -> Step {
    let fail = { [host = url.host] (text: String) in
      Step.failed(FlowOutcome(.redirectError, status: reply.status, "\(host) \(text)"))
    }
    let locations = Set(reply.headers.filter { $0.name.lowercased() == "location" }.map(\.value))
    guard let location = locations.first, locations.count == 1, let target = try? LocationTarget(location, from: url),
      case .web(let next) = target
    else { return fail("redirects to no place that can be asked; ask the operator") }
    redirects += 1
    guard redirects <= Self.redirectLimit else {
      return fail("redirects more than \(Self.redirectLimit) times, now to \(next.host); ask the operator")
    }
    guard mayFollow(next) else {
      return fail("redirects in clear to \(next.host), where nothing of the SIM is sent; ask the operator")
    }
    guard !Self.isLoginPage(next) else {
      return .failed(EntitlementRefusal.interaction(status: reply.status, next.host))
    }
    return .send(redirected(to: next, keepsMethod: reply.status >= 307, at: now))
  }

  /// The request at the place that a redirect names. A body with the SIM's answer or a token goes
  /// nowhere else: at another origin the request becomes a GET without it.
  private mutating func redirected(to next: WebURL, keepsMethod: Bool, at now: Timestamp) -> BackendCall {
    let last: (step: String, method: BackendCall.Method, body: WebBody?) =
      switch phase {
      case .idle: ("login", .get, nil)
      case .asking(let step, let request):
        method == .get
          ? (step, .get, nil)
          : (step, .post, .json(EntitlementRequest.json(request.fields(context, version: version))))
      case .relaying(let call): (call.step, call.method, call.body)
      }
    let isKept = keepsMethod && next.origin == url.origin
    url = next
    return call(
      last.step, isKept ? last.method : .get, next, "\(Self.relayType), \(Self.documentType)",
      isKept ? last.body : nil, now)
  }

  /// Whether a redirect leads to an OpenID login (TS.43, 2.8.2), which is for a person.
  private static func isLoginPage(_ url: WebURL) -> Bool {
    url.query?.split(separator: "&").contains { $0.hasPrefix("response_type=") } == true
  }
}

extension WebURL {
  /// The same place without parameters.
  fileprivate var withoutQuery: WebURL {
    WebURL(scheme, host, port, path: path, query: nil)
  }
}
