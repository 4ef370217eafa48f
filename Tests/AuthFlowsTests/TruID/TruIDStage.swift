// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import JSONTree
import ModemModel
@_spi(Exchange) import RedirectChain
import Testing
@_spi(Exchange) import Web
import TruIDFlows

/// What comes back for one action of a machine.
enum Reaction: Sendable {
  /// A backend's or the API's answer.
  case reply(Int, String, [String: String] = [:])
  case failure(BackendFailure.Kind)
  /// The last answer of a chain; `by` a URL of who gave it, where that is not who was asked first.
  case end(Int, String, type: String? = "application/json", by: String? = nil)
  /// The chain reached the redirect URL, which is not fetched.
  case redirected(String, by: String? = nil)
  case broken(ChainFailure.Cause, retryAfter: Int? = nil, status: Int? = nil, String = "")

  /// - Parameter url: what was asked.
  func event(of url: WebURL) -> FlowEvent {
    let source = { (other: String?) in AnswerSource(asked: other.map { try! WebURL($0) } ?? url) }
    return switch self {
    case .reply(let status, let body, let headers):
      .answered(
        BackendReply(
          status: status, headers: headers.map { .init(name: $0.key, value: $0.value) }, body: Array(body.utf8)))
    case .failure(let kind): .unanswered(BackendFailure(kind, "api.example: a sentence"))
    case .end(let status, let body, let type, let other):
      .opened(
        BearerReply(
          .answer(ChainAnswer(status: status, contentType: type, body: Array(body.utf8), from: source(other)))))
    case .redirected(let uri, let other):
      .opened(
        BearerReply(.redirectReached(uri: uri, parameters: RedirectURI.parameters(of: uri), by: source(other))))
    case .broken(let cause, let retryAfter, let status, let body):
      .opened(
        BearerReply(
          .failed(
            ChainFailure(
              cause, retryAfter: retryAfter,
              answer: status.map {
                ChainAnswer(status: $0, contentType: nil, body: Array(body.utf8), from: source(nil))
              },
              "a sentence"))))
    }
  }
}

/// What a machine did with a list of reactions.
struct Trial<Answer: Sendable> {
  var outcome: FlowOutcome
  var answer: Answer?
  /// Names of the steps, pauses among them.
  var steps: [String] = []
  var sent: [BackendCall] = []
  var opened: [BearerCall] = []
  var time: Timestamp
}

enum TruIDStage {
  static let start = Timestamp(milliseconds: 1_700_000_000_000)
  static let number = try! SubscriberNumber("+447700900123")
  static let api = try! Endpoint("https://eu.api.tru.id")
  static let checkURL = "https://eu.api.tru.id/phone_check/v0.1/checks/c-1/redirect"
  static let created = #"{"check_id":"c-1","check_url":"\#(checkURL)"}"#
  static let createdAtAPI =
    #"{"check_id":"c-1","status":"ACCEPTED","ttl":120,"_links":{"self":{"href":"https://eu.api.tru.id/x/phone_checks/c-1"},"check_url":{"href":"\#(checkURL)"}}}"#

  static var backend: TruIDAccess { .backend(TruIDBackend(try! Endpoint("https://app.example/demo"))) }
  static var client: TruIDClient { TruIDClient(api: api, token: Secret("token-1"), route: .host) }

  /// - Parameters:
  ///   - seconds: that each reaction takes.
  ///   - end: a URL of who ends chains; nil for who was asked first.
  static func run<Machine: FlowMachine>(
    _ machine: Machine, _ reactions: [Reaction], seconds: Int64 = 1, endedBy end: String? = nil
  ) -> Trial<Machine.Answer> {
    var machine = machine
    var left = reactions[...]
    var trial = Trial<Machine.Answer>(outcome: FlowOutcome(.cancelled, "it did not end"), time: start)
    var action = machine.start(at: start)
    while true {
      var asked = api.url
      switch action {
      case .finish(let outcome, let answer):
        #expect(left.isEmpty, "it ended with \(outcome.result) before \(left.count) more reactions were used")
        trial.outcome = outcome
        trial.answer = answer
        return trial
      case .pause(let step, let time):
        trial.steps.append(step)
        trial.time = Timestamp(milliseconds: trial.time.milliseconds + Int64(time / .milliseconds(1)))
        action = machine.receive(.resumed, at: trial.time)
        continue
      case .open(let call):
        trial.steps.append(call.step)
        trial.opened.append(call)
        asked = end.map { try! WebURL($0) } ?? call.request.url
      case .send(let call):
        trial.steps.append(call.step)
        trial.sent.append(call)
        asked = call.url
      case .readCode, .askForCode, .askSIM: Issue.record("tru.ID asks for no message")
      }
      guard let reaction = left.popFirst() else {
        Issue.record("it asks for \(trial.steps.last ?? "something") when nothing more comes")
        return trial
      }
      trial.time = Timestamp(milliseconds: trial.time.milliseconds + seconds * 1000)
      action = machine.receive(reaction.event(of: asked), at: trial.time)
    }
  }

  static func check(
    _ product: TruIDProduct, _ version: TruIDVersion, by access: TruIDAccess, redirect: TruIDRedirect? = nil,
    _ reactions: [Reaction], seconds: Int64 = 1, _ change: (inout TruIDCheckRequest) -> Void = { _ in },
    keyCheck: TruIDCheckMachine.KeyCheck? = nil
  ) -> Trial<TruIDCheckAnswer> {
    var request = TruIDCheckRequest(product, version, number)
    request.redirect = redirect
    change(&request)
    var settings = TruIDSettings()
    settings.keyCheck = keyCheck
    return run(
      TruIDCheckMachine(request, by: access, TruIDCheckMachine.Limits(settings, product)), reactions, seconds: seconds,
      endedBy: redirect.flatMap { $0.isFetched ? $0.url : nil })
  }

  /// A problem document.
  static func problem(_ code: String) -> String {
    #"{"type":"https://developer.example/errors#\#(code)","title":"t","detail":"of +447700900123"}"#
  }
}

/// One way for a check to end.
struct CheckCase: Sendable, CustomTestStringConvertible {
  var name: String
  var product = TruIDProduct.subscriberCheck
  var version = TruIDVersion.v1
  var isAPI = false
  var redirect: TruIDRedirect?
  var seconds: Int64 = 1
  let reactions: [Reaction]
  let result: FlowResult
  var code: String?
  var sim: SIMChange?
  var retryAfter: Int?
  /// Calls, without pauses.
  var calls: Int?

  var testDescription: String { name }

  func run() {
    let access = isAPI ? TruIDAccess.api(TruIDStage.client) : TruIDStage.backend
    let trial = TruIDStage.check(product, version, by: access, redirect: redirect, reactions, seconds: seconds)
    let outcome = trial.outcome
    #expect(outcome.result == result, "\(outcome)")
    #expect(outcome.code == code)
    #expect(outcome.sim == sim)
    #expect(outcome.retryAfter == retryAfter)
    if let calls { #expect(trial.sent.count + trial.opened.count == calls, "\(trial.steps)") }
    let posts = trial.sent.filter { $0.method != .get }.map { "\($0.method) \($0.url)" }
    #expect(Set(posts).count == posts.count, "what changes something is sent once")
    for secret in ["447700900123", "c-1", "code-1", "token-1", "/checks/"] {
      #expect(!outcome.text.contains(secret), "the text shows what it must not: \(outcome.text)")
    }
  }
}
