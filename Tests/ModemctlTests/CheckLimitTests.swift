import ModemAPI
import ModemAPIClient
import ModemModel
import ModemService
import Testing
import Varlink

@testable import ModemctlCommands

@Suite("Many checks at once, over the socket", .timeLimit(.minutes(1))) struct CheckLimitTests {
  private static func open(
    _ host: String, modem: String? = nil, on service: MemoryService
  ) -> Task<CheckInterface.Outcome?, any Error> {
    Task {
      try await ModemAPIClient.connect(to: service.path)
        .call(CheckInterface.Open.self, .init(url: "https://\(host)/", modem: modem)).outcome
    }
  }

  /// Asks for the history until so many checks are in it, and waits until a queue has so many.
  private static func history(_ service: MemoryService, count: Int) async throws -> [CheckInterface.PastCheck] {
    let client = try await ModemAPIClient.connect(to: service.path)
    while true {
      let checks = try await client.call(CheckInterface.History.self, .init()).checks
      if checks.count >= count { return checks }
      await Task.yield()
    }
  }

  @Test("Beyond the limit a check waits, runs when another one ends, and says how long it waited")
  func waits() async throws {
    let script = ChainScript()
    try await MemoryService.run(
      flows: FlowLimits(perBearer: 1, perCaller: 9), chain: { request, _, _ in await script.run(request) }
    ) { service in
      var began = script.began.makeAsyncIterator()
      let first = Self.open("one.example", on: service)
      #expect(await began.next() == "one.example")
      let second = Self.open("two.example", on: service)
      script.end("one.example")
      #expect(try await first.value?.waitedMilliseconds != nil)
      #expect(await began.next() == "two.example")
      script.end("two.example")
      #expect(try await second.value?.result == .answer)
      let checks = try await Self.history(service, count: 2)
      #expect(checks.map(\.host) == ["two.example", "one.example"])
      #expect(checks.allSatisfy { $0.result == .answer && $0.status == 200 && $0.modem == "modem-0011aabb" })
      #expect(checks[0].waitedMilliseconds <= checks[0].milliseconds)
    }
  }

  @Test("A bearer that is full does not hold the checks of another one")
  func manyBearers() async throws {
    let script = ChainScript()
    try await MemoryService.run(
      modems: [.sample("modem-a"), .sample("modem-b")], flows: FlowLimits(perBearer: 1, perCaller: 9),
      chain: { request, _, _ in await script.run(request) }
    ) { service in
      var began = script.began.makeAsyncIterator()
      let first = Self.open("one.example", modem: "modem-a", on: service)
      #expect(await began.next() == "one.example")
      let waiting = Self.open("two.example", modem: "modem-a", on: service)
      let other = Self.open("three.example", modem: "modem-b", on: service)
      #expect(await began.next() == "three.example")
      script.end("three.example")
      #expect(try await other.value?.modem == "modem-b")
      script.end("one.example")
      #expect(await began.next() == "two.example")
      script.end("two.example")
      _ = try await (first.value, waiting.value)
    }
  }

  @Test("When the queue is full too, the error says the limit and when to ask again")
  func refused() async throws {
    let script = ChainScript()
    try await MemoryService.run(
      flows: FlowLimits(perBearer: 1, perCaller: 1, waiting: 0, waitingPerCaller: 0),
      chain: { request, _, _ in await script.run(request) }
    ) { service in
      var began = script.began.makeAsyncIterator()
      let first = Self.open("one.example", on: service)
      _ = await began.next()
      let error = await #expect(throws: VarlinkError.self) { _ = try await Self.open("two.example", on: service).value }
      let refusal = error?.parameters(as: CheckInterface.TooManyFlows.self)
      #expect(refusal?.limit == 0)
      #expect(refusal.map { (100...60_000).contains($0.retryAfterMilliseconds) } == true)
      let run = await service.modemctl("open", "https://two.example/")
      #expect(run.status == .chainFailed && run.messages.contains("try again in "))
      script.end("one.example")
      _ = try await first.value
    }
  }

  @Test("A caller that leaves while its check waits gives its place in the queue away at once")
  func leavesQueue() async throws {
    let script = ChainScript()
    try await MemoryService.run(
      flows: FlowLimits(perBearer: 1, perCaller: 1, waiting: 1, waitingPerCaller: 1),
      chain: { request, _, _ in await script.run(request) }
    ) { service in
      var began = script.began.makeAsyncIterator()
      let first = Self.open("one.example", on: service)
      _ = await began.next()
      let leaver = Self.open("two.example", on: service)
      while service.bearers.waitingFlows == 0 { await Task.yield() }
      leaver.cancel()
      let past = try await Self.history(service, count: 1)
      #expect(past.map(\.host) == ["two.example"] && past[0].failure?.cause == .cancelled)
      #expect(service.bearers.waitingFlows == 0)
      // Its place is free again: another one waits, in place of being refused.
      let third = Self.open("three.example", on: service)
      while service.bearers.waitingFlows == 0 { await Task.yield() }
      script.end("one.example")
      #expect(await began.next() == "three.example")
      script.end("three.example")
      #expect(try await third.value?.result == .answer)
      _ = try await first.value
    }
  }

  @Test("A caller that leaves while its check runs ends it at once, and the next one runs")
  func leavesRunning() async throws {
    let script = ChainScript()
    try await MemoryService.run(
      flows: FlowLimits(perBearer: 1, perCaller: 1), chain: { request, _, _ in await script.run(request) }
    ) { service in
      var began = script.began.makeAsyncIterator()
      let leaver = Self.open("one.example", on: service)
      _ = await began.next()
      let second = Self.open("two.example", on: service)
      leaver.cancel()
      var left = script.left.makeAsyncIterator()
      #expect(await left.next() == "one.example")
      #expect(await began.next() == "two.example")
      script.end("two.example")
      #expect(try await second.value?.result == .answer)
      let checks = try await Self.history(service, count: 2)
      #expect(checks.first { $0.host == "one.example" }?.failure?.cause == .cancelled)
    }
  }

  @Test("A check whose turn does not come within its time limit ends with timeout")
  func turnNeverComes() async throws {
    let script = ChainScript()
    try await MemoryService.run(
      flows: FlowLimits(perBearer: 1, perCaller: 1), chain: { request, _, _ in await script.run(request) }
    ) { service in
      var began = script.began.makeAsyncIterator()
      let first = Self.open("one.example", on: service)
      _ = await began.next()
      let outcome = try await ModemAPIClient.connect(to: service.path).call(
        CheckInterface.Open.self, .init(url: "https://two.example/", timeoutMilliseconds: 20)
      ).outcome
      #expect(outcome?.failure?.cause == .timeout && outcome?.failure?.text.contains("turn") == true)
      script.end("one.example")
      _ = try await first.value
    }
  }
}
