// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import ModemModel
import RedirectChain
import Synchronization
import Testing
@_spi(Exchange) import Web

@testable import TS43Flows

/// What comes back for one action of a machine.
enum Reaction: Sendable {
  /// The server's answer.
  case reply(Int, String, [WebHeader] = [])
  case failure(BackendFailure.Kind)
  case sim(EAPReply)
  case simFails(SIMFailure.Kind, retryAfter: Int? = nil)

  var event: FlowEvent {
    switch self {
    case .reply(let status, let body, let headers):
      .answered(BackendReply(status: status, headers: headers, body: Array(body.utf8)))
    case .failure(let kind): .unanswered(BackendFailure(kind, "a sentence"))
    case .sim(let reply): .simAnswered(.answered(reply))
    case .simFails(let kind, let seconds): .simFailed(SIMFailure(kind, retryAfter: seconds, "a sentence"))
    }
  }

  static func xml(_ body: String, _ status: Int = 200) -> Reaction {
    .reply(status, body, [WebHeader(name: "Content-Type", value: "text/vnd.wap.connectivity-xml; charset=utf-8")])
  }

  static func json(_ body: String, _ status: Int = 200) -> Reaction {
    .reply(status, body, [WebHeader(name: "Content-Type", value: "application/json")])
  }

  static func text(_ status: Int, _ body: String = "", _ fields: KeyValuePairs<String, String> = [:]) -> Reaction {
    .reply(
      status, body,
      [WebHeader(name: "Content-Type", value: "text/plain")] + fields.map { WebHeader(name: $0.key, value: $0.value) })
  }

  static func redirect(_ location: String, _ status: Int = 302) -> Reaction {
    .text(status, "", ["Location": location])
  }

  static func relay(_ packet: [UInt8] = [1, 2, 0, 8, 23, 1, 0, 0], cookie: String? = nil) -> Reaction {
    let body = #"{"eap-relay-packet":"\#(Base64.encode(packet))"}"#
    let type = WebHeader(name: "Content-Type", value: "application/vnd.gsma.eap-relay.v1.0+json")
    return .reply(200, body, [type] + (cookie.map { [WebHeader(name: "Set-Cookie", value: $0)] } ?? []))
  }

  static func answered(_ event: EAPReply.Event, _ notification: Int? = nil, text: String? = nil) -> Reaction {
    let isEnd = event == .success || event == .failure
    return .sim(EAPReply(event, packet: isEnd ? nil : [2, 2, 0, 4], notification: notification, text: text))
  }

  /// A document with a token and what an operation answers.
  static func document(_ parts: String, token: String? = "token-2") -> Reaction {
    .xml(Document.xml(parts, token: token))
  }
}

enum Document {
  static func xml(_ parts: String, token: String? = "token-2") -> String {
    let tokens = token.map {
      #"<characteristic type="TOKEN"><parm name="token" value="\#($0)"/><parm name="validity" value="86400"/></characteristic>"#
    }
    return #"<?xml version="1.0"?><wap-provisioningdoc version="1.1"><characteristic type="VERS">"#
      + #"<parm name="version" value="1"/><parm name="validity" value="172800"/></characteristic>\#(tokens ?? "")"#
      + #"<characteristic type="APPLICATION"><parm name="AppID" value="ap2014"/>\#(parts)</characteristic>"#
      + "</wap-provisioningdoc>"
  }

  static func parm(_ pairs: KeyValuePairs<String, String>) -> String {
    pairs.map { #"<parm name="\#($0.key)" value="\#($0.value)"/>"# }.joined()
  }

  /// The document right after a login, as ts43-test-ecs sends it.
  static let afterLogin = xml(parm(["OperationResult": "102"]), token: "token-1")
}

/// What a machine did with a list of reactions.
struct Trial<Answer: Sendable> {
  var outcome: FlowOutcome
  var answer: Answer?
  var steps: [String] = []
  var sent: [BackendCall] = []
  var asked: [SIMQuestion] = []
}

enum TS43Stage {
  static let start = Timestamp(milliseconds: 1_790_000_000_000)
  static let number = try! SubscriberNumber("+447700900123")
  static let other = try! SubscriberNumber("+447700900999")
  static let imsi = "001010123456063"
  static let imei = "350077523237513"
  static let identity = EAPIdentity("0\(imsi)@nai.epc.mnc001.mcc001.3gppnetwork.org")

  static var subscriber: Subscriber {
    var subscriber = Subscriber(modem: "m0", home: PLMN(mcc: "001", mnc: "01"), number: number)
    subscriber.imsi = IMSI(imsi)
    subscriber.iccid = ICCID("8944100000000000063")
    subscriber.imei = IMEI(imei)
    return subscriber
  }

  static func settings(_ change: (inout TS43Settings) -> Void = { _ in }) -> TS43Settings {
    var settings = TS43Settings()
    settings.appName = "modemd-probe"
    settings.terminalModel = "gateway"
    settings.terminalSoftware = "6.1"
    change(&settings)
    return settings
  }

  static func context(_ change: (inout TS43Settings) -> Void = { _ in }) -> EntitlementContext {
    try! EntitlementContext(settings(change), for: subscriber)
  }

  static var token: EntitlementToken {
    EntitlementToken(
      Secret("token-1"), expires: start.later(by: .seconds(3600)), version: "12.0", method: .get,
      groupIdentifier: [0x0a, 0xff])
  }

  static func login(
    _ reactions: [Reaction], _ change: (inout TS43Settings) -> Void = { _ in }
  ) -> Trial<TS43LoginMachine.Answer> {
    run(TS43LoginMachine(context(change)), reactions)
  }

  static func operation(
    _ operation: TS43Operation, _ reactions: [Reaction], of subscriber: Subscriber = TS43Stage.subscriber,
    _ change: (inout TS43Settings) -> Void = { _ in }
  ) -> Trial<TS43OperationMachine.Answer> {
    run(TS43OperationMachine(operation, of: subscriber, context(change), with: token), reactions)
  }

  /// Drives a machine; the beginning of a login needs no reaction.
  static func run<Machine: FlowMachine>(
    _ machine: Machine, _ reactions: [Reaction], identity: EAPIdentity = TS43Stage.identity
  ) -> Trial<Machine.Answer> {
    var machine = machine
    var left = reactions[...]
    var trial = Trial<Machine.Answer>(outcome: FlowOutcome(.cancelled, "it did not end"))
    var now = start
    var action = machine.start(at: now)
    while true {
      now = now.later(by: .seconds(1))
      switch action {
      case .finish(let outcome, let answer):
        #expect(left.isEmpty, "it ended with \(outcome.result) before \(left.count) more reactions were used")
        trial.outcome = outcome
        trial.answer = answer
        return trial
      case .send(let call):
        trial.steps.append(call.step)
        trial.sent.append(call)
      case .askSIM(let question):
        trial.steps.append(question.step)
        trial.asked.append(question)
        if case .begin = question.ask, !(left.first?.isAboutSIM ?? false) {
          let login = EAPLogin(id: "login-1", identity: identity, groupIdentifier: [0x0a, 0xff])
          action = machine.receive(.simAnswered(.began(login)), at: now)
          continue
        }
      case .open, .readCode, .askForCode, .pause: Issue.record("TS.43 asks for nothing of this kind")
      }
      guard let reaction = left.popFirst() else {
        Issue.record("it asks for \(trial.steps.last ?? "something") when nothing more comes")
        return trial
      }
      action = machine.receive(reaction.event, at: now)
    }
  }
}

extension Reaction {
  /// Whether it stands for the SIM's own failure.
  fileprivate var isAboutSIM: Bool { if case .simFails = self { true } else { false } }
}

/// A server and a SIM that answer by the names of the steps, with lanes for a whole flow.
final class TS43Server: Sendable {
  private struct State {
    var reactions: [String: [Reaction]]
    var steps: [FlowStep] = []
    var sent: [BackendCall] = []
    var asked: [SIMQuestion] = []
    var opened = 0
  }

  private let state: Mutex<State>
  let store = TransientTokenStore()

  init(_ reactions: [String: [Reaction]]) { state = Mutex(State(reactions: reactions)) }

  var sent: [BackendCall] { state.withLock { $0.sent } }
  var asked: [SIMQuestion] { state.withLock { $0.asked } }
  var steps: [FlowStep] { state.withLock { $0.steps } }
  var isUnused: Bool { state.withLock { $0.reactions.values.allSatisfy(\.isEmpty) } }
  /// Chains over the bearer, and its preparations.
  var opened: Int { state.withLock { $0.opened } }

  func set(_ reactions: [String: [Reaction]]) { state.withLock { $0.reactions = reactions } }

  private func next(_ step: String) -> Reaction {
    state.withLock { state in
      guard var list = state.reactions[step], !list.isEmpty else {
        Issue.record("nothing stands for \(step)")
        return .failure(.closed)
      }
      defer { state.reactions[step] = list }
      return list.removeFirst()
    }
  }

  func run(
    _ operation: TS43Operation, of subscriber: Subscriber = TS43Stage.subscriber,
    _ change: (inout TS43Settings) -> Void = { _ in }
  ) async throws -> FlowEnd<TS43Answer> {
    let settings = settings(change)
    return try await TS43Provider(settings).run(operation, of: subscriber, flowRun)
  }

  func settings(_ change: (inout TS43Settings) -> Void = { _ in }) -> TS43Settings {
    TS43Stage.settings {
      $0.store = store
      change(&$0)
    }
  }

  var flowRun: FlowRun {
    var lanes = FlowLanes(
      prepare: {
        self.state.withLock { $0.opened += 1 }
        return nil
      },
      open: { _, _ in
        self.state.withLock { $0.opened += 1 }
        return BearerReply(.failed(ChainFailure(.bearerLost, "there is none")))
      },
      send: { call in
        self.state.withLock { $0.sent.append(call) }
        guard case .answered(let reply) = self.next(call.step).event else {
          return .failure(BackendFailure(.connect, "\(call.url.host) cannot be reached"))
        }
        return .success(reply)
      })
    lanes.askSIM = { question in
      self.state.withLock { $0.asked.append(question) }
      guard case .answer = question.ask else {
        return .success(.began(EAPLogin(id: "l", identity: TS43Stage.identity, groupIdentifier: [0x0a, 0xff])))
      }
      switch self.next(question.step).event {
      case .simAnswered(let reply): return .success(reply)
      case .simFailed(let failure): return .failure(failure)
      default: return .failure(SIMFailure(.modemFailed, "a sentence"))
      }
    }
    let driver = FlowDriver(lanes, now: { TS43Stage.start })
    return FlowRun(driver) { progress in
      if case .step(let step) = progress { self.state.withLock { $0.steps.append(step) } }
    }
  }
}
