import AuthCore
import AuthFlows
import JSONTree
import ModemModel
@_spi(Exchange) import RedirectChain
import Synchronization
import Testing
@_spi(Exchange) import Web

@Suite("Verify with whichever provider serves the SIM")
struct VerifyFlowTests {
  /// A provider whose answers are given.
  struct Given: ProviderConfiguration, NumberVerifier {
    static let kind = "given"
    var name = ""
    var kind: String { Self.kind }
    var configuredURLs: [WebURL] { [] }
    var covers: FlowResult?
    var answer: FlowResult
    var asked: Log

    func numberVerifier(named name: String) -> (any NumberVerifier)? {
      var given = self
      given.name = name
      return given
    }

    func coverage(
      of subscriber: Subscriber, for number: SubscriberNumber?, _ run: FlowRun
    ) async throws -> FlowOutcome? {
      asked.add("\(name) coverage")
      return covers.map { FlowOutcome($0, "coverage") }
    }

    func verify(
      _ number: SubscriberNumber, of subscriber: Subscriber, isCovered: Bool, _ run: FlowRun
    ) async throws -> FlowEnd<JSONValue> {
      asked.add("\(name) verify\(isCovered ? " covered" : "")")
      return FlowEnd(FlowOutcome(answer, "verify"))
    }
  }

  final class Log: Sendable {
    private let entries = Mutex<[String]>([])
    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let description: String
    /// Coverage, answer and networks of each provider, named a, b, …
    let providers: [(FlowResult?, FlowResult, Set<String>?)]
    var home = "26201"
    var named: String?
    let asked: [String]
    let result: FlowResult
    let by: String
    var testDescription: String { description }
  }

  static let cases: [Case] = [
    Case(
      description: "an only provider is not asked for its coverage", providers: [(.covered, .verified, nil)],
      asked: ["a verify"], result: .verified, by: "a"),
    Case(
      description: "of several, the first that covers answers",
      providers: [(.operatorUnsupported, .verified, nil), (.covered, .notVerified, nil), (.covered, .verified, nil)],
      asked: ["a coverage", "b coverage", "b verify covered"], result: .notVerified, by: "b"),
    Case(
      description: "one that cannot be asked for its coverage is tried",
      providers: [(nil, .operatorUnsupported, nil), (nil, .verified, nil)],
      asked: ["a coverage", "a verify", "b coverage", "b verify"], result: .verified, by: "b"),
    Case(
      description: "a provider for the SIM's network comes before one for all",
      providers: [(.covered, .verified, nil), (.covered, .notVerified, ["262"])],
      asked: ["b coverage", "b verify covered"], result: .notVerified, by: "b"),
    Case(
      description: "a provider for another network is left out",
      providers: [(.covered, .verified, ["234"]), (.covered, .notVerified, nil)], asked: ["b verify"],
      result: .notVerified, by: "b"),
    Case(
      description: "a way that failed is the result, and no other provider is asked",
      providers: [(.covered, .noDataPath, nil), (.covered, .verified, nil)], asked: ["a coverage", "a verify covered"],
      result: .noDataPath, by: "a"),
    Case(
      description: "not on a mobile network is the same for all",
      providers: [(.notMobileIP, .verified, nil), (.covered, .verified, nil)], asked: ["a coverage"],
      result: .notMobileIP, by: "a"),
    Case(
      description: "when nobody serves the SIM, the last one's word is the result",
      providers: [(.operatorUnsupported, .verified, nil), (.covered, .subscriberUnknown, nil)],
      asked: ["a coverage", "b coverage", "b verify covered"], result: .subscriberUnknown, by: "b"),
    Case(
      description: "another operator's number is for the next provider to judge",
      providers: [(.covered, .operatorMismatch, nil), (.covered, .verified, nil)],
      asked: ["a coverage", "a verify covered", "b coverage", "b verify covered"], result: .verified, by: "b"),
    Case(
      description: "another operator's number is not the SIM's if nobody knows better",
      providers: [(.operatorMismatch, .verified, nil), (.operatorUnsupported, .verified, nil)],
      asked: ["a coverage", "b coverage"], result: .notVerified, by: "a"),
    Case(
      description: "an only provider's mismatch is a no as well",
      providers: [(nil, .operatorMismatch, nil)], asked: ["a verify"], result: .notVerified, by: "a"),
    Case(
      description: "one that is named is asked alone, whatever network it is for",
      providers: [(.covered, .verified, ["234"]), (.covered, .notVerified, nil)], named: "a", asked: ["a verify"],
      result: .verified, by: "a"),
  ]

  @Test("Providers are asked in order until one can tell", arguments: cases)
  func order(_ example: Case) async throws {
    let log = Log()
    var providers = ProviderSet()
    for (name, (covers, answer, networks)) in zip(["a", "b", "c"], example.providers) {
      providers.add(
        NamedProvider(
          name: name, networks: networks, settings: Given(covers: covers, answer: answer, asked: log)))
    }
    let lanes = FlowLanes(
      open: { _, _ in BearerReply(.failed(ChainFailure(.cancelled, ""))) }, send: { _ in .success(.init(status: 200)) })
    let run = FlowRun(FlowDriver(lanes, now: { Timestamp(milliseconds: 0) })) { _ in }
    let home = PLMN(example.home)
    let end = try await VerifyFlow(try providers.numberVerifiers(named: example.named, for: home), by: .any).verify(
      try SubscriberNumber("+447700900123"), of: Subscriber(modem: "m", home: home), run)
    #expect(log.all == example.asked)
    #expect(end.outcome.result == example.result)
    // What a provider said of its coverage or its answer, in its own words.
    if example.providers.contains(where: { $0.0 == .operatorMismatch || $0.1 == .operatorMismatch }) {
      #expect(end.outcome.number == (example.result == .notVerified ? .differs : nil))
    }
    #expect(end.answer?.name == example.by && end.answer?.kind == "given")
  }

  @Test("Without a provider the error says where to put one")
  func none() async throws {
    let error = #expect(throws: AuthError.self) { try ProviderSet().numberVerifiers(named: nil, for: nil) }
    #expect(error?.message.contains("/etc/modemd/providers") == true)
  }
}
