// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import JSONTree
import MIRACLTestSupport
import MPin
import ModemModel
@_spi(Exchange) import RedirectChain
import Synchronization
@_spi(Exchange) import Web
import MIRACLFlows

/// A platform, a caller and this machine's store, with what goes otherwise than usual.
final class MIRACLStage: Sendable {
  /// What goes otherwise, once, at a step.
  struct Change: Sendable {
    enum What: Sendable {
      case reply(BackendReply)
      case fails(BackendFailure.Kind)
      /// A member of the platform's answer is another, or missing.
      case member(String, JSONValue?)
    }

    var step: String
    var what: What

    static func reply(_ step: String, _ status: Int, _ json: String = "") -> Change {
      Change(step: step, what: .reply(BackendReply(status: status, body: Array(json.utf8))))
    }

    static func problem(
      _ step: String, _ code: String, _ status: Int = 400, isOld: Bool = false, context: [String: JSONValue] = [:]
    ) -> Change { Change(step: step, what: .reply(.problem(code, status, isOld: isOld, context: context))) }

    static func fails(_ step: String, _ kind: BackendFailure.Kind) -> Change { Change(step: step, what: .fails(kind)) }

    static func member(_ step: String, _ name: String, _ value: JSONValue?) -> Change {
      Change(step: step, what: .member(name, value))
    }
  }

  struct Record: Sendable {
    var calls: [BackendCall] = []
    /// Names of all steps, in order.
    var steps: [String] = []
    var questions: [CodeQuestion] = []
  }

  private struct State {
    var record = Record()
    var platform = MIRACLPlatform()
    var changes: [Change]
    var answers: [String]
  }

  static let user = try! MIRACLUser(text: "u@shop.example")
  static let link = "https://mcl.mpin.example/mobile-login/#\(MIRACLPlatform.accessID)"
  /// 2023-11-14T22:13:20Z.
  static let now = Timestamp(milliseconds: 1_700_000_000_000)

  let settings: MIRACLSettings
  let store = MemoryIdentities()
  let pending = MIRACLPendingRegistrations()
  private let state: Mutex<State>

  /// - Parameter answers: what the caller gives, in order.
  init(_ settings: MIRACLSettings = .shop, _ changes: [Change] = [], answers: [String] = []) {
    self.settings = settings
    state = Mutex(State(changes: changes, answers: answers))
  }

  var record: Record { state.withLock { $0.record } }

  /// The platform's next right PIN brings the offer of a new secret.
  func offerRenewal() { state.withLock { $0.platform.renews = true } }

  func accepts(_ signature: JSONValue) -> Bool { state.withLock { $0.platform.accepts(signature) } }

  /// Adds what goes otherwise and what the caller gives from now on, and forgets what happened so
  /// far.
  func then(_ changes: [Change] = [], answers: [String] = []) {
    state.withLock { state in
      state.changes = changes
      state.answers = answers
      state.record = Record()
    }
  }

  var flow: MIRACLFlow {
    MIRACLFlow(
      settings, store,
      randomness: RandomSource { [self] buffer throws(MPinError) in
        buffer.copyBytes(from: state.withLock { $0.platform.draws.next() })
      }, pending: pending)
  }

  var run: FlowRun {
    let lanes = FlowLanes(
      open: { call, _ in self.open(call) }, send: { call in self.answer(call) },
      askForCode: { question in self.answer(question) })
    let driver = FlowDriver(lanes, now: { Self.now })
    return FlowRun(driver) { progress in
      if case .step(let step) = progress { self.state.withLock { $0.record.steps.append(step.name) } }
    }
  }

  /// Registers the stage's user with a PIN.
  @discardableResult
  func register(pin: String = "1234") async throws -> MIRACLIdentity {
    then(answers: ["right", pin])
    let end = try await flow.register(MIRACLRegistration(Self.user, canAsk: true), run)
    then()
    return end.answer!
  }

  private func answer(_ call: BackendCall) -> Result<BackendReply, BackendFailure> {
    state.withLock { state in
      state.record.calls.append(call)
      let place = state.changes.firstIndex { $0.step == call.step }
      let change = place.map { state.changes.remove(at: $0) }
      switch change?.what {
      case .reply(let reply)?: return .success(reply)
      case .fails(let kind)?: return .failure(BackendFailure(kind, "\(call.url.host) does not answer"))
      case .member(let name, let value)?:
        let reply = state.platform.answer(call)
        guard case .object(var members)? = reply.json else { return .success(reply) }
        members[name] = value
        return .success(BackendReply(status: reply.status, body: Array(JSONValue.object(members).text.utf8)))
      case nil: return .success(state.platform.answer(call))
      }
    }
  }

  /// The same platform, over the bearer.
  private func open(_ call: BearerCall) -> BearerReply {
    let method = BackendCall.Method(rawValue: call.request.method.name)!
    let backend = BackendCall(
      call.step, method, call.request.url, headers: call.request.headers, body: call.request.method.body, route: .bearer
    )
    switch answer(backend) {
    case .success(let reply):
      return BearerReply(
        .answer(
          ChainAnswer(
            status: reply.status, contentType: nil, body: reply.body, from: AnswerSource(asked: call.request.url))),
        modem: "m0")
    case .failure(let failure): return BearerReply(.failed(ChainFailure(.connectFailed, failure.text)))
    }
  }

  private func answer(_ question: CodeQuestion) -> Result<Secret, CodeFailure> {
    state.withLock { state in
      state.record.questions.append(question)
      guard !state.answers.isEmpty else { return .failure(CodeFailure(.late, "nobody gave it in time")) }
      return .success(Secret(state.answers.removeFirst()))
    }
  }
}

extension MIRACLSettings {
  /// A project on a platform of the newer generation.
  static let shop: MIRACLSettings = {
    var settings = MIRACLSettings(api: try! Endpoint("https://api.mpin.example"), project: MIRACLPlatform.project)
    settings.trustedDomains = ["mpin.example"]
    return settings
  }()

  /// On one of the older generation.
  static let oldShop: MIRACLSettings = {
    var settings = shop
    settings.generation = .rps
    return settings
  }()

  /// One that is its own backend too.
  static let backendShop: MIRACLSettings = {
    var settings = shop
    settings.client = Client(id: "client-1", secret: Secret("client-secret-1"))
    return settings
  }()
}
