import AuthCore
import ClockTestSupport
import JSONTree
import ModemModel
import RedirectChain
import Synchronization
import Testing

@testable import AuthFlows
@testable import TruIDFlows

@Suite("tru.ID: whole flows")
struct TruIDFlowTests {
  /// Answers by step, and writes down what was asked.
  final class Lanes: Sendable {
    let asked = Mutex<[String]>([])
    let opened = Mutex<[BearerCall]>([])
    let sent = Mutex<[BackendCall]>([])
    private let answers: [String: Reaction]

    init(_ answers: [String: Reaction]) { self.answers = answers }

    func run(at time: Timestamp = TruIDStage.start) -> FlowRun {
      let lanes = FlowLanes(
        open: { call, _ in
          self.asked.withLock { $0.append(call.step) }
          self.opened.withLock { $0.append(call) }
          guard case .opened(var reply)? = self.answers[call.step]?.event(of: call.request.url) else {
            return BearerReply(.failed(ChainFailure(.bearerLost, "nothing stands for \(call.step)")))
          }
          reply.family = .ipv6
          return reply
        },
        send: { call in
          self.asked.withLock { $0.append(call.step) }
          self.sent.withLock { $0.append(call) }
          switch self.answers[call.step]?.event(of: call.url) {
          case .answered(let reply)?: return .success(reply)
          case .unanswered(let failure)?: return .failure(failure)
          default: return .failure(BackendFailure(.connect, "nothing stands for \(call.step)"))
          }
        })
      return FlowRun(FlowDriver(lanes, now: { time }, clock: DrivenClock(movesWhenAsleep: 2).clock)) { _ in }
    }
  }

  static let token = Reaction.reply(200, #"{"access_token":"token-1","expires_in":3600}"#)
  static let coverage = Reaction.end(
    200, #"{"network_id":"23410","mobile_data_ip":"198.51.100.7","products":[{"product_id":"pck"}]}"#)
  static let api: [String: Reaction] = [
    "accessToken": token, "deviceCoverage": coverage, "createCheck": .reply(201, TruIDStage.createdAtAPI),
    "openCheckURL": .end(200, "", type: nil),
    "readResult": .reply(200, #"{"check_id":"c-1","status":"COMPLETED","match":true}"#),
    "simCheck": .reply(201, #"{"status":"COMPLETED","no_sim_change":true,"no_sim_change_period":120}"#),
  ]
  static let subscriber = Subscriber(modem: "m", home: PLMN("23410"))

  static func settings(_ change: (inout TruIDSettings) -> Void = { _ in }) -> TruIDSettings {
    var settings = TruIDSettings()
    settings.credentials = TruIDOtherTests.credentials
    change(&settings)
    return settings
  }

  static func flow(_ settings: TruIDSettings, _ lanes: Lanes, at time: Timestamp = TruIDStage.start) -> TruIDFlow {
    TruIDFlow(settings, of: subscriber, lanes.run(at: time), random: { Array(repeating: 0xab, count: 16) })
  }

  @Test("A token is asked for once for each scope, and again after a refusal")
  func tokens() async throws {
    let (settings, lanes) = (Self.settings(), Lanes(Self.api))
    for _ in 1...2 {
      let end = try await Self.flow(settings, lanes).check(.phoneCheck, of: TruIDStage.number)
      #expect(end.outcome.result == .verified && end.answer?.checkID == "c-1")
    }
    #expect(try await Self.flow(settings, lanes).simCheck(of: TruIDStage.number).outcome.result == .simUnchanged)
    let round = ["createCheck", "openCheckURL", "readResult"]
    #expect(lanes.asked.withLock { $0 } == ["accessToken"] + round + round + ["accessToken", "simCheck"])
    let refusing = Lanes(["createCheck": .reply(401, ""), "accessToken": Self.token])
    for _ in 1...2 {
      #expect(
        try await Self.flow(settings, refusing).check(.phoneCheck, of: TruIDStage.number).outcome.result
          == .clientRefused)
    }
    #expect(refusing.asked.withLock { $0 } == ["createCheck", "accessToken", "createCheck"])
  }

  @Test("The bearer's public address is told, and the chain keeps to the family that it was learnt by")
  func address() async throws {
    let lanes = Lanes(Self.api)
    let settings = Self.settings {
      $0.sendsAddress = true
      $0.sendsSDKHeaders = true
      $0.isSandbox = true
    }
    #expect(try await Self.flow(settings, lanes).check(.phoneCheck, of: TruIDStage.number).outcome.result == .verified)
    #expect(
      lanes.asked.withLock { $0 } == [
        "accessToken", "accessToken", "deviceCoverage", "createCheck", "openCheckURL", "readResult",
      ])
    let create = try #require(lanes.sent.withLock { $0.first { $0.step == "createCheck" } })
    #expect(TruIDCallTests.members(create)?["phone_ip"]?.string == "198.51.100.7")
    let check = try #require(lanes.opened.withLock { $0.last })
    #expect(check.request.policy.family == .ipv6)
    #expect(
      check.request.headers.map { "\($0.name): \($0.value)" } == [
        "x-tru-sdk-request: abababab-abab-4bab-abab-abababababab", "x-tru-ops: 23410", "x-tru-mode: sandbox",
      ])
    #expect(!check.request.headers.contains { $0.name == "Authorization" })
  }

  @Test("An address that is not covered ends the check before it is paid for")
  func early() async throws {
    var answers = Self.api
    answers["deviceCoverage"] = .end(412, TruIDStage.problem("not_mobile_ip"))
    let lanes = Lanes(answers)
    let outcome = try await Self.flow(Self.settings { $0.sendsAddress = true }, lanes)
      .check(.phoneCheck, of: TruIDStage.number).outcome
    #expect(outcome.result == .notMobileIP && !lanes.asked.withLock { $0.contains("createCheck") })
  }

  @Test("A backend's coverage token goes to the provider alone", arguments: [true, false])
  func coverageToken(isOwn: Bool) async throws {
    let url = isOwn ? "https://eu.api.tru.id/coverage/v0.1/device_ip" : "https://collector.example/device_ip"
    let lanes = Lanes([
      "coverageToken": .reply(200, #"{"token":"token-2","url":"\#(url)"}"#), "deviceCoverage": Self.coverage,
    ])
    var settings = TruIDSettings()
    settings.backend = TruIDBackend(try Endpoint("https://app.example"))
    let outcome = try await Self.flow(settings, lanes).deviceCoverage(.phoneCheck).outcome
    #expect(outcome.result == (isOwn ? .covered : .notConfigured))
    let headers = lanes.opened.withLock { $0.flatMap(\.request.headers) }
    #expect(TruIDCallTests.header("Authorization", headers) == (isOwn ? "Bearer token-2" : nil))
  }

  @Test("The old coverage call needs no token")
  func publicCoverage() async throws {
    let lanes = Lanes(["deviceCoverage": Self.coverage])
    var settings = TruIDSettings()
    settings.usesPublicCoverage = true
    #expect(try await Self.flow(settings, lanes).deviceCoverage().outcome.result == .covered)
    let call = try #require(lanes.opened.withLock { $0.first })
    #expect(call.request.url.path == "/public/coverage/v0.1/device_ip")
    #expect(TruIDCallTests.header("Authorization", call.request.headers) == nil)
  }

  @Test("Without what a call needs, the outcome says what to add")
  func nothingConfigured() async throws {
    let flow = Self.flow(TruIDSettings(), Lanes([:]))
    let number = TruIDStage.number
    let outcomes = [
      try await flow.check(.phoneCheck, of: number).outcome, try await flow.simCheck(of: number).outcome,
      try await flow.deviceCoverage().outcome, try await flow.traces(of: "c", nil).outcome,
      try await flow.coverage(of: .country("GB")).outcome,
    ]
    for outcome in outcomes { #expect(outcome.result == .notConfigured && outcome.text.contains("add it")) }
    #expect(TruIDSettings().numberVerifier(named: "t") == nil && TruIDSettings().simChangeChecker(named: "t") == nil)
  }

  @Test("As one verifier among others: coverage first, or nothing where it cannot be asked")
  func verifier() async throws {
    let lanes = Lanes(Self.api)
    let verifier = try #require(Self.settings().numberVerifier(named: "t"))
    #expect(verifier.kind == "truID" && verifier.name == "t")
    #expect(try await verifier.coverage(of: Self.subscriber, for: TruIDStage.number, lanes.run())?.result == .covered)
    let answer = try await verifier.verify(TruIDStage.number, of: Self.subscriber, isCovered: true, lanes.run())
    #expect(answer.outcome.result == .verified)
    var settings = TruIDSettings()
    settings.backend = TruIDBackend(try Endpoint("https://app.example"))
    let without = try #require(settings.numberVerifier(named: "t"))
    let silent = Lanes(["coverageToken": .reply(404, "Cannot GET")])
    #expect(try await without.coverage(of: Self.subscriber, for: TruIDStage.number, silent.run()) == nil)
  }

  @Test("As one checker of SIM changes among others, with the token that it needs")
  func checker() async throws {
    let settings = Self.settings()
    let checker = try #require(settings.simChangeChecker(named: "t"))
    let lanes = Lanes(Self.api)
    let ask = { (question: SIMChangeQuestion) in
      try await lanes.run()(SIMChangeMachine(try await checker.machine(for: question, at: TruIDStage.start)))
    }
    let question = SIMChangeQuestion(
      number: TruIDStage.number, maximumAge: .seconds(7201), subscriber: Self.subscriber)
    for _ in 1...2 {
      let end = try await ask(question)
      #expect(end.outcome.result == .simUnchanged && end.answer?.period == .seconds(7200))
    }
    #expect(lanes.asked.withLock { $0 } == ["accessToken", "simCheck", "simCheck"])
    let call = try #require(lanes.sent.withLock { $0.last })
    #expect(TruIDCallTests.members(call)?["period"]?.integer == 121)
    await #expect(throws: AuthError.self) {
      try await ask(SIMChangeQuestion(number: nil, subscriber: Self.subscriber))
    }
    await #expect(throws: AuthError.self) {
      try await ask(
        SIMChangeQuestion(
          number: TruIDStage.number, maximumAge: .seconds(400 * 86_400), subscriber: Self.subscriber))
    }
  }
}
