import Glibc
import Testing

@testable import Varlink

@Suite("A call without an event loop", .timeLimit(.minutes(1)))
struct LoneCallTests {
  @Test("A service that answers soon is asked on the caller's thread, and gets nothing to wait for")
  func soon() async throws {
    try await TestService.run { service in
      for text in ["a", String(repeating: "ü", count: 300_000)] {
        let reply = try await VarlinkClient.callAlone(TestInterface.Echo.self, .init(text: text), at: service.path)
        #expect(reply.text == text)
      }
    }
  }

  @Test("One that takes its time is waited for, by whoever has the patience")
  func later() async throws {
    try await TestService.run { service in
      let call = Task {
        try await VarlinkClient.callAlone(TestInterface.Wait.self, .init(), at: service.path) { rest in
          // Only now: the short wait is over.
          service.answer("at last")
          return try await rest()
        }
      }
      let reply = try await call.value
      #expect(reply.text == "at last")
    }
  }

  @Test("Cancelling ends the wait, and what patience throws is thrown")
  func cancelled() async throws {
    struct Enough: Error {}
    try await TestService.run { service in
      await #expect(throws: Enough.self) {
        try await VarlinkClient.callAlone(TestInterface.Wait.self, .init(), at: service.path) { _ in throw Enough() }
      }
    }
    try await TestService.run { service in
      let call = Task { try await VarlinkClient.callAlone(TestInterface.Wait.self, .init(), at: service.path) }
      var waiting = service.waiting.makeAsyncIterator()
      await waiting.next()
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
    }
  }

  @Test("Errors are those of other calls")
  func errors() async throws {
    /// Echo, as a service of another version might answer it.
    enum OtherEcho: VarlinkMethod {
      static let name = TestInterface.Echo.name
      typealias Parameters = TestInterface.Echo.Parameters
      typealias Reply = TestInterface.Number
    }
    try await TestService.run { service in
      let error = await #expect(throws: VarlinkError.self) {
        try await VarlinkClient.callAlone(TestInterface.Fail.self, .init(how: .declared), at: service.path)
      }
      #expect(error?.parameters(as: TestInterface.Declared.self) == .init(why: "asked for"))
      await #expect(throws: VarlinkClientError.badReply(method: OtherEcho.name)) {
        try await VarlinkClient.callAlone(OtherEcho.self, .init(text: "a"), at: service.path)
      }
      let path = service.path + "-not"
      await #expect(throws: VarlinkClientError.unreachable(path: path, errno: ENOENT)) {
        try await VarlinkClient.callAlone(TestInterface.Echo.self, .init(text: "a"), at: path)
      }
      let call = Task { try await VarlinkClient.callAlone(TestInterface.Wait.self, .init(), at: service.path) }
      var waiting = service.waiting.makeAsyncIterator()
      await waiting.next()
      await service.server.close()
      await #expect(throws: VarlinkClientError.disconnected) { try await call.value }
    }
  }
}

@Suite("What a client takes for a reply")
struct ReceivedReplyTests {
  private func read(_ text: String) -> ReceivedReply? { try? ReceivedReply(Array(text.utf8)) }

  @Test("Parameters, errors and what follows are told apart, with null for nothing")
  func kinds() throws {
    #expect(read("{}")?.parameters == .object([:]))
    #expect(read(#"{"parameters":{"a":1},"continues":true}"#)?.continues == true)
    let failure = try #require(read(#"{"error":"a.b.C","parameters":null}"#)?.failure)
    #expect(failure.name == "a.b.C" && failure.parameters == .object([:]))
    let none = try #require(read(#"{"error":null,"parameters":{},"continues":null}"#))
    #expect(none.failure == nil && !none.continues)
  }

  @Test(
    "What is no object, no UTF-8, too deep or of other kinds is no reply",
    arguments: [
      "", "[]", "{", #"{"error":1}"#, #"{"continues":1}"#, #"{"a":1,"a":2}"#,
      String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
    ])
  func none(_ text: String) { #expect(read(text) == nil) }

  @Test("Bytes that are not UTF-8 are no reply") func bytes() {
    #expect((try? ReceivedReply(Array(#"{"parameters":{"a":""#.utf8) + [0xff] + Array(#""}}"#.utf8))) == nil)
  }
}
