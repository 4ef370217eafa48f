import AuthCore
import ClockTestSupport
import LimitClock
import ModemModel
import Synchronization
import Testing

@testable import ModemService

/// A port whose logins answer what a test says.
private final class ScriptedLogins: ModemLink, Sendable {
  let name = "scripted"
  let messages: (any MessageLink)? = nil
  private let state = Mutex<(event: EAPReply.Event, error: (any Error)?, calls: Int)>((.response, nil, 0))

  var calls: Int { state.withLock { $0.calls } }
  func answer(_ event: EAPReply.Event) { state.withLock { $0.event = event } }
  func fail(_ error: (any Error)?) { state.withLock { $0.error = error } }

  func connect(_ request: BearerRequest) async throws -> BearerStatus { throw CancellationError() }
  func disconnect() async throws -> BearerStatus { throw CancellationError() }
  func verifyBearer() async throws -> BearerStatus { throw CancellationError() }
  func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState { throw CancellationError() }

  func beginEAP(_ request: EAPLoginRequest) async throws -> EAPLogin {
    if let error = state.withLock({ $0.error }) { throw error }
    return EAPLogin(id: "1", identity: EAPIdentity("0001010123456063@example.com"), groupIdentifier: [0xAB])
  }

  func answerEAP(_ packet: [UInt8], of login: String) async throws -> EAPReply {
    let (event, error) = state.withLock { state in
      state.calls += 1
      return (state.event, state.error)
    }
    if let error { throw error }
    return EAPReply(event, packet: packet)
  }
}

/// The way of flows to the SIM, and what each user gets of it.
@Suite struct `The lane to the SIM` {
  private static let begin = SIMQuestion("beginLogin", .begin(EAPLoginRequest(.aka)))
  private static let answer = SIMQuestion("answerChallenge", .answer(packet: [1], login: "1"))

  private let link = ScriptedLogins()
  private let registry = ModemRegistry()
  private let time = Mutexed(Duration.zero)
  private let lane: SIMLane

  init() {
    let time = time
    lane = SIMLane(clock: LimitClock(now: { .init(time.value) }, sleep: { _ in }))
    registry.update(
      ModemState(
        id: "modem-1", device: "/dev/cdc-wdm0", kind: .mbim, bearer: BearerStatus(since: Timestamp(milliseconds: 0))),
      from: link)
  }

  private func ask(_ question: SIMQuestion, as user: UInt32 = 1000) async throws -> Result<SIMReply, SIMFailure> {
    try await lane.ask(question, on: nil, of: registry, for: Caller(userID: user))
  }

  @Test func `questions and replies pass`() async throws {
    let login = EAPLogin(id: "1", identity: EAPIdentity("0001010123456063@example.com"), groupIdentifier: [0xAB])
    #expect(try await ask(Self.begin) == .success(.began(login)))
    #expect(try await ask(Self.answer) == .success(.answered(EAPReply(.response, packet: [1]))))
  }

  @Test func `one user gets four of a port's six in a minute, and another user still gets some`() async throws {
    for _ in 0..<4 { #expect(try await ask(Self.answer).isSuccess) }
    #expect(try await ask(Self.answer).refusal == SIMFailure(.tooMany, retryAfter: 60, Self.text(60)))
    #expect(try await ask(Self.begin).refusal?.kind == .tooMany)
    #expect(link.calls == 4)
    #expect(try await ask(Self.answer, as: 1001).isSuccess)
    time.change { $0 = .seconds(59) }
    #expect(try await ask(Self.begin).refusal?.retryAfter == 1)
    time.change { $0 = .seconds(60) }
    #expect(try await ask(Self.begin).isSuccess)
  }

  private static func text(_ seconds: Int) -> String {
    "you had the SIM asked as often as one user may; it may be asked for you again in \(seconds) s"
  }

  @Test func `one user gets 75 in a day`() async throws {
    for number in 0..<75 {
      time.change { $0 = .seconds(number * 20) }
      #expect(try await ask(Self.answer).isSuccess)
    }
    time.change { $0 = .seconds(80_000) }
    #expect(try await ask(Self.answer).refusal?.retryAfter == 6400)
    time.change { $0 = .seconds(86_400) }
    #expect(try await ask(Self.answer).isSuccess)
  }

  @Test func `root has no share`() async throws {
    for _ in 0..<100 { #expect(try await ask(Self.answer, as: 0).isSuccess) }
  }

  @Test(arguments: [EAPReply.Event.identity, .reauthentication, .notification, .success, .failure])
  func `a packet that asked nothing of the SIM costs nothing`(event: EAPReply.Event) async throws {
    link.answer(event)
    for _ in 0..<20 { #expect(try await ask(Self.answer).isSuccess) }
  }

  @Test func `a call that failed counts`() async throws {
    link.fail(ModemError(.timeout, "no answer"))
    for _ in 0..<4 { #expect(try await ask(Self.answer).refusal?.kind == .modemFailed) }
    #expect(try await ask(Self.answer).refusal?.kind == .tooMany)
    #expect(link.calls == 4)
  }

  @Test(arguments: [
    (ModemError(.simAbsent, "a"), SIMFailure.Kind.simAbsent), (ModemError(.simLocked, "b"), .simLocked),
    (ModemError(.simNotReady, "c"), .simNotReady), (ModemError(.notSupported, "d"), .notSupported),
    (ModemError(.timeout, "e"), .modemFailed), (ModemError(.badReply, "f"), .modemFailed),
    (ModemError(.failed, "g"), .modemFailed), (ModemError(.notRegistered, "h"), .modemFailed),
  ]) func `a modem's error has the kind of its code`(error: ModemError, kind: SIMFailure.Kind) async throws {
    link.fail(error)
    #expect(try await ask(Self.begin).refusal == SIMFailure(kind, error.message))
  }

  @Test func `faults of a login are told apart`() async throws {
    link.fail(EAPFault.notSupported("no way"))
    #expect(try await ask(Self.begin).refusal == SIMFailure(.notSupported, "no way"))
    link.fail(EAPFault.tooMany(limit: 6, retryAfter: .milliseconds(1001)))
    let many = try await ask(Self.begin).refusal
    #expect(many?.kind == .tooMany && many?.retryAfter == 2 && many?.outcome.result == .rateLimited)
    link.fail(EAPFault.tooMany(limit: 6, retryAfter: .seconds(Int64.max)))
    #expect(try await ask(Self.begin).refusal?.retryAfter ?? 0 > 0)
    link.fail(EAPFault.unknownLogin)
    let over = try await ask(Self.begin).refusal
    #expect(over?.kind == .modemFailed && over?.outcome.result == .noSIMAnswer)
    link.fail(ServiceError(.portUnavailable, "it does not run"))
    #expect(try await ask(Self.begin).refusal == SIMFailure(.modemFailed, "it does not run"))
  }

  @Test func `without a modem there is an answer too`() async throws {
    let reply = try await lane.ask(Self.begin, on: "no-such", of: registry, for: Caller(userID: 1000))
    #expect(reply.refusal?.kind == .modemFailed)
  }

  @Test func `a caller who leaves gets no answer`() async throws {
    let (lane, registry) = (lane, registry)
    link.fail(ModemError(.cancelled, "the caller left"))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await lane.ask(Self.begin, on: nil, of: registry, for: Caller(userID: 1000))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

extension Result where Success == SIMReply, Failure == SIMFailure {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
  fileprivate var refusal: SIMFailure? { if case .failure(let failure) = self { failure } else { nil } }
}
