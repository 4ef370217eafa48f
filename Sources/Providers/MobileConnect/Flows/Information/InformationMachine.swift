import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Web

/// Asks an operator for data about a token's subscriber (OpenID Connect Core, 5.3).
struct MobileConnectInformationMachine: FlowMachine {
  /// How the answer came.
  enum Told: Hashable, Sendable {
    case plain(JSONValue)
    /// A token whose signature must still be checked.
    case signed(Secret)
  }

  typealias Answer = Told
  static var usesBearer: Bool { false }

  private let call: BackendCall

  init(_ kind: MobileConnectInformation.Kind, _ token: Secret, at endpoint: WebURL, route: BackendRoute) {
    call = BackendCall(
      kind == .userinfo ? "readUserInfo" : "readPremiumInfo", .get, endpoint,
      headers: [.bearer(token), .accept("application/json, application/jwt")], route: route)
  }

  mutating func start(at now: Timestamp) -> FlowAction<Told> { .send(call) }

  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Told> {
    switch event {
    case .answered(let reply): return receive(reply)
    case .unanswered(let failure): return .finish(failure.outcome, nil)
    case .opened, .code, .noCode, .simAnswered, .simFailed, .resumed: return .unexpected(event)
    }
  }

  private func receive(_ reply: BackendReply) -> FlowAction<Told> {
    // An operator may refuse with 200, and report it only in the header.
    guard reply.isSuccess, reply.header("www-authenticate") == nil, reply.json?["error"] == nil else {
      return .finish(MobileConnectProblem.outcome(reply, host: call.url.host), nil)
    }
    let outcome = FlowOutcome(.authorized, status: reply.status, "the operator told what it knows of the subscriber")
    if let json = reply.json, case .object = json { return .finish(outcome, .plain(json)) }
    // A complete token as JSON text is also accepted.
    let text = reply.json?.string ?? String(decoding: reply.body, as: UTF8.self)
    let token = Secret(String(text.filter { !$0.isWhitespace }))
    guard SignedToken(token) != nil else {
      return .finish(
        FlowOutcome(
          .badAnswer, status: reply.status,
          "\(call.url.host) answered with neither JSON nor a signed token; ask the operator"),
        nil)
    }
    return .finish(outcome, .signed(token))
  }
}
