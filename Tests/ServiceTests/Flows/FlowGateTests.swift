import Testing

@testable import ModemService

@Suite("The gate of flows", .timeLimit(.minutes(1))) struct FlowGateTests {
  private static let caller = Caller(userID: 1000)
  private static let hour = Duration.seconds(3600)

  private static func gate(waiting: Int = 10) -> FlowGate {
    FlowGate(FlowLimits(perBearer: 1, perCaller: 1, waiting: waiting, waitingPerCaller: waiting))
  }

  @Test("A flow that waits runs when the one before it ends, by word or by going out of sight")
  func waits() async throws {
    let gate = Self.gate()
    let first = try await gate.enter(Self.caller, bearer: "w", within: Self.hour)
    let second = Task { try await gate.enter(Self.caller, bearer: "w", within: Self.hour) }
    first.end()
    first.end()
    let ticket = try await second.value
    #expect(gate.runningCount(over: "w") == 1)
    ticket.end()
    #expect(gate.runningCount(over: "w") == 0)
    _ = try await gate.enter(Self.caller, bearer: "w", within: Self.hour)
    #expect(gate.runningCount(over: "w") == 0)
  }

  @Test("A flow whose task is cancelled leaves the queue at once")
  func cancelled() async throws {
    let gate = Self.gate(waiting: 1)
    let first = try await gate.enter(Self.caller, bearer: "w", within: Self.hour)
    let second = Task { try await gate.enter(Self.caller, bearer: "w", within: Self.hour) }
    second.cancel()
    await #expect(throws: CancellationError.self) { _ = try await second.value }
    // The only place in the queue is free again.
    let third = Task { try await gate.enter(Self.caller, bearer: "w", within: Self.hour) }
    first.end()
    let ticket = try await third.value
    #expect(gate.runningCount(over: "w") == 1)
    ticket.end()
  }

  @Test("A flow that waited for too long is told so, and holds no place")
  func tooLong() async throws {
    let gate = Self.gate(waiting: 1)
    let first = try await gate.enter(Self.caller, bearer: "w", within: Self.hour)
    let error = await #expect(throws: ServiceError.self) {
      _ = try await gate.enter(Self.caller, bearer: "w", within: .milliseconds(1))
    }
    #expect(error?.code == .waitedTooLong(limit: 1))
    first.end()
    #expect(gate.runningCount(over: "w") == 0)
  }

  @Test("A full queue refuses")
  func full() async throws {
    let gate = Self.gate(waiting: 0)
    let first = try await gate.enter(Self.caller, bearer: "w", within: Self.hour)
    let error = await #expect(throws: ServiceError.self) {
      _ = try await gate.enter(Self.caller, bearer: "w", within: Self.hour)
    }
    guard case .tooManyFlows(limit: 0, _) = error?.code else {
      Issue.record("\(error as Any)")
      return
    }
    first.end()
  }

  @Test("Flows that come, are cancelled and end all at once leave nothing behind", arguments: 0..<10)
  func crowd(round: Int) async throws {
    let gate = FlowGate(FlowLimits(perBearer: 4, perCaller: 4, waiting: 1000, waitingPerCaller: 1000))
    let ran = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          let task = Task {
            let ticket = try await gate.enter(
              Caller(userID: UInt32(number % 5)), bearer: "w\(number % 2)", within: Self.hour)
            await Task.yield()
            ticket.end()
          }
          if number % 3 == 0 { task.cancel() }
          return (try? await task.value) != nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(ran >= 133)
    #expect(gate.runningCount(over: "w0") == 0 && gate.runningCount(over: "w1") == 0)
  }
}
