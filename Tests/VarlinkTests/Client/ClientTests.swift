import Glibc
import Testing
import Varlink

@Suite("The client", .timeLimit(.minutes(1)))
struct ClientTests {
  @Test("Calls made at the same time on one connection each get their own answer")
  func concurrentCalls() async throws {
    try await TestService.run { service in
      let client = try await VarlinkClient.connect(to: service.path)
      try await withThrowingTaskGroup(of: (Int, String).self) { group in
        for number in 0..<100 {
          group.addTask { (number, try await client.call(TestInterface.Echo.self, .init(text: "\(number)")).text) }
        }
        for try await (number, text) in group { #expect(text == "\(number)") }
      }
    }
  }

  @Test("A stream gives each reply, and the connection can be used again")
  func stream() async throws {
    try await TestService.run { service in
      let client = try await VarlinkClient.connect(to: service.path)
      var numbers: [Int] = []
      for try await reply in client.stream(TestInterface.Count.self, .init(to: 100)) { numbers.append(reply.number) }
      #expect(numbers == Array(1...100))
      #expect(try await client.call(TestInterface.Echo.self, .init(text: "again")).text == "again")
    }
  }

  @Test("A stream outlives the last reference to its client")
  func streamKeepsClient() async throws {
    try await TestService.run { service in
      let stream = try await VarlinkClient.connect(to: service.path).stream(TestInterface.Count.self, .init(to: 50))
      var last = 0
      for try await reply in stream { last = reply.number }
      #expect(last == 50)
    }
  }

  @Test("A declared error is typed")
  func declaredError() async throws {
    try await TestService.run { service in
      let client = try await VarlinkClient.connect(to: service.path)
      let error = await #expect(throws: VarlinkError.self) {
        try await client.call(TestInterface.Fail.self, .init(how: .declared))
      }
      #expect(error?.parameters(as: TestInterface.Declared.self) == .init(why: "asked for"))
      #expect(error?.name == "org.example.Test.Declared" && error?.field("why") == "asked for")
      let other = await #expect(throws: VarlinkError.self) {
        try await client.call(TestInterface.Missing.self, .init())
      }
      #expect(
        other?.name == "org.varlink.service.MethodNotFound" && other?.parameters(as: TestInterface.Declared.self) == nil
      )
    }
  }

  @Test("The end of the connection is an error at once, for calls and streams under way and for those that come later")
  func disconnected() async throws {
    try await TestService.run { service in
      let client = try await VarlinkClient.connect(to: service.path)
      let streaming = try await VarlinkClient.connect(to: service.path)
      var replies = streaming.stream(TestInterface.Forever.self, .init()).makeAsyncIterator()
      #expect(try await replies.next()?.number == 1)
      let waiting = Task { try await client.call(TestInterface.Wait.self, .init()) }
      // Behind Wait, so that Wait is known to be under way.
      _ = try await service.isServing()
      await service.server.close()
      await #expect(throws: VarlinkClientError.disconnected) { try await waiting.value }
      await #expect(throws: VarlinkClientError.disconnected) { try await replies.next() }
      await #expect(throws: VarlinkClientError.disconnected) {
        try await client.call(TestInterface.Echo.self, .init(text: "late"))
      }
    }
  }

  @Test("Leaving a stream closes the connection, and so cancels the handler")
  func leaveStream() async throws {
    try await TestService.run { service in
      let client = try await VarlinkClient.connect(to: service.path)
      for try await _ in client.stream(TestInterface.Forever.self, .init()) { break }
      var cancelled = service.cancelled.makeAsyncIterator()
      await cancelled.next()
    }
  }

  @Test("Cancelling a task ends its call at once")
  func cancelCall() async throws {
    try await TestService.run { service in
      let client = try await VarlinkClient.connect(to: service.path)
      let task = Task { try await client.call(TestInterface.Wait.self, .init()) }
      task.cancel()
      await #expect(throws: (any Error).self) { try await task.value }
    }
  }

  @Test("Nobody at the path is told apart from a refusal")
  func unreachable() async throws {
    let folder = try ScratchFolder()
    let path = "\(folder.path)/socket"
    await #expect(throws: VarlinkClientError.unreachable(path: path, errno: ENOENT)) {
      try await VarlinkClient.connect(to: path)
    }
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    await #expect(throws: VarlinkClientError.unreachable(path: path, errno: ECONNREFUSED)) {
      try await VarlinkClient.connect(to: path)
    }
  }

  @Test("An answer of another shape is an error")
  func badReply() async throws {
    /// Echo, as a service of another version might answer it.
    enum OtherEcho: VarlinkMethod {
      static let name = TestInterface.Echo.name
      typealias Parameters = TestInterface.Echo.Parameters
      typealias Reply = TestInterface.Number
    }
    try await TestService.run { service in
      let client = try await VarlinkClient.connect(to: service.path)
      await #expect(throws: VarlinkClientError.badReply(method: OtherEcho.name)) {
        try await client.call(OtherEcho.self, .init(text: "a"))
      }
    }
  }
}
