import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Web

/// Finds the subject of a website's session.
///
/// If the landing page is of the older kind, it first asks the page for its platform (`/service`),
/// and the platform for its addresses (`/clientSettings`).
struct MIRACLSessionMachine: FlowMachine {
  typealias Answer = MIRACLSession

  private enum State {
    case landing
    case clientSettings(MIRACLService)
    case details(MIRACLService)
    case ended
  }

  static var usesBearer: Bool { false }

  private let settings: MIRACLSettings
  private let link: MIRACLLink
  private var state = State.landing

  init(_ settings: MIRACLSettings, _ link: MIRACLLink) {
    self.settings = settings
    self.link = link
  }

  mutating func start(at now: Timestamp) -> FlowAction<Answer> {
    guard settings.asksLanding else { return askDetails(MIRACLService(settings.api)) }
    guard
      let page = try? AnsweredURL("https://\(link.landing.hostField)\(link.landing.path)", within: settings.trusted)
        .endpoint()
    else {
      return end(.badRequest, "the link's page has no address of its own; give the link as the QR code has it")
    }
    let calls = MIRACLCalls(settings)
    return .send(
      BackendCall(
        "landing", .get, page.appending("/service"), headers: calls.headers + [calls.project], route: settings.route))
  }

  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Answer> {
    guard case .answered(let reply) = event else {
      guard case .unanswered(let failure) = event else { return .unexpected(event) }
      return end(failure.outcome)
    }
    switch state {
    case .landing: return landed(reply, now)
    case .clientSettings(let service): return configured(reply, service, now)
    case .details(let service): return detailed(reply, service, now)
    case .ended: return .unexpected(event)
    }
  }

  // MARK: The landing page

  private mutating func landed(_ reply: BackendReply, _ now: Timestamp) -> FlowAction<Answer> {
    switch reply.status {
    case 406:
      return end(.clientRefused, status: 406, "the website does not admit apps of this project; ask who runs it")
    case 412:
      return end(
        .clientRefused, status: 412, "the website wants clients of a newer kind; set generation to registration")
    default: break
    }
    guard reply.isSuccess else { return end(MIRACLProblem(reply).outcome(of: nil, at: now)) }
    let page = reply.json
    for field in ["url", "type", "name", "logo_url"] where page?[field]?.string == nil {
      return end(.lacking(field, reply))
    }
    let root: Endpoint
    do throws(AnsweredURL.Fault) {
      root = try AnsweredURL(page?["url"]?.string ?? "", within: settings.trusted).endpoint()
    } catch {
      return end(error.host.map { untrusted($0, reply) } ?? .lacking("url", reply))
    }
    let prefix = page?["rps_prefix"]?.string ?? "rps"
    guard prefix.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x3f && $0 != 0x23 }) else {
      return end(.lacking("rps_prefix", reply))
    }
    let service = MIRACLService(root, prefix: prefix)
    state = .clientSettings(service)
    let calls = MIRACLCalls(settings, service)
    return .send(
      BackendCall(
        "clientSettings", .get, service.clientSettings, headers: calls.headers + [calls.project], route: settings.route)
    )
  }

  /// Reads the platform's addresses from its client settings. Missing ones are at their usual
  /// places.
  private mutating func configured(
    _ reply: BackendReply, _ service: MIRACLService, _ now: Timestamp
  ) -> FlowAction<Answer> {
    guard reply.isSuccess else { return end(MIRACLProblem(reply).outcome(of: nil, at: now)) }
    guard let document = reply.json, case .object = document else { return end(.lacking("addresses", reply)) }
    var service = service
    for (field, path, places) in Self.addresses {
      guard let text = document[field]?.string else { continue }
      let endpoint: Endpoint
      do throws(AnsweredURL.Fault) {
        endpoint = try AnsweredURL(Self.address(text, of: service.root), within: settings.trusted).endpoint()
      } catch {
        return end(error.host.map { untrusted($0, reply) } ?? .lacking(field, reply))
      }
      for (place, last) in zip(places, path) { service.set(place, endpoint.below(last)) }
    }
    return askDetails(service)
  }

  /// Names of addresses, the path after each, and its calls. Later entries take precedence.
  private static let addresses: [(String, [String], [MIRACLService.Place])] = [
    ("codeStatusURL", [""], [.codeStatus]),
    ("mpinAuthServerURL", ["/pass1", "/pass2"], [.pass1, .pass2]),
    ("authenticateURL", [""], [.authenticate]),
    ("mobileAuthenticateURL", [""], [.authenticate]),
    ("registerURL", [""], [.user]),
    ("signatureURL", [""], [.signature]),
  ]

  /// A complete address, or one on the platform's own host; addresses of web sockets also serve
  /// HTTP.
  private static func address(_ text: String, of root: Endpoint) -> String {
    if text.hasPrefix("/") { return "\(root.url.scheme.rawValue)://\(root.url.hostField)\(text)" }
    if text.hasPrefix("wss://") { return "https://" + text.dropFirst("wss://".count) }
    if text.hasPrefix("ws://") { return "http://" + text.dropFirst("ws://".count) }
    if text.contains("://") { return text }
    return "\(root.appending("/").text)\(text)"
  }

  // MARK: The session

  private mutating func askDetails(_ service: MIRACLService) -> FlowAction<Answer> {
    state = .details(service)
    return .send(MIRACLCalls(settings, service).status("sessionDetails", .details, of: link.session))
  }

  private mutating func detailed(
    _ reply: BackendReply, _ service: MIRACLService, _ now: Timestamp
  ) -> FlowAction<Answer> {
    guard reply.isSuccess else { return end(MIRACLProblem(reply).outcome(of: .codeStatus, at: now)) }
    guard let details = reply.json, case .object = details else { return end(.lacking("details", reply)) }
    let project = details["projectId"]?.string
    // Platforms behind a landing page had one project and did not name it.
    guard project != nil || settings.asksLanding else { return end(.lacking("projectId", reply)) }
    guard project ?? settings.project == settings.project else { return end(.otherProject(reply)) }
    if let refusal = FlowOutcome.unreadable(details["description"]?.string, reply) { return end(refusal) }
    guard let session = MIRACLSession(details, id: link.session, service: service) else {
      return end(.lacking("hash", reply))
    }
    state = .ended
    return .finish(
      FlowOutcome(.covered, status: reply.status, "the session waits for its user"), session)
  }

  private func untrusted(_ host: String, _ reply: BackendReply) -> FlowOutcome {
    FlowOutcome(
      .stateMismatch, code: "untrustedHost", status: reply.status,
      "the website leads to \(host), which is not trusted or not reached by https; if it is the project's, add it to trustedDomains"
    )
  }

  private mutating func end(_ result: FlowResult, status: Int? = nil, _ text: String) -> FlowAction<Answer> {
    end(FlowOutcome(result, status: status, text))
  }

  private mutating func end(_ outcome: FlowOutcome) -> FlowAction<Answer> {
    state = .ended
    return .finish(outcome, nil)
  }
}
