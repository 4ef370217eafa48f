import AuthCore
import AuthFlows
import JSONTree
import ModemModel
@_spi(Exchange) import RedirectChain
import Testing
@_spi(Exchange) import Web

@Suite("Verify by the bearer, by the SIM's answer, or both")
struct VerifyRouteTests {
  /// A provider whose answer is given. One that needs the bearer runs a machine over it.
  struct Given: ProviderConfiguration, NumberVerifier {
    static let kind = "given"
    var name = ""
    var kind: String { Self.kind }
    var configuredURLs: [WebURL] { [] }
    var proof = NumberProof.bearer
    let outcome: FlowOutcome
    let asked: VerifyFlowTests.Log

    func numberVerifier(named name: String) -> (any NumberVerifier)? {
      var given = self
      given.name = name
      return given
    }

    func coverage(
      of subscriber: Subscriber, for number: SubscriberNumber?, _ run: FlowRun
    ) async throws -> FlowOutcome? { nil }

    func verify(
      _ number: SubscriberNumber, of subscriber: Subscriber, isCovered: Bool, _ run: FlowRun
    ) async throws -> FlowEnd<JSONValue> {
      asked.add(name)
      guard proof == .bearer else { return FlowEnd(outcome) }
      return try await run(Machine(outcome: outcome))
    }
  }

  /// Ends at once; the bearer comes up before.
  struct Machine: FlowMachine {
    let outcome: FlowOutcome
    func start(at now: Timestamp) -> FlowAction<JSONValue> { .finish(outcome, nil) }
    func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<JSONValue> { .unexpected(event) }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let description: String
    /// How each proves a number, and its outcome; named a, b, …
    let providers: [(NumberProof, FlowOutcome)]
    var route = VerifyRoute.any
    /// What is known against the bearer before.
    var obstacle: ChainFailure.Cause?
    /// Why it does not come up.
    var failure: ChainFailure.Cause?
    let asked: [String]
    /// How often the bearer was brought up, or tried to.
    let bearers: Int
    let result: FlowResult
    let by: String
    var proof: NumberProof?
    var testDescription: String { description }
  }

  private static let yes = FlowOutcome.check(matches: true)
  private static let no = FlowOutcome.check(matches: false)
  private static let unserved = FlowOutcome(.operatorUnsupported, "not served")
  private static let mute = FlowOutcome(.noSIMAnswer, code: "notSupported", "the modem asks no SIM")

  static let cases: [Case] = [
    Case(
      description: "the bearer's first, and its proof", providers: [(.sim, yes), (.bearer, yes)], asked: ["b"],
      bearers: 1, result: .verified, by: "b", proof: .bearer),
    Case(
      description: "a no is proved as well", providers: [(.sim, no)], asked: ["a"], bearers: 0, result: .notVerified,
      by: "a", proof: .sim),
    Case(
      description: "network: the bearer is not touched", providers: [(.bearer, yes), (.sim, yes)], route: .network,
      asked: ["b"], bearers: 0, result: .verified, by: "b", proof: .sim),
    Case(
      description: "network: not even where the SIM does not answer", providers: [(.bearer, yes), (.sim, mute)],
      route: .network, asked: ["b"], bearers: 0, result: .noSIMAnswer, by: "b"),
    Case(
      description: "network: of two, the second where the first does not serve the SIM",
      providers: [(.sim, unserved), (.sim, yes), (.bearer, no)], route: .network, asked: ["a", "b"], bearers: 0,
      result: .verified, by: "b", proof: .sim),
    Case(
      description: "bearer: the SIM is not asked", providers: [(.sim, yes), (.bearer, unserved)], route: .bearer,
      asked: ["b"], bearers: 1, result: .operatorUnsupported, by: "b"),
    Case(
      description: "without a bearer the SIM answers, and none is tried", providers: [(.bearer, yes), (.sim, yes)],
      obstacle: .notRegistered, failure: .notRegistered, asked: ["b"], bearers: 0, result: .verified, by: "b",
      proof: .sim),
    Case(
      description: "a bearer that does not come up leads to the SIM, and to no second that needs it",
      providers: [(.bearer, yes), (.bearer, yes), (.sim, yes)], failure: .bearerRefused, asked: ["a", "c"], bearers: 1,
      result: .verified, by: "c", proof: .sim),
    Case(
      description: "if the SIM cannot tell either, the bearer's trouble is the result",
      providers: [(.bearer, yes), (.sim, mute)], failure: .notRegistered, asked: ["a", "b"], bearers: 1,
      result: .noDataPath, by: "a"),
    Case(
      description: "a SIM that does not answer leads to the bearer, which may have come up",
      providers: [(.sim, mute), (.bearer, yes)], obstacle: .notRegistered, asked: ["a", "b"], bearers: 1,
      result: .verified, by: "b", proof: .bearer),
    Case(
      description: "without a SIM nobody else is asked", providers: [(.bearer, yes), (.sim, yes)], obstacle: .simLocked,
      failure: .simLocked, asked: ["a"], bearers: 1, result: .noDataPath, by: "a"),
    Case(
      description: "a failure of the SIM's way that may have cost something is the result",
      providers: [(.bearer, unserved), (.sim, FlowOutcome(.timeout, "late"))], asked: ["a", "b"], bearers: 1,
      result: .timeout, by: "b"),
    Case(
      description: "another operator's number is not the SIM's, and nothing proved that",
      providers: [(.sim, FlowOutcome(.operatorMismatch, "another's"))], asked: ["a"], bearers: 0, result: .notVerified,
      by: "a"),
  ]

  @Test("Each provider is asked at most once, and the bearer is brought up at most once", arguments: cases)
  func route(_ example: Case) async throws {
    let (log, bearers) = (VerifyFlowTests.Log(), VerifyFlowTests.Log())
    var providers = ProviderSet()
    for (name, (proof, outcome)) in zip(["a", "b", "c"], example.providers) {
      providers.add(NamedProvider(name: name, settings: Given(proof: proof, outcome: outcome, asked: log)))
    }
    var lanes = FlowLanes(
      open: { _, _ in BearerReply(.failed(ChainFailure(.cancelled, ""))) }, send: { _ in .success(.init(status: 200)) })
    lanes.prepare = {
      bearers.add("up")
      return example.failure.map { ChainFailure($0, "no bearer") }
    }
    lanes.bearerObstacle = { example.obstacle.map { ChainFailure($0, "known") } }
    let run = FlowRun(FlowDriver(lanes, now: { Timestamp(milliseconds: 0) })) { _ in }
    let flow = try VerifyFlow(
      try providers.numberVerifiers(named: nil, for: nil), by: example.route, without: run.bearerObstacle?.cause)
    let end = try await flow.verify(try SubscriberNumber("+447700900123"), of: Subscriber(modem: "m"), run)
    #expect(log.all == example.asked && bearers.all.count == example.bearers)
    #expect(end.outcome.result == example.result && end.answer?.name == example.by)
    #expect(end.outcome.proof == example.proof)
    if example.result == .noDataPath, example.asked.count > 1 {
      #expect(end.outcome.cause == example.failure)
      #expect(end.outcome.text.contains("no bearer") && end.outcome.text.contains("the modem asks no SIM"))
    }
  }

  @Test("If nobody can be asked by a route, the error names who is there and what they need")
  func nobody() throws {
    var providers = ProviderSet()
    let log = VerifyFlowTests.Log()
    providers.add(NamedProvider(name: "a", settings: Given(outcome: Self.yes, asked: log)))
    let found = try providers.numberVerifiers(named: nil, for: nil)
    let network = #expect(throws: AuthError.self) { try VerifyFlow(found, by: .network) }
    #expect(network?.code == .noProvider)
    #expect(
      network?.message.contains("without the SIM's bearer: a (given) needs the SIM's bearer") == true)
    var others = ProviderSet()
    others.add(NamedProvider(name: "s", settings: Given(proof: .sim, outcome: Self.yes, asked: log)))
    let candidates = try others.numberVerifiers(named: "s", for: nil)
    let bearer = #expect(throws: AuthError.self) { try VerifyFlow(candidates, by: .bearer) }
    #expect(bearer?.message.contains("s (given) asks the SIM, and not its bearer") == true)
    #expect(log.all.isEmpty)
  }
}
