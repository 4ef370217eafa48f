// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import JSONTree
import ModemModel
@_spi(Exchange) import RedirectChain
@_spi(Exchange) import Web
import IPificationFlows

/// One run of the machine against answers that are given as data: what it did is noted in words.
struct IPificationSession {
  static let number = try! SubscriberNumber("+447700900000")
  static let now = Timestamp(milliseconds: 1_790_000_000_999)
  static let uri = "com.example.app://ip/callback"
  /// What `random` makes: 24 bytes of 0x5a, and 0x5b for the second that is asked for.
  static let state = "modemd-" + String(repeating: "Wlpa", count: 8)

  /// What comes back for a call.
  enum Reply: Hashable, Sendable {
    /// The chain reached the redirect URI; `STATE` stands for the state that was sent, and `by` is
    /// a URL of who announced it, where that is not who was asked first.
    case redirect(String, by: String? = nil)
    case answer(Int, String = "", fields: [String: String] = [:], by: String? = nil)
    case failed(ChainFailure.Cause, hop: Int? = 1, isUnsent: Bool = false, location: String? = nil)
    /// Of a backend.
    case backend(Int, String, fields: [String: String] = [:])
    case unanswered(BackendFailure.Kind)
  }

  struct End {
    var calls: [String] = []
    var requests: [WebURL] = []
    var bodies: [String] = []
    var policies: [ChainPolicy] = []
    var outcome: FlowOutcome?
    var answer: IPificationAnswer?
    /// Replies that nobody asked for.
    var unused = 0
  }

  var settings: IPificationSettings = Self.settings()
  var question = IPificationQuestion(.authorize, number: Self.number)
  var subscriber = Subscriber(modem: "m0", home: PLMN("23410"), serving: PLMN("20801"), isRoaming: true)
  var replies: [Reply] = []

  static func settings(_ change: (inout IPificationSettings) -> Void = { _ in }) -> IPificationSettings {
    var settings = IPificationSettings(
      host: try! IPificationHosts.endpoint("stage"), clientID: "client-1", redirectURI: uri)
    change(&settings)
    return settings
  }

  static func question(
    _ task: IPificationQuestion.Task, _ change: (inout IPificationQuestion) -> Void = { _ in }
  ) -> IPificationQuestion {
    var question = IPificationQuestion(task, number: number)
    change(&question)
    return question
  }

  /// A token with these claims, unsigned.
  static func token(_ claims: String) -> String {
    "eyJhbGciOiJIUzI1NiJ9.\(Base64.encodeURL(Array(claims.utf8))).c2ln"
  }

  func machine() throws(AuthError) -> IPificationMachine {
    var byte: UInt8 = 0x59
    return try IPificationMachine(settings, question, subscriber: subscriber) { count in
      byte += 1
      return [UInt8](repeating: byte, count: count)
    }
  }

  func run() throws -> End { run(try machine()) }

  func run<Machine: FlowMachine>(_ machine: Machine) -> End where Machine.Answer == IPificationAnswer {
    var machine = machine
    var end = End()
    var left = replies[...]
    var sentState = ""
    var action = machine.start(at: Self.now)
    while true {
      let event: FlowEvent
      switch action {
      case .finish(let outcome, let answer):
        (end.outcome, end.answer, end.unused) = (outcome, answer, left.count)
        return end
      case .open(let call):
        end.calls.append(call.step)
        end.requests.append(call.request.url)
        end.policies.append(call.request.policy)
        sentState = RedirectURI.parameters(of: call.request.url.text)["state"] ?? sentState
        guard let reply = left.popFirst() else { return end }
        event = .opened(BearerReply(Self.result(reply, sentState, call.request.url)))
      case .send(let call):
        end.calls.append("\(call.method.rawValue) \(call.step) \(call.route)")
        end.requests.append(call.url)
        end.bodies.append(String(decoding: call.body?.bytes ?? [], as: UTF8.self))
        guard let reply = left.popFirst() else { return end }
        event = Self.event(reply)
      case .pause(let step, let time):
        end.calls.append("\(step) \(time)")
        event = .resumed
      case .readCode, .askForCode, .askSIM:
        end.calls.append("code")
        return end
      }
      action = machine.receive(event, at: Self.now)
    }
  }

  private static func result(_ reply: Reply, _ state: String, _ url: WebURL) -> ChainResult {
    let source = { (other: String?) in AnswerSource(asked: other.map { try! WebURL($0) } ?? url) }
    switch reply {
    case .redirect(let text, let other):
      let uri = text.replacing("STATE", with: state)
      return .redirectReached(uri: uri, parameters: RedirectURI.parameters(of: uri), by: source(other))
    case .answer(let status, let body, let fields, let other):
      return .answer(
        ChainAnswer(
          status: status, contentType: nil, body: Array(body.utf8), fields: headers(fields), from: source(other)))
    case .failed(let cause, let hop, let isUnsent, let location):
      let fields = location.map { headers(["Location": $0]) } ?? []
      let answer =
        cause == .badRedirect
        ? ChainAnswer(status: 302, contentType: nil, body: [], fields: fields, from: source(nil)) : nil
      return .failed(ChainFailure(cause, hop: hop, answer: answer, isUnsent: isUnsent, "a sentence"))
    case .backend, .unanswered: fatalError("a backend's reply for a call over the bearer")
    }
  }

  private static func event(_ reply: Reply) -> FlowEvent {
    switch reply {
    case .backend(let status, let body, let fields):
      .answered(BackendReply(status: status, headers: headers(fields), body: Array(body.utf8)))
    case .unanswered(let kind): .unanswered(BackendFailure(kind, "a sentence"))
    default: fatalError("a bearer's reply for a call to a backend")
    }
  }

  private static func headers(_ fields: [String: String]) -> [WebHeader] {
    fields.sorted { $0.key < $1.key }.map { WebHeader(name: $0.key, value: $0.value) }
  }
}
