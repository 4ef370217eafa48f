import AuthCore
import HTTPTestSupport
import HostHTTP
import RedirectChain
import Testing

@Suite("Calls that are cancelled", .serialized, .timeLimit(.minutes(1)))
struct CancellationTests {
  @Test("A call ends at once with its task, and its connection too", arguments: [true, false])
  func inTheMiddle(isTLS: Bool) async throws {
    let world = try HostWorld.make()
    let (requests, arrived) = AsyncStream.makeStream(of: Void.self)
    let answering: TestServer.Answering = { _ in
      arrived.yield()
      return []
    }
    let server =
      try await isTLS
      ? world.secureServer { answering($0) } : TestServer.start { answering($0) }
    let call = try HostWorld.call("\(isTLS ? "https" : "http")://localhost:\(server.port)", time: .seconds(3600))
    let task = Task { try await world.client.send(call) }
    for await _ in requests { break }
    task.cancel()
    let outcome = await task.result
    #expect(throws: CancellationError.self) { try outcome.get() }
    try await server.closed(1)
    #expect(server.requests.count == 1 && server.connections == 1)
    await server.stop()
  }

  @Test("A call whose task was cancelled before opens nothing")
  func before() async throws {
    let world = try HostWorld.make()
    let server = try await TestServer.start { _ in TestServer.json("{}") }
    let call = try HostWorld.call("http://localhost:\(server.port)")
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for await _ in gate {}
      return try await world.client.send(call)
    }
    task.cancel()
    open.finish()
    let outcome = await task.result
    #expect(throws: CancellationError.self) { try outcome.get() }
    #expect(server.connections == 0)
    await server.stop()
  }
}
