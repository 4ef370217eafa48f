import Testing

@testable import Varlink

/// What a caller may take, at the socket. What of it depends on who calls is tested with real users
/// in the worlds.
@Suite("Limits of callers", .timeLimit(.minutes(1)))
struct CallerLimitTests {
  private static let echo = #"{"method":"org.example.Test.Echo","parameters":{"text":"a"}}"#

  @Test("A call of which the rest does not come ends the connection, however often a byte comes")
  func slowCall() async throws {
    var limits = VarlinkServer.Limits()
    limits.frameTime = .milliseconds(100)
    try await TestService.run(limits: limits) { service in
      let client = try RawClient(to: service.path)
      try await client.send(Array(#"{"method":"org.example.Test.Echo","parameters":{"text":""#.utf8))
      let dripping = Task {
        while try await client.send([UInt8(ascii: "x")]) { try await Task.sleep(for: .milliseconds(1)) }
      }
      #expect(try await client.receive() == nil)
      try await dripping.value
      #expect(try await service.isServing())
    }
  }

  @Test("A connection over which nothing goes on ends, one with a call under way does not")
  func idle() async throws {
    var limits = VarlinkServer.Limits()
    // It runs while a connection waits for its turn, too: not too short for a busy machine.
    limits.idleTime = .milliseconds(600)
    limits.shortIdleTime = .milliseconds(240)
    try await TestService.run(limits: limits) { service in
      let (idle, used) = (try RawClient(to: service.path), try RawClient(to: service.path))
      try await used.send(#"{"method":"org.example.Test.Wait"}"#)
      try await idle.send(Self.echo)
      #expect(try await idle.receive() != nil)
      #expect(try await idle.receive() == nil)
      service.answer("still here")
      #expect(try await used.receive()?.parameters?["text"]?.string == "still here")
    }
  }

  @Test("All unfinished calls together have a limit, and who is below it is served")
  func bytes() async throws {
    var limits = VarlinkServer.Limits()
    limits.bytes = 1 << 20
    try await TestService.run(limits: limits) { service in
      let clients = try (0..<8).map { _ in try RawClient(to: service.path) }
      let part = Array(#"{"method":"org.example.Test.Echo","parameters":{"text":"\#(text(bytes: 300_000))"#.utf8)
      for client in clients { try await client.send(part) }
      #expect(try await service.isServing())
      // Some of them were closed; those that were not can be ended and are answered.
      var answered = 0
      for client in clients where try await client.send(Array("\"}}".utf8) + [0]) {
        if try await client.receive() != nil { answered += 1 }
      }
      #expect((1...3).contains(answered))
    }
  }

  @Test("A call more than may be under way is answered with the error that the service has for it")
  func calls() async throws {
    var limits = VarlinkServer.Limits()
    limits.calls = 2
    limits.tooManyCalls = { _ in VarlinkError(TestInterface.Declared(why: "too many")) }
    try await TestService.run(limits: limits) { service in
      let clients = try (0..<3).map { _ in try RawClient(to: service.path) }
      for client in clients[..<2] {
        try await client.send(#"{"method":"org.example.Test.Forever","more":true}"#)
        #expect(try await client.receive() != nil)
      }
      try await clients[2].send(#"{"method":"org.example.Test.Wait"}"#)
      #expect(try await clients[2].receive()?["error"]?.string == "org.example.Test.Declared")
      // What is answered from memory is answered all the same.
      try await clients[2].send(Self.echo)
      #expect(try await clients[2].receive()?.parameters != nil)
    }
  }

  @Test("A long call names its method first; without it has a short call's length")
  func methodFirst() async throws {
    try await TestService.run { service in
      let parameters = #""parameters":{"text":"\#(text(bytes: 100_000))"}"#
      let client = try RawClient(to: service.path)
      try await client.send(#"{"method":"org.example.Test.Echo",\#(parameters)}"#)
      #expect(try await client.receive()?.parameters != nil)
      try await client.send(#"{\#(parameters),"method":"org.example.Test.Echo"}"#)
      #expect(try await client.receive() == nil)
    }
  }

  @Test("An interface limits its calls, a method too, and a call that is not allowed is a short one")
  func callBytes() {
    var router = VarlinkRouter(
      ServiceInformation(vendor: "", product: "", version: "", url: ""),
      isAllowed: { peer, method in peer.userID == 1 && method != "org.example.Test.Who" })
    router.handle(TestInterface.Wait.self) { _, _ in .init(text: "") }
    router.handle(TestInterface.Who.self) { _, _ in .init(user: 0, process: 0, groups: []) }
    router.answer(TestInterface.Echo.self) { parameters, _ in EncodedReply(.init(text: parameters.text)) }
    let (one, two) = (
      Peer(processID: 1, userID: 1, groupIDs: []), Peer(processID: 1, userID: 2, groupIDs: [])
    )
    #expect(router.callBytes(of: "org.example.Test.Echo", from: one) == nil)
    router.usualCallBytes = 70_000
    router.limitCalls(of: "org.example.Test", to: 50_000)
    router.limitCalls(of: "org.example.Test.Echo", to: 90_000)
    #expect(router.callBytes(of: "org.example.Test.Echo", from: one) == 90_000)
    #expect(router.callBytes(of: "org.example.Test.Wait", from: one) == 50_000)
    for (method, peer) in [
      ("org.example.Test.Who", one), ("org.example.Test.Echo", two), ("org.example.Nothing", one), ("nothing", one),
    ] {
      #expect(router.callBytes(of: method, from: peer) == VarlinkRouter.smallCallBytes)
    }
    #expect(router.standing(of: one) == .known && router.standing(of: two) == .stranger)
    #expect(router.standing(of: Peer(processID: 1, userID: 0, groupIDs: [])) == .root)
  }
}
