// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import CAMARACommonalities
import ModemModel
@_spi(Exchange) import RedirectChain
import TokenSigning
@_spi(Exchange) import Web
import CAMARAFlows

/// What comes back for a call, in the order of the calls.
enum CAMARAReply: Sendable {
  /// The redirect URI is reached with this query; `by` a URL of who announces it, where that is not
  /// who was asked first.
  case redirect(String, by: String? = nil)
  /// The chain ends so.
  case chain(ChainResult)
  /// An HTTP answer; after an authorization, where a redirect was awaited.
  case http(Int, String, retryAfter: Int? = nil, by: String? = nil)
  case failure(BackendFailure.Kind, ChainFailure.Cause? = nil)
  /// A token that is good for so many seconds.
  case token(Int? = 300, idToken: String? = nil)

  static let state = "the-state"
  static let code = CAMARAReply.redirect("code=the-code&state=\(state)")
  /// An answer of CAMARA's error model.
  static func refusal(_ status: Int, _ code: String, retryAfter: Int? = nil) -> CAMARAReply {
    .http(status, #"{"status":\#(status),"code":"\#(code)","message":"about +447700900123"}"#, retryAfter: retryAfter)
  }

  var text: String {
    guard case .token(let seconds, let idToken) = self else { return "" }
    let life = seconds.map { #","expires_in":\#($0)"# } ?? ""
    let id = idToken.map { #","id_token":"\#($0)""# } ?? ""
    return #"{"access_token":"the-token","token_type":"Bearer","refresh_token":"never-used"\#(life)\#(id)}"#
  }
}

/// A machine that is walked through, with all that it did.
struct CAMARAWalk<Machine: FlowMachine>: Sendable {
  private(set) var outcome: FlowOutcome?
  private(set) var answer: Machine.Answer?
  private(set) var opened: [BearerCall] = []
  private(set) var sent: [BackendCall] = []
  /// The waits between the steps.
  private(set) var pauses: [Duration] = []
  /// Names of the steps.
  private(set) var steps: [String] = []
  /// Replies that nobody asked for.
  private(set) var unused = 0

  /// - Parameter time: that passes before each reply.
  init(_ machine: Machine, _ replies: [CAMARAReply], at start: Timestamp = CAMARAKit.now, each time: Duration = .zero) {
    var machine = machine
    var now = start
    var rest = replies[...]
    var action = machine.start(at: now)
    while outcome == nil {
      let event: FlowEvent
      switch action {
      case .finish(let end, let given):
        (outcome, answer) = (end, given)
        continue
      case .open(let call):
        opened.append(call)
        steps.append(call.step)
        guard let reply = rest.popFirst() else { return }
        event = .opened(Self.opened(reply, call))
      case .send(let call):
        sent.append(call)
        steps.append(call.step)
        guard let reply = rest.popFirst() else { return }
        event = Self.answered(reply)
      case .pause(_, let wait):
        pauses.append(wait)
        now = now.later(by: wait)
        event = .resumed
      default: return
      }
      now = Timestamp(milliseconds: now.milliseconds + Int64(time / .milliseconds(1)))
      action = machine.receive(event, at: now)
    }
    unused = rest.count
  }

  private static func opened(_ reply: CAMARAReply, _ call: BearerCall) -> BearerReply {
    let source = { (other: String?) in AnswerSource(asked: other.map { try! WebURL($0) } ?? call.request.url) }
    switch reply {
    case .redirect(let query, let other):
      let uri = "\(CAMARAKit.redirectURI)?\(query)"
      return BearerReply(
        .redirectReached(uri: uri, parameters: RedirectURI.parameters(of: uri), by: source(other)))
    case .chain(let result): return BearerReply(result)
    case .http(let status, let body, _, let other):
      return BearerReply(
        .answer(
          ChainAnswer(
            status: status, contentType: "application/json", body: Array(body.utf8), from: source(other))))
    case .failure(_, let cause): return BearerReply(.failed(ChainFailure(cause ?? .timeout, "a sentence")))
    case .token: preconditionFailure("no chain ends with a token")
    }
  }

  private static func answered(_ reply: CAMARAReply) -> FlowEvent {
    switch reply {
    case .http(let status, let body, let retryAfter, _):
      let headers = retryAfter.map { [WebHeader(name: "Retry-After", value: "\($0)")] } ?? []
      return .answered(BackendReply(status: status, headers: headers, body: Array(body.utf8)))
    case .token: return .answered(BackendReply(status: 200, body: Array(reply.text.utf8)))
    case .failure(let kind, let cause): return .unanswered(BackendFailure(kind, cause: cause, "a sentence"))
    case .redirect, .chain: preconditionFailure("a backend call has no chain")
    }
  }
}

/// A configured operator for tests.
enum CAMARAKit {
  static let now = Timestamp(rfc3339: "2026-11-22T06:00:00Z")!
  static let redirectURI = "https://app.example/back"
  static let number = try! SubscriberNumber("+447700900123")
  static let tools = OpenIDTools(random: { Array(repeating: 7, count: $0) }, sha256: { Digest.sha256($0) })
  static let subscriber = Subscriber(modem: "m0")

  static func settings(_ change: (inout CAMARASettings) -> Void = { _ in }) -> CAMARASettings {
    var settings = CAMARASettings(
      CAMARAServer(
        root: try! Endpoint("https://api.operator.example"),
        authorizationEndpoint: try! WebURL("https://auth.operator.example/authorize"),
        tokenEndpoint: try! WebURL("https://auth.operator.example/token"),
        client: OpenIDClient(id: "app-1", .basic(Secret("s3cret"))), tools))
    settings.server.redirect = .intercepted(try! RedirectURI(redirectURI), text: redirectURI)
    change(&settings)
    return settings
  }

  static let ticket = AuthorizationTicket(
    state: CAMARAReply.state, nonce: "the-nonce", verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", tools)

  static func numberVerification(
    _ question: NumberVerificationQuestion = .verify(number), _ settings: CAMARASettings = settings(),
    proof: ClientProof = .basic(Secret("s3cret"))
  ) -> NumberVerificationMachine {
    NumberVerificationMachine(question, settings, ticket: ticket, proof: proof, correlator: "corr-1")
  }
}
