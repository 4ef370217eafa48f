// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import ModemModel
import RedirectChain
import Synchronization
import Testing
import Web

@testable import TS43Flows

@Suite("A flow with an entitlement server")
struct ProviderTests {
  private static let found = Reaction.document(Document.parm(["OperationResult": "1", "MSISDN": "+447700900123"]))
  private static let login: [String: [Reaction]] = [
    "login": [.relay(cookie: "session=a")], "answerChallenge": [.answered(.response)],
    "sendAnswer": [.xml(Document.afterLogin)],
  ]

  private static func server(_ more: [String: [Reaction]]) -> TS43Server {
    TS43Server(login.merging(more) { _, new in new })
  }

  private static var key: EntitlementTokenKey { TS43Stage.context().key! }

  private static func kept(_ text: String, ends: Duration? = .seconds(3600)) -> EntitlementToken {
    EntitlementToken(
      Secret(text), expires: ends.map { TS43Stage.start.later(by: $0) }, version: "10.0", method: .get,
      groupIdentifier: [7])
  }

  @Test("With EAP: three requests to the server, and the SIM once; the newest token is kept")
  func first() async throws {
    let server = Self.server(["getPhoneNumber": [Self.found]])
    let end = try await server.run(.phoneNumber)
    #expect(end.outcome.result == .numberRead)
    #expect(end.answer?.number == TS43Stage.number)
    #expect(server.sent.map(\.step) == ["login", "sendAnswer", "getPhoneNumber"])
    #expect(server.asked.map(\.step) == ["beginLogin", "answerChallenge"])
    #expect(server.opened == 0)
    #expect(try await server.store.token(for: Self.key)?.token == Secret("token-2"))
    #expect(server.sent[2].headers.contains(WebHeader(name: "Cookie", value: "session=a")))
  }

  @Test("With a token: one request, and the SIM is not asked")
  func again() async throws {
    let server = TS43Server(["getPhoneNumber": [Self.found]])
    try await server.store.keep(Self.kept("token-0"), for: Self.key)
    let end = try await server.run(.phoneNumber)
    #expect(end.outcome.result == .numberRead)
    #expect(server.sent.map(\.step) == ["getPhoneNumber"])
    #expect(server.asked.isEmpty)
    #expect(server.sent[0].url.query?.contains("token=token-0&") == true)
    // What the login learnt of the server is used, and goes on with the new token.
    #expect(server.sent[0].url.query?.contains("entitlement_version=10.0") == true)
    let next = try await server.store.token(for: Self.key)
    #expect(next?.token == Secret("token-2"))
    #expect(next?.version == "10.0")
    #expect(next?.groupIdentifier == [7])
  }

  @Test("A version that is no longer configured is not offered, though the token was got with it")
  func versionChanged() async throws {
    let server = TS43Server(["getPhoneNumber": [Self.found]])
    try await server.store.keep(Self.kept("token-0"), for: Self.key)
    _ = try await server.run(.phoneNumber) { $0.versions = ["8.0", "2.0"] }
    #expect(server.sent[0].url.query?.contains("entitlement_version=8.0") == true)
    #expect(try await server.store.token(for: Self.key)?.version == "8.0")
  }

  @Test("A token that the server refuses is forgotten, and the SIM logs in once")
  func refused() async throws {
    let server = Self.server(["getPhoneNumber": [.text(511), Self.found]])
    try await server.store.keep(Self.kept("token-0"), for: Self.key)
    let end = try await server.run(.phoneNumber)
    #expect(end.outcome.result == .numberRead)
    #expect(server.sent.map(\.step) == ["getPhoneNumber", "login", "sendAnswer", "getPhoneNumber"])
    #expect(server.asked.count == 2)
  }

  @Test("A server that refuses its own new token is asked no third time")
  func refusedAgain() async throws {
    let server = Self.server(["getPhoneNumber": [.text(511), .text(511)]])
    try await server.store.keep(Self.kept("token-0"), for: Self.key)
    let end = try await server.run(.phoneNumber)
    #expect(end.outcome.result == .operatorUnsupported)
    #expect(end.outcome.status == 511)
    #expect(server.asked.count == 2)
    #expect(try await server.store.token(for: Self.key) == nil)
  }

  @Test("A token that ended, or is about to, is not tried", arguments: [-1, 0, 29])
  func ended(_ seconds: Int) async throws {
    let server = Self.server(["getPhoneNumber": [Self.found]])
    try await server.store.keep(Self.kept("token-0", ends: .seconds(seconds)), for: Self.key)
    #expect(try await server.run(.phoneNumber).outcome.result == .numberRead)
    #expect(server.sent.count == 3)
  }

  @Test("A token without an end is tried")
  func endless() async throws {
    let server = TS43Server(["getPhoneNumber": [Self.found]])
    try await server.store.keep(Self.kept("token-0", ends: nil), for: Self.key)
    #expect(try await server.run(.phoneNumber).outcome.result == .numberRead)
  }

  static let others: [@Sendable (inout Subscriber, inout TS43Settings) -> Void] = [
    { subscriber, _ in subscriber.iccid = ICCID("8944100000000000064") },
    { subscriber, _ in subscriber.imsi = IMSI("001010123456064") },
    { subscriber, _ in subscriber.imei = IMEI("350077523237999") },
    { _, settings in settings.appName = "other" },
    { _, settings in settings.appVersion = "2" },
    { _, settings in settings.terminalID = .uuid("3f2504e0-4f89-41d3-9a0c-0305e82c3301") },
    { _, settings in settings.server = try! Endpoint("https://ecs.operator.example") },
  ]

  @Test("A token of another SIM, terminal, application or server is not used", arguments: others.indices)
  func foreign(_ index: Int) async throws {
    let server = Self.server(["getPhoneNumber": [Self.found]])
    try await server.store.keep(Self.kept("token-0"), for: Self.key)
    var (subscriber, settings) = (TS43Stage.subscriber, server.settings())
    Self.others[index](&subscriber, &settings)
    let end = try await TS43Provider(settings).run(.phoneNumber, of: subscriber, server.flowRun)
    #expect(end.outcome.result == .numberRead)
    #expect(server.sent.count == 3)
    #expect(server.sent.allSatisfy { $0.url.query?.contains("token-0") != true })
    #expect(try await server.store.token(for: Self.key)?.token == Secret("token-0"))
  }

  @Test("Without the SIM's serial number, nothing is kept")
  func unbound() async throws {
    var subscriber = TS43Stage.subscriber
    subscriber.iccid = nil
    let server = Self.server(["getPhoneNumber": [Self.found]])
    #expect(try await server.run(.phoneNumber, of: subscriber).outcome.result == .numberRead)
    #expect(try await server.store.token(for: Self.key) == nil)
  }

  @Test("An answer without a token keeps the old one; a refusal's is kept as well")
  func rotation() async throws {
    let server = TS43Server([
      "getPhoneNumber": [.document(Document.parm(["MSISDN": "+447700900123"]), token: nil)],
      "verifyPhoneNumber": [.document(Document.parm(["OperationResult": "100"]), token: "token-3")],
    ])
    try await server.store.keep(Self.kept("token-0"), for: Self.key)
    _ = try await server.run(.phoneNumber)
    #expect(try await server.store.token(for: Self.key)?.token == Secret("token-0"))
    _ = try await server.run(.verify(TS43Stage.number))
    #expect(try await server.store.token(for: Self.key)?.token == Secret("token-3"))
  }

  @Test("A login's token is kept although the operation fails")
  func keptBefore() async throws {
    let server = Self.server(["getPhoneNumber": [.failure(.connect)]])
    #expect(try await server.run(.phoneNumber).outcome.result == .providerUnavailable)
    #expect(try await server.store.token(for: Self.key)?.token == Secret("token-1"))
  }

  /// A store that another flow uses at the same time, or that fails.
  private final class OtherStore: EntitlementTokenStore {
    private let answers: Mutex<[Result<EntitlementToken?, AuthError>]>
    let forgotten = Mutex<[Secret]>([])
    let keptTokens = Mutex<[Secret]>([])

    init(_ answers: [Result<EntitlementToken?, AuthError>]) { self.answers = Mutex(answers) }

    func token(for key: EntitlementTokenKey) async throws(AuthError) -> EntitlementToken? {
      let answer = answers.withLock { $0.isEmpty ? .success(nil) : $0.removeFirst() }
      return try answer.get()
    }
    func keep(_ token: EntitlementToken, for key: EntitlementTokenKey) async throws(AuthError) {
      keptTokens.withLock { $0.append(token.token) }
      throw AuthError(.storeFailed, "the disk is full")
    }
    func forget(_ token: Secret, for key: EntitlementTokenKey) async throws(AuthError) {
      forgotten.withLock { $0.append(token) }
      throw AuthError(.storeFailed, "the disk is full")
    }
  }

  @Test("Another flow's newer token is tried before the SIM is asked")
  func newer() async throws {
    let store = OtherStore([.success(Self.kept("token-0")), .success(Self.kept("token-9"))])
    let server = TS43Server(["getPhoneNumber": [.text(511), Self.found]])
    #expect(try await server.run(.phoneNumber) { $0.store = store }.outcome.result == .numberRead)
    #expect(server.asked.isEmpty)
    #expect(server.sent[1].url.query?.contains("token=token-9&") == true)
    #expect(store.forgotten.withLock { $0 } == [Secret("token-0")])
  }

  @Test("Newer tokens without an end do not keep the flow")
  func newerAgain() async throws {
    let store = OtherStore((0..<9).map { .success(Self.kept("token-\($0)")) })
    let server = Self.server(["getPhoneNumber": [.text(511), .text(511), Self.found]])
    #expect(try await server.run(.phoneNumber) { $0.store = store }.outcome.result == .numberRead)
    #expect(server.sent.count == 5)
  }

  @Test("A store that fails is as good as empty")
  func failingStore() async throws {
    let store = OtherStore([.failure(AuthError(.storeFailed, "the disk is gone"))])
    let server = Self.server(["getPhoneNumber": [Self.found]])
    #expect(try await server.run(.phoneNumber) { $0.store = store }.outcome.result == .numberRead)
    #expect(store.keptTokens.withLock { $0 } == [Secret("token-1"), Secret("token-2")])
  }

  @Test("A token kept in memory gives way to no stale refusal, and there are at most 64")
  func memory() async throws {
    let store = TransientTokenStore()
    try await store.keep(Self.kept("new"), for: Self.key)
    try await store.forget(Secret("old"), for: Self.key)
    #expect(try await store.token(for: Self.key)?.token == Secret("new"))
    try await store.forget(Secret("new"), for: Self.key)
    #expect(try await store.token(for: Self.key) == nil)
    var key = Self.key
    for number in 0..<200 {
      key.host = "host\(number)"
      try await store.keep(Self.kept("t"), for: key)
    }
    var count = 0
    for number in 0..<200 {
      key.host = "host\(number)"
      if try await store.token(for: key) != nil { count += 1 }
    }
    #expect(count == TransientTokenStore.limit)
  }

  @Test("A SIM without an identity ends the flow before a server is asked")
  func missing() async throws {
    var subscriber = TS43Stage.subscriber
    subscriber.imsi = nil
    let server = TS43Server([:])
    #expect(try await server.run(.phoneNumber, of: subscriber).outcome.code == "simNotReady")
    #expect(server.sent.isEmpty && server.asked.count == 1)
  }

  @Test(
    "The port says why a SIM without an identity cannot log in",
    arguments: [SIMFailure.Kind.simAbsent, .simLocked])
  func state(kind: SIMFailure.Kind) {
    var machine = SIMStateMachine(TS43Stage.settings())
    guard case .askSIM(let question) = machine.start(at: Timestamp(milliseconds: 0)), case .begin = question.ask else {
      Issue.record("the SIM's side is not asked")
      return
    }
    let failure = SIMFailure(kind, "the port's reason")
    guard case .finish(let outcome, nil) = machine.receive(.simFailed(failure), at: Timestamp(milliseconds: 0)) else {
      Issue.record("the flow goes on")
      return
    }
    #expect(outcome.result == .noSIMAnswer && outcome.code == kind.rawValue && outcome.text == "the port's reason")
  }

  @Test("As a verifier: a verdict with its proof, without the bearer, and never the number")
  func verifier() async throws {
    for (word, result) in [("1", FlowResult.verified), ("0", .notVerified)] {
      let server = Self.server([
        "verifyPhoneNumber": [
          .document(Document.parm(["OperationResult": "1", "PhoneNumberVerification": word]))
        ]
      ])
      let verifier = try #require(server.settings().numberVerifier(named: "operator"))
      #expect(verifier.proof == .sim)
      #expect(verifier.kind == "ts43")
      let run = server.flowRun
      #expect(try await verifier.coverage(of: TS43Stage.subscriber, for: TS43Stage.number, run) == nil)
      let end = try await verifier.verify(TS43Stage.number, of: TS43Stage.subscriber, isCovered: false, run)
      #expect(end.outcome.result == result)
      #expect(end.outcome.proof == .sim)
      #expect(end.answer == nil)
      #expect(server.opened == 0)
    }
  }

  @Test("As a source of operator tokens")
  func source() async throws {
    let targets: [(OperatorTokenOperation, String)] = [
      (.phoneNumber, "GetPhoneNumber"), (.verify, "VerifyPhoneNumber"),
    ]
    for (operation, word) in targets {
      let server = Self.server([
        "acquireTemporaryToken": [
          .document(Document.parm(["TemporaryToken": "temporary-1", "TemporaryTokenExpiry": "2026-09-21T14:18:20Z"]))
        ]
      ])
      let source = try #require(server.settings().operatorTokenSource(named: "operator"))
      let end = try await source.operatorToken(for: operation, of: TS43Stage.subscriber, server.flowRun)
      #expect(end.outcome.result == .authorized)
      #expect(end.answer == OperatorToken(Secret("temporary-1"), end: Timestamp(rfc3339: "2026-09-21T14:18:20Z")))
      #expect(server.sent.last?.url.query?.hasSuffix("operation_targets=\(word)") == true)
    }
  }

  @Test("What the kind can do")
  func abilities() {
    var set = ProviderSet()
    set.add(NamedProvider(name: "operator", settings: TS43Stage.settings()))
    #expect(set.descriptions().map(\.abilities) == [[.verifyNumber, .readNumber]])
    #expect(set.descriptions().map(\.kind) == ["ts43"])
  }
}
