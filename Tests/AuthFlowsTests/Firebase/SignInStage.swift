// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import JSONTree
import ModemModel
@_spi(Exchange) import RedirectChain
import Synchronization
@_spi(Exchange) import Web
import FirebaseFlows
import TruIDFlows

/// A project, its backend and a phone, as answers in their order.
final class SignInStage: Sendable {
  struct Reply: Sendable {
    var status = 200
    var json = "{}"
    var headers: [WebHeader] = []
    var failure: BackendFailure?
  }

  /// What a lane for codes gives.
  enum Code: Sendable, Hashable {
    case message(String)
    case caller(String)
    /// No message in time.
    case noMessage
    case unreadable
    case noCaller
  }

  struct Record: Sendable {
    var calls: [BackendCall] = []
    var waits: [CodeWait] = []
    /// Names of all steps, in order.
    var steps: [String] = []
    /// In milliseconds; each exchange takes 700 of them.
    var time: Int64 = 1_000_000
  }

  private struct State {
    var record = Record()
    var replies: [Reply]
    var codes: [Code]
  }

  static let number = try! SubscriberNumber("+447700900000")
  static let subscriber = Subscriber(modem: "m0")
  static let backend = SIMGate(.backend(SIMCheckBackend(try! Endpoint("https://app.example/api"))))

  /// A token that says what it says, with a signature nobody checks here.
  static func token(_ payload: String) -> String {
    "\(Base64.encodeURL(Array("{\"alg\":\"RS256\"}".utf8))).\(Base64.encodeURL(Array(payload.utf8))).c2lnbmF0dXJl"
  }

  static let idToken = token(#"{"user_id":"u1","phone_number":"+447700900000","exp":1800003600}"#)
  static let unchanged = Reply(json: #"{"no_sim_change":true}"#)
  static let sent = Reply(json: #"{"sessionInfo":"s-1"}"#)
  static let signedIn = Reply(
    json: #"{"idToken":"\#(idToken)","refreshToken":"r-1","expiresIn":"3600","localId":"u1","isNewUser":true,"#
      + #""phoneNumber":"+447700900000"}"#)

  /// Firebase's form of an error.
  static func error(_ message: String, status: Int = 400, more: String = "") -> Reply {
    Reply(
      status: status,
      json: #"{"error":{"code":\#(status),"message":"\#(message)","errors":[{"message":"\#(message)"}]\#(more)}}"#)
  }

  private let state: Mutex<State>

  init(_ replies: [Reply], codes: [Code] = []) { state = Mutex(State(replies: replies, codes: codes)) }

  var record: Record { state.withLock { $0.record } }

  func now() -> Timestamp { Timestamp(milliseconds: state.withLock { $0.record.time }) }

  /// A way to run machines on this stage.
  var run: FlowRun {
    let lanes = FlowLanes(
      open: { _, _ in BearerReply(.failed(ChainFailure(.noModem, "there is no modem"))) },
      send: { call in self.answer(call) },
      readCode: { wait in self.read(wait) },
      askForCode: { _ in self.ask() })
    let driver = FlowDriver(lanes, now: { self.now() })
    return FlowRun(driver) { progress in
      if case .step(let step) = progress { self.state.withLock { $0.record.steps.append(step.name) } }
    }
  }

  func signIn(_ request: SignInRequest, _ settings: FirebaseSettings) async throws -> FlowEnd<SignedInUser> {
    var checker: TruIDBackendSIMCheck?
    if case .backend(let backend)? = settings.gate?.source {
      checker = TruIDBackendSIMCheck(backend, named: "backend")
    }
    let flow = PhoneSignInFlow(settings, checker: checker, now: { self.now() })
    return try await flow.signIn(request, of: Self.subscriber, run)
  }

  /// Signs the stage's number in with a code from the modem's messages.
  func signIn(_ settings: FirebaseSettings) async throws -> FlowEnd<SignedInUser> {
    try await signIn(SignInRequest(Self.number), settings)
  }

  private func answer(_ call: BackendCall) -> Result<BackendReply, BackendFailure> {
    state.withLock { state in
      state.record.calls.append(call)
      state.record.time += 700
      guard !state.replies.isEmpty else { return .failure(BackendFailure(.connect, "nobody answers any more")) }
      let reply = state.replies.removeFirst()
      if let failure = reply.failure { return .failure(failure) }
      return .success(BackendReply(status: reply.status, headers: reply.headers, body: Array(reply.json.utf8)))
    }
  }

  private func read(_ wait: CodeWait) -> Result<Secret, CodeFailure> {
    state.withLock { state in
      state.record.waits.append(wait)
      guard !state.codes.isEmpty else { return .failure(CodeFailure(.late, "no message came")) }
      switch state.codes.removeFirst() {
      case .message(let code): return .success(Secret(code))
      case .unreadable: return .failure(CodeFailure(.unavailable, "the modem's messages cannot be read"))
      case .noMessage, .noCaller, .caller: return .failure(CodeFailure(.late, "no message came"))
      }
    }
  }

  private func ask() -> Result<Secret, CodeFailure> {
    state.withLock { state in
      guard !state.codes.isEmpty, case .caller(let code) = state.codes.removeFirst() else {
        return .failure(CodeFailure(.late, "nobody gave the code in time"))
      }
      return .success(Secret(code))
    }
  }
}

extension FirebaseSettings {
  /// A project with a key and a gate.
  static let project = FirebaseSettings(apiKey: Secret("key-1"), gate: SignInStage.backend)
}

extension BackendCall {
  /// A member of the JSON body.
  func field(_ name: String) -> String? { JSONValue(parsing: body?.bytes ?? [])?[name]?.string }
}
