import Glibc
import Testing

@testable import Varlink

/// Replies that carry a descriptor, at the socket.
@Suite("Descriptors that are handed over", .timeLimit(.minutes(1)))
struct HandOverTests {
  private static let give = #"{"method":"org.example.Giving.Give"}"#
  private static let echo = #"{"method":"org.example.Test.Echo","parameters":{"text":"a"}}"#

  /// The pipe that the next handler made.
  private func made(_ events: inout AsyncStream<GivingService.Event>.Iterator) async throws -> String {
    guard case .made(let pipe)? = await events.next() else { throw RawClient.Failure(description: "no pipe was made") }
    return pipe
  }

  /// Waits until no descriptor of this process is of a pipe; the test's limit of time bounds it.
  private func isGone(_ pipe: String, from service: GivingService) async throws {
    while copies(of: pipe) > 0 { #expect(try await service.isServing()) }
  }

  @Test("One descriptor comes with the first byte of its reply, and the service keeps none")
  func once() async throws {
    try await GivingService.run { service in
      var events = service.events.makeAsyncIterator()
      let client = try RawClient(to: service.path)
      try await client.send(Self.give)
      let (bytes, descriptors) = try await client.receiveOnce()
      #expect(bytes == Array(#"{"parameters":{"pipeFileDescriptor":0,"padding":""}}"#.utf8) + [0])
      #expect(descriptors.count == 1)
      let pipe = try await made(&events)
      #expect(identity(of: try #require(descriptors.first).number) == pipe)
      #expect(await events.next() == .sent(true))
      // The reading end was never handed over, and has its number too: only this one is left.
      while copies(of: pipe) > 1 { #expect(try await service.isServing()) }
      #expect(fcntl(try #require(descriptors.first).number, F_GETFD) == FD_CLOEXEC)
    }
  }

  @Test(
    "Calls that the one reply does not fit are refused, and their handler does not run",
    arguments: [
      (#"{"method":"org.example.Giving.Give","more":true}"#, #"InvalidParameter","parameters":{"parameter":"more"}"#),
      (
        #"{"method":"org.example.Giving.Give","upgrade":true}"#,
        #"MethodNotImplemented","parameters":{"method":"org.example.Giving.Give"}"#
      ),
      (
        #"{"method":"org.example.Giving.Give","parameters":{"x":1}}"#,
        #"InvalidParameter","parameters":{"parameter":"x"}"#
      ),
    ])
  func refused(call: String, error: String) async throws {
    try await GivingService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(call)
      let (bytes, descriptors) = try await client.receiveOnce()
      #expect(bytes == Array(#"{"error":"org.varlink.service.\#(error)}"#.utf8) + [0])
      #expect(descriptors.isEmpty)
      await service.server.close()
      #expect(await first(of: service.events) == nil)
    }
  }

  /// What the test was told, if it was told anything yet.
  private func first(of events: AsyncStream<GivingService.Event>) async -> GivingService.Event? {
    let reading = Task { await events.first { _ in true } }
    await Task.yield()
    reading.cancel()
    return await reading.value
  }

  @Test("A oneway call gives nothing, and the next call is answered")
  func oneway() async throws {
    try await GivingService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(#"{"method":"org.example.Giving.Give","oneway":true}"#)
      try await client.send(Self.echo)
      let (bytes, descriptors) = try await client.receiveOnce()
      #expect(bytes == Array(#"{"parameters":{"text":"a","tone":null}}"#.utf8) + [0])
      #expect(descriptors.isEmpty)
    }
  }

  @Test("Behind other replies it waits until they are read, so that no read has both; those behind it come after")
  func glued() async throws {
    try await GivingService.run { service in
      var events = service.events.makeAsyncIterator()
      let client = try RawClient(to: service.path)
      let frames = [Self.echo, Self.echo, Self.give, Self.echo, Self.give].map { Array($0.utf8) + [0] }
      try await client.send(frames.flatMap { $0 })
      _ = try await made(&events)
      // The reply could have been sent by then, and was not.
      for _ in 0..<50 { #expect(try await service.isServing()) }
      let echoed = Array(#"{"parameters":{"text":"a","tone":null}}"#.utf8) + [0]
      let given = Array(#"{"parameters":{"pipeFileDescriptor":0,"padding":""}}"#.utf8) + [0]
      let (before, none) = try await client.receiveOnce()
      #expect(before == echoed + echoed && none.isEmpty)
      let (own, one) = try await client.receiveOnce()
      #expect(own == given && one.count == 1)
      let (after, nothing) = try await client.receiveOnce()
      #expect(after == echoed && nothing.isEmpty)
      let (last, another) = try await client.receiveOnce()
      #expect(last == given && another.count == 1)
    }
  }

  @Test("Behind three megabytes of unread replies it waits as well")
  func farBehind() async throws {
    try await GivingService.run { service in
      let client = try RawClient(to: service.path)
      let long = #"{"method":"org.example.Test.Echo","parameters":{"text":"\#(text(bytes: 500_000))"}}"#
      try await client.send(long)
      try await client.send(Self.give)
      var (bytes, descriptors) = try await client.receiveOnce()
      while descriptors.isEmpty {
        #expect(!bytes.starts(with: Array(#"{"parameters":{"pipe"#.utf8)))
        (bytes, descriptors) = try await client.receiveOnce()
      }
      #expect(bytes == Array(#"{"parameters":{"pipeFileDescriptor":0,"padding":""}}"#.utf8) + [0])
    }
  }

  @Test("A reply that is longer than the kernel takes at once comes whole, its descriptor first")
  func long() async throws {
    try await GivingService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(#"{"method":"org.example.Giving.Give","parameters":{"bytes":1500000}}"#)
      var (bytes, descriptors) = try await client.receiveOnce()
      #expect(descriptors.count == 1)
      while bytes.last != 0 {
        let (part, more) = try await client.receiveOnce()
        try #require(!part.isEmpty)
        #expect(more.isEmpty)
        bytes += part
      }
      #expect(bytes.count > 1_500_000)
    }
  }

  @Test("A client that does not read what is before it is disconnected, and nothing is left of the descriptor")
  func neverReads() async throws {
    var limits = VarlinkServer.Limits()
    limits.unreadReplyTime = .milliseconds(100)
    try await GivingService.run(limits: limits) { service in
      var events = service.events.makeAsyncIterator()
      let client = try RawClient(to: service.path)
      try await client.send(Self.echo)
      try await client.send(Self.give)
      let pipe = try await made(&events)
      #expect(await events.next() == .sent(false))
      try await isGone(pipe, from: service)
      #expect(try await client.receive() != nil)
      #expect(try await client.receive() == nil)
    }
  }

  @Test("A client that leaves, before or after it, leaves no descriptor behind", arguments: [false, true])
  func leaves(isSent: Bool) async throws {
    try await GivingService.run(waits: !isSent) { service in
      var events = service.events.makeAsyncIterator()
      var client: RawClient? = try RawClient(to: service.path)
      try await client?.send(Self.give)
      let pipe = try await made(&events)
      if isSent { #expect(await events.next() == .sent(true)) }
      client = nil
      if !isSent {
        for _ in 0..<20 { #expect(try await service.isServing()) }
        service.release()
        #expect(await events.next() == .sent(false))
      }
      try await isGone(pipe, from: service)
    }
  }

  @Test("The service's end closes what waits for its client")
  func serverEnds() async throws {
    try await GivingService.run { service in
      var events = service.events.makeAsyncIterator()
      let client = try RawClient(to: service.path)
      try await client.send(Self.echo)
      try await client.send(Self.give)
      let pipe = try await made(&events)
      #expect(try await service.isServing())
      await service.server.close()
      #expect(await events.next() == .sent(false))
      while copies(of: pipe) > 0 { await Task.yield() }
    }
  }

  @Test("Unread descriptors have a limit, which neither half closes nor lost connections get around")
  func limit() async throws {
    var limits = VarlinkServer.Limits()
    limits.descriptors = 2
    limits.tooManyCalls = { _ in VarlinkError(TestInterface.Declared(why: "too many")) }
    try await GivingService.run(limits: limits) { service in
      var events = service.events.makeAsyncIterator()
      let (closing, keeping) = (try RawClient(to: service.path), try RawClient(to: service.path))
      for client in [closing, keeping] {
        try await client.send(Self.give)
        _ = try await made(&events)
        #expect(await events.next() == .sent(true))
      }
      // The service ends the connection, and the reply with its descriptor stays unread.
      closing.closeSending()
      for _ in 0..<20 { #expect(try await service.isServing()) }
      let third = try RawClient(to: service.path)
      try await third.send(Self.give)
      #expect(try await third.receive()?["error"]?.string == "org.example.Test.Declared")
      #expect(try await closing.receiveOnce().descriptors.count == 1)
      #expect(try await closing.receiveOnce().bytes == [])
      try await third.send(Self.give)
      #expect(try await third.receiveOnce().descriptors.count == 1)
    }
  }

  @Test("A client that refuses descriptors is disconnected, and the descriptor closed")
  func refuses() async throws {
    try await GivingService.run { service in
      var events = service.events.makeAsyncIterator()
      let client = try RawClient(to: service.path)
      // Linux 6.16 and later; before, no client can refuse.
      guard client.refuseDescriptors() else { return }
      try await client.send(Self.give)
      let pipe = try await made(&events)
      #expect(await events.next() == .sent(false))
      #expect(try await client.receive() == nil)
      try await isGone(pipe, from: service)
    }
  }

  @Test("The client of this package takes it; 64 at the same time each get their own")
  func client() async throws {
    try await GivingService.run { service in
      try await withThrowingTaskGroup(of: ReplyWithDescriptor<GivingInterface.Give.Reply>.self) { group in
        for _ in 0..<64 {
          group.addTask {
            try await VarlinkClient.takeDescriptor(by: GivingInterface.Give.self, .init(), from: service.path)
          }
        }
        var pipes: Set<String> = []
        for try await taken in group {
          #expect(taken.reply.pipeFileDescriptor == 0)
          pipes.insert(try #require(identity(of: taken.descriptor.number)))
        }
        #expect(pipes.count == 64 && pipes.allSatisfy { $0.hasPrefix("pipe:") })
        for pipe in pipes { try await isGone(pipe, from: service) }
      }
    }
  }

  @Test("The client's task can be cancelled while it waits")
  func cancelled() async throws {
    try await GivingService.run(waits: true) { service in
      var events = service.events.makeAsyncIterator()
      let call = Task {
        try await VarlinkClient.takeDescriptor(by: GivingInterface.Give.self, .init(), from: service.path)
      }
      let pipe = try await made(&events)
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
      service.release()
      #expect(await events.next() == .sent(false))
      try await isGone(pipe, from: service)
    }
  }

  @Test("A method without a descriptor is no method that hands one over")
  func missing() async throws {
    try await GivingService.run { service in
      await #expect(throws: VarlinkClientError.badReply(method: TestInterface.Echo.name)) {
        try await VarlinkClient.takeDescriptor(by: TestInterface.Echo.self, .init(text: "a"), from: service.path)
      }
    }
  }
}
