// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import LimitClock
import ModemModel
@_spi(Exchange) import RedirectChain
import Synchronization
import Testing
@_spi(Exchange) import Web

@testable import AuthFlows

@Suite("What a flow begins ahead", .timeLimit(.minutes(1)))
struct WorkAheadTests {
  static let keys = BackendCall("readKeys", .get, try! WebURL("https://keys.example/jwks"), route: .host)
  static let url = try! WebURL("https://api.example/check")

  /// Opens a chain, foresees calls meanwhile, and then makes calls.
  struct Machine: FlowMachine {
    var foreseenCalls: [BackendCall] = []
    var destinations: [FlowForesight.Destination] = []
    var chain: ChainLead?
    var calls: [BackendCall]
    var statuses: [Int] = []
    static var usesBearer: Bool { false }

    var foreseen: FlowForesight {
      FlowForesight(calls: foreseenCalls, destinations: destinations, chain: chain)
    }

    mutating func start(at now: Timestamp) -> FlowAction<[Int]> {
      .open(BearerCall("open", ChainRequest(url: WorkAheadTests.url)))
    }

    mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<[Int]> {
      if case .answered(let reply) = event { statuses.append(reply.status) }
      if case .unanswered(let failure) = event { return .finish(failure.outcome, statuses) }
      guard !calls.isEmpty else { return .finish(FlowOutcome(.verified, "done"), statuses) }
      return .send(calls.removeFirst())
    }
  }

  /// What the lanes were asked for, in order, with waits for it.
  final class Log: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }
    func count(_ line: String) -> Int { all.count { $0 == line } }

    func note(_ line: String) { lines.withLock { $0.append(line) } }

    /// Waits until a line is there.
    func wait(for line: String) async throws {
      while !all.contains(line) {
        try Task.checkCancellation()
        await Task.yield()
      }
    }

    /// Waits for a minute, or until the task is cancelled, and notes that.
    func waitForCancellation(of what: String) async throws {
      do {
        try await LimitClock.machine.pause(for: .seconds(60))
      } catch {
        note("cancelled \(what)")
        throw error
      }
    }
  }

  /// Answers each call with another status, and notes it.
  ///
  /// - Parameter line: the chain does not end before it is in the log.
  static func lanes(_ log: Log, opensAfter line: String? = nil) -> FlowLanes {
    let next = Atomic(200)
    var lanes = FlowLanes(
      prepare: {
        log.note("prepare")
        return nil
      },
      open: { call, _ in
        log.note("open")
        if let line { try await log.wait(for: line) }
        let answer = ChainAnswer(status: 200, contentType: nil, body: [], from: AnswerSource(asked: call.request.url))
        return BearerReply(.answer(answer))
      },
      send: { call in
        log.note("send \(call.step)")
        return .success(BackendReply(status: next.wrappingAdd(1, ordering: .relaxed).oldValue))
      })
    lanes.warm = { kind, _ in log.note("warm \(kind.name)") }
    lanes.connect = { log.note("connect \($0.host)") }
    return lanes
  }

  static func run(
    _ lanes: FlowLanes, onStep: @escaping @Sendable (FlowStep) -> Void = { _ in }
  ) -> FlowRun {
    FlowRun(FlowDriver(lanes, now: { Timestamp(milliseconds: 0) })) { if case .step(let step) = $0 { onStep(step) } }
  }

  @Test("A call that is foreseen runs beside the chain, is sent once, and its step tells when it ran")
  func overlap() async throws {
    let log = Log()
    let steps = Mutex<[FlowStep]>([])
    let lanes = Self.lanes(log, opensAfter: "send readKeys")
    let run = Self.run(lanes) { step in steps.withLock { $0.append(step) } }
    let end = try await run(Machine(foreseenCalls: [Self.keys], calls: [Self.keys]))
    run.end()
    #expect(end.answer == [200] && log.count("send readKeys") == 1)
    let told = steps.withLock { $0 }
    #expect(told.map(\.index) == [1, 2] && told.map(\.name) == ["open", "readKeys"])
    #expect(told[1].begin < told[0].begin + told[0].time && told[1].begin >= 0 && told[1].time >= 0)
    #expect(told[1].status == 200)
  }

  @Test("An answer serves one call: the same call again is another request")
  func once() async throws {
    let log = Log()
    let end = try await Self.run(Self.lanes(log))(Machine(foreseenCalls: [Self.keys], calls: [Self.keys, Self.keys]))
    #expect(Set(end.answer ?? []) == [200, 201] && log.count("send readKeys") == 2)
  }

  @Test("A call that was made is not begun ahead afterwards, though the machine still foresees it")
  func past() async throws {
    let log = Log()
    let run = Self.run(Self.lanes(log))
    _ = try await run(Machine(calls: [Self.keys]))
    _ = try await run(Machine(foreseenCalls: [Self.keys], calls: []))
    #expect(log.count("send readKeys") == 1)
  }

  @Test("A call that differs in anything gets no answer of another")
  func equality() async throws {
    let others = [
      BackendCall("readKeys", .get, try WebURL("https://keys.example/other"), route: .host),
      BackendCall("readKeys", .post, Self.keys.url, route: .host),
      BackendCall("readKeys", .get, Self.keys.url, headers: [.bearer(Secret("t"))], route: .host),
      BackendCall("readKeys", .get, Self.keys.url, body: .json(.null), route: .host),
    ]
    for other in others {
      let log = Log()
      let run = Self.run(Self.lanes(log, opensAfter: "send readKeys"))
      _ = try await run(Machine(foreseenCalls: [Self.keys], calls: [other]))
      run.end()
      #expect(log.count("send readKeys") == 2, "\(other.method) \(other.url)")
    }
  }

  @Test("What nobody asked for is cancelled when the flow is over, and so is a bearer")
  func cancelled() async throws {
    let log = Log()
    var lanes = Self.lanes(log)
    lanes.send = { call in
      log.note("send \(call.step)")
      try await log.waitForCancellation(of: call.step)
      return .success(BackendReply(status: 200))
    }
    lanes.prepare = {
      log.note("prepare")
      try await log.waitForCancellation(of: "bearer")
      return nil
    }
    let run = Self.run(lanes)
    run.beginBearer()
    _ = try await run(Machine(foreseenCalls: [Self.keys], calls: []))
    try await log.wait(for: "send readKeys")
    try await log.wait(for: "prepare")
    run.end()
    try await log.wait(for: "cancelled readKeys")
    try await log.wait(for: "cancelled bearer")
    // Nothing is begun for a flow that is over.
    run.foresee(FlowForesight(calls: [BackendCall("late", .get, Self.url, route: .host)]))
    #expect(log.count("send late") == 0)
  }

  @Test("Who leaves while a foreseen call is awaited ends it")
  func leaving() async throws {
    let log = Log()
    var lanes = Self.lanes(log)
    lanes.send = { call in
      log.note("send \(call.step)")
      try await log.waitForCancellation(of: call.step)
      return .success(BackendReply(status: 200))
    }
    let run = Self.run(lanes)
    let flow = Task { try await run(Machine(foreseenCalls: [Self.keys], calls: [Self.keys])) }
    try await log.wait(for: "send readKeys")
    try await log.wait(for: "open")
    flow.cancel()
    await #expect(throws: CancellationError.self) { try await flow.value }
    run.end()
    try await log.wait(for: "cancelled readKeys")
  }

  @Test("A failure is the answer; a call that its lane did not let in is sent again")
  func failures() async throws {
    struct Full: Error {}
    for isLetIn in [true, false] {
      let log = Log()
      var lanes = Self.lanes(log, opensAfter: "send readKeys")
      let send = lanes.send
      lanes.send = { call in
        guard log.count("send readKeys") == 0 else { return try await send(call) }
        log.note("send readKeys")
        if isLetIn { return .failure(BackendFailure(.closed, "the server hung up")) }
        throw Full()
      }
      let end = try await Self.run(lanes)(Machine(foreseenCalls: [Self.keys], calls: [Self.keys]))
      #expect(end.outcome.result == (isLetIn ? .providerUnavailable : .verified))
      #expect(log.count("send readKeys") == (isLetIn ? 1 : 2))
    }
  }

  @Test("At most four calls are begun ahead, none over the bearer, and none that leads to a chain")
  func limits() async throws {
    let log = Log()
    var leading = BackendCall("create", .post, Self.url, route: .host)
    leading.leadsTo = ChainLead(ChainKind("k"))
    let calls = (0..<9).map { BackendCall("ahead", .get, Self.url.adding(FormFields(["n": "\($0)"])), route: .host) }
    let run = Self.run(Self.lanes(log))
    run.foresee(FlowForesight(calls: [leading, BackendCall("by", .get, Self.url, route: .bearer)] + calls))
    for _ in 0..<4 { try await log.wait(for: "send ahead") }
    while log.count("send ahead") < 4 { await Task.yield() }
    _ = try await run(Machine(calls: []))
    #expect(log.count("send ahead") == 4 && log.count("send create") == 0 && log.count("open") == 1)
    run.end()
  }

  @Test("While a call that leads to a chain is under way, the chain is made ready; hosts to come are connected")
  func leads() async throws {
    let log = Log()
    var create = BackendCall("create", .post, Self.url, route: .host)
    create.leadsTo = ChainLead(ChainKind("check"), first: Self.url)
    let hosts = ["a", "b", "c", "d", "e"].map { try! WebURL("https://\($0).example") }
    let machine = Machine(
      destinations: [.init(Self.url, .host)] + hosts.map { .init($0, .host) },
      calls: [create])
    _ = try await Self.run(Self.lanes(log))(machine)
    let all = log.all
    let warm = try #require(all.firstIndex(of: "warm check"))
    #expect(try warm < #require(all.firstIndex(of: "send create")))
    // Four at a time; the host that is being called has its connection.
    #expect(log.count("connect api.example") == 1 && log.count("connect a.example") == 2)
    #expect(log.count("connect c.example") == 2 && log.count("connect d.example") == 0)
    #expect(log.count("connect e.example") == 0)
  }

  @Test("A backend by the bearer's route is made ready over the bearer, and never by the machine's own network")
  func byBearer() async throws {
    let log = Log()
    _ = try await Self.run(Self.lanes(log))(Machine(destinations: [.init(Self.url, .bearer)], calls: []))
    #expect(log.count("warm backend/api.example") == 1 && log.count("connect api.example") == 0)
  }

  // MARK: The bearer

  /// A token, as a machine that needs no bearer gets it.
  struct Token: FlowMachine {
    static var usesBearer: Bool { false }
    mutating func start(at now: Timestamp) -> FlowAction<Int> { .send(WorkAheadTests.keys) }
    mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Int> {
      .finish(FlowOutcome(.authorized, "a token"), 1)
    }
  }

  @Test("The bearer comes up beside a call, and its chain is made ready as soon as it is up")
  func bearerBeside() async throws {
    let log = Log()
    let steps = Mutex<[FlowStep]>([])
    var lanes = Self.lanes(log)
    // Neither ends before the other has begun.
    lanes.prepare = {
      log.note("prepare")
      try await log.wait(for: "send readKeys")
      return nil
    }
    let send = lanes.send
    lanes.send = { call in
      try await log.wait(for: "prepare")
      return try await send(call)
    }
    let run = Self.run(lanes) { step in steps.withLock { $0.append(step) } }
    run.beginBearer(for: ChainLead(ChainKind("check")))
    run.beginBearer(for: ChainLead(ChainKind("another")))
    _ = try await run(Token())
    #expect(try await run.prepareBearer() == nil)
    try await log.wait(for: "warm check")
    #expect(log.count("prepare") == 1 && log.count("warm another") == 0)
    let told = steps.withLock { $0 }
    #expect(told.map { "\($0.index) \($0.name)" } == ["1 readKeys", "2 bearer"])
    #expect(told[1].begin < told[0].begin + told[0].time && told[1].begin >= 0)
  }

  /// Has an effect at a provider.
  struct Create: FlowMachine {
    mutating func start(at now: Timestamp) -> FlowAction<Int> {
      .send(BackendCall("create", .post, WorkAheadTests.url, route: .host))
    }
    mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Int> {
      .finish(FlowOutcome(.verified, "created"), 1)
    }
  }

  @Test("What has an effect waits for the bearer, and is not sent if there is none")
  func effects() async throws {
    let log = Log()
    var lanes = Self.lanes(log)
    lanes.prepare = { ChainFailure(.simLocked, "the SIM waits for its PIN") }
    let run = Self.run(lanes)
    run.beginBearer(for: ChainLead(ChainKind("check")))
    _ = try await run(Token())
    let end = try await run(Create())
    #expect(end.outcome.result == .noDataPath && end.outcome.cause == .simLocked)
    #expect(log.count("send readKeys") == 1 && log.count("send create") == 0 && log.count("warm check") == 0)
  }

  @Test("Flows of two users, and two flows of one, share no answers")
  func apart() async throws {
    let log = Log()
    let lanes = Self.lanes(log)
    let (first, second) = (Self.run(lanes), Self.run(lanes))
    first.foresee(FlowForesight(calls: [Self.keys]))
    try await log.wait(for: "send readKeys")
    #expect(try await second(Machine(calls: [Self.keys])).answer == [201])
    #expect(try await first(Machine(calls: [Self.keys])).answer == [200])
    #expect(log.count("send readKeys") == 2)
  }
}
