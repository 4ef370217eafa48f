import AuthCore
@_spi(Exchange) import RedirectChain
import Testing
@_spi(Exchange) import Web

@testable import ModemService

@Suite("The machine's own network has limits as a bearer has them", .timeLimit(.minutes(1))) struct HostLaneTests {
  private static let reply: Result<BackendReply, BackendFailure> = .success(BackendReply(status: 200))

  private func call(_ host: String, within time: Duration = .seconds(30)) throws -> BackendCall {
    BackendCall("test", .get, try WebURL("https://\(host)/"), route: .host, time: time)
  }

  @Test func `one caller's calls that hang leave room for another one's`() async throws {
    let lane = HostLane(FlowLimits(perBearer: 4, perCaller: 2, waiting: 8, waitingPerCaller: 1))
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let call = try call("slow.example")
    let hanging = (0..<2).map { _ in
      Task {
        try await lane.send(call, for: Caller(userID: 1)) { _ in
          begin.yield()
          try await Task.sleep(for: .seconds(3600))
          return Self.reply
        }
      }
    }
    var each = begun.makeAsyncIterator()
    for _ in 0..<2 { await each.next() }
    let answer = try await lane.send(call, for: Caller(userID: 2)) { _ in Self.reply }
    #expect(answer == Self.reply)
    // His own third one waits as long as it may, and says why it was not made.
    let late = try await lane.send(
      try self.call("slow.example", within: .milliseconds(10)), for: Caller(userID: 1)
    ) { _ in Self.reply }
    guard case .failure(let failure) = late else {
      Issue.record("it was made")
      return
    }
    #expect(failure.kind == .timeout && failure.text.contains("slow.example"))
    for task in hanging { task.cancel() }
    for task in hanging { _ = await task.result }
    #expect(try await lane.send(call, for: Caller(userID: 1)) { _ in Self.reply } == Self.reply)
  }

  @Test func `a call that is configured for the bearer does not leave by the machine's network`() async throws {
    let call = BackendCall("test", .get, try WebURL("https://api.example/"), route: .bearer)
    let outcome = try await HostLane().send(call, for: Caller(userID: 1)) { _ in
      Issue.record("it was sent")
      return Self.reply
    }
    guard case .failure(let failure) = outcome else {
      Issue.record("it was answered")
      return
    }
    #expect(failure.kind == .refused && failure.text.contains("api.example"))
  }

  @Test func `a provider that hangs holds up no other one`() async throws {
    let lane = HostLane(FlowLimits(perBearer: 1, perCaller: 8, waiting: 0, waitingPerCaller: 0))
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let slow = try call("slow.example")
    let hanging = Task {
      try await lane.send(slow, for: Caller(userID: 1)) { _ in
        begin.yield()
        try await Task.sleep(for: .seconds(3600))
        return Self.reply
      }
    }
    var each = begun.makeAsyncIterator()
    await each.next()
    #expect(try await lane.send(try call("quick.example"), for: Caller(userID: 1)) { _ in Self.reply } == Self.reply)
    await #expect(throws: ServiceError.self) {
      try await lane.send(slow, for: Caller(userID: 2)) { _ in Self.reply }
    }
    hanging.cancel()
    _ = await hanging.result
  }
}
