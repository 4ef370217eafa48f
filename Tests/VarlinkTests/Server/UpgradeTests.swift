import NIOCore
import Testing

@testable import Varlink

/// Calls with `upgrade`, at the socket.
@Suite("Connections that become streams", .timeLimit(.minutes(1)))
struct UpgradeTests {
  private static let open = #"{"method":"org.example.Giving.Open","upgrade":true}"#
  private static let echo = #"{"method":"org.example.Test.Echo","parameters":{"text":"a"}}"#
  private static let greeting = Array(#"{"parameters":{"greeting":"hello"}}"#.utf8) + [0]

  @Test(
    "After the reply come the stream's bytes, also those sent ahead, whatever they are",
    arguments: [
      "plain", "a\0b\0", "\0", "\0\0{\0", #"{"method":"org.example.Test.Echo"}"# + "\0",
    ])
  func early(bytes: String) async throws {
    try await GivingService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(Array(Self.open.utf8) + [0] + Array(bytes.utf8))
      #expect(try await client.receive(bytes: Self.greeting.count + bytes.utf8.count) == Self.greeting + bytes.utf8)
      try await client.send(Array("later".utf8))
      #expect(try await client.receive(bytes: 5) == Array("later".utf8))
      client.closeSending()
      #expect(try await client.receive(bytes: 1) == [])
    }
  }

  @Test("A long call is followed by bytes of the stream as well, and other replies come before", arguments: [0, 6000])
  func pipelined(padding: Int) async throws {
    try await GivingService.run { service in
      let client = try RawClient(to: service.path)
      let call = #"{"method":"org.example.Giving.Open","upgrade":true,"padding":"\#(text(bytes: padding))"}"#
      let stream = [UInt8](repeating: UInt8(ascii: "s"), count: 9000) + [0] + [UInt8](repeating: 1, count: 9000)
      try await client.send(Self.echo)
      try await client.send(Array(call.utf8) + [0] + stream)
      let before = Array(#"{"parameters":{"text":"a","tone":null}}"#.utf8) + [0] + Self.greeting
      #expect(try await client.receive(bytes: before.count + stream.count) == before + stream)
    }
  }

  @Test("While the call runs, the service takes only the first bytes of the stream")
  func heldWhileRunning() async throws {
    try await GivingService.run(waits: true) { service in
      let client = try RawClient(to: service.path)
      try await client.send(Self.open)
      let stream = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
      try await client.send(stream)
      for _ in 0..<50 { #expect(try await service.isServing()) }
      #expect(client.unreadBytes >= stream.count - 3 * ConnectionHandler.freeBytes)
      service.release()
      #expect(try await client.receive(bytes: Self.greeting.count + stream.count) == Self.greeting + stream)
    }
  }

  @Test("What the stream's owner does not ask for waits at its client")
  func backpressure() async throws {
    try await GivingService.run(begin: { _, _ in }) { service in
      let client = try RawClient(to: service.path)
      try await client.send(Self.open)
      #expect(try await client.receive(bytes: Self.greeting.count) == Self.greeting)
      var sent = 0
      while true {
        let count = client.sendWhatFits([UInt8](repeating: 7, count: 65_536))
        if count == 0 { break }
        sent += count
      }
      for _ in 0..<50 { #expect(try await service.isServing()) }
      // The read that was under way may still take its part.
      #expect(client.unreadBytes >= sent - 65_536 && sent > 131_072)
    }
  }

  @Test(
    "Calls that are not fit for a stream are refused, and nothing behind them counts as a call",
    arguments: [
      (
        #"{"method":"org.example.Giving.Open","upgrade":true,"more":true}"#, "InvalidParameter",
        #"{"parameter":"more"}"#
      ),
      (
        #"{"method":"org.example.Test.Echo","parameters":{"text":"a"},"upgrade":true}"#, "MethodNotImplemented",
        #"{"method":"org.example.Test.Echo"}"#
      ),
      (
        #"{"method":"org.example.Giving.Open","upgrade":true,"parameters":{"x":1}}"#, "InvalidParameter",
        #"{"parameter":"x"}"#
      ),
      (
        #"{"method":"org.example.Giving.Nothing","upgrade":true}"#, "MethodNotImplemented",
        #"{"method":"org.example.Giving.Nothing"}"#
      ),
    ])
  func refused(call: String, error: String, parameters: String) async throws {
    try await GivingService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(Array(call.utf8) + [0] + Array(Self.echo.utf8) + [0])
      let expected = #"{"error":"org.varlink.service.\#(error)","parameters":\#(parameters)}"#
      #expect(try await client.receive() == json(expected))
      #expect(try await client.receive() == nil)
    }
  }

  @Test("Without `upgrade` the method is refused, and the connection goes on")
  func withoutUpgrade() async throws {
    try await GivingService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(#"{"method":"org.example.Giving.Open"}"#)
      let expected = #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"upgrade"}}"#
      #expect(try await client.receive() == json(expected))
      try await client.send(Self.echo)
      #expect(try await client.receive()?.parameters?["text"]?.string == "a")
    }
  }

  @Test("An error of the handler is the last thing that the connection has")
  func fails() async throws {
    try await GivingService.run { service in
      let client = try RawClient(to: service.path)
      let call = #"{"method":"org.example.Giving.Open","upgrade":true,"parameters":{"fails":true}}"#
      try await client.send(Array(call.utf8) + [0] + Array(Self.echo.utf8) + [0])
      #expect(try await client.receive()?["error"]?.string == "org.example.Test.Declared")
      #expect(try await client.receive() == nil)
    }
  }

  @Test("A client that sends its last bytes ahead is answered, and heard to have ended")
  func halfClosedBefore() async throws {
    try await GivingService.run(waits: true) { service in
      let client = try RawClient(to: service.path)
      try await client.send(Array(Self.open.utf8) + [0] + Array("all".utf8))
      client.closeSending()
      for _ in 0..<20 { #expect(try await service.isServing()) }
      service.release()
      #expect(try await client.receive(bytes: Self.greeting.count + 4) == Self.greeting + Array("all".utf8))
    }
  }

  @Test("A client that leaves before the reply gets no stream, and its handler is told")
  func leaves() async throws {
    try await GivingService.run(waits: true) { service in
      var events = service.events.makeAsyncIterator()
      var client: RawClient? = try RawClient(to: service.path)
      try await client?.send(Self.open)
      #expect(try await service.isServing())
      client = nil
      for _ in 0..<20 { #expect(try await service.isServing()) }
      service.release()
      #expect(await events.next() == .abandoned)
    }
  }

  @Test("Another router changes no stream; the service's end ends it")
  func serverEnds() async throws {
    try await GivingService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(Self.open)
      #expect(try await client.receive(bytes: Self.greeting.count) == Self.greeting)
      let router = VarlinkRouter(
        ServiceInformation(vendor: "Example", product: "other", version: "2", url: "https://example.org")
      ) { _, _ in false }
      await service.server.change(to: router, limits: VarlinkServer.Limits())
      try await client.send(Array("still".utf8))
      #expect(try await client.receive(bytes: 5) == Array("still".utf8))
      await service.server.close()
      #expect(try await client.receive(bytes: 1) == [])
    }
  }

  @Test("A stream counts as a connection, is never an idle one, and makes room when it ends")
  func counts() async throws {
    var limits = VarlinkServer.Limits()
    limits.connections = 2
    // Of a connection that waits for its turn, too: not too short for a busy machine.
    limits.idleTime = .milliseconds(600)
    limits.shortIdleTime = .milliseconds(300)
    try await GivingService.run(limits: limits) { service in
      var streams: [RawClient] = []
      for number in 0..<2 {
        if number == 1 {
          // Idle later than the stream, and ended for it.
          let idle = try RawClient(to: service.path)
          #expect(try await idle.receive() == nil)
        }
        // The client of the idle connection may see its end before the server has its place back.
        var client: RawClient?
        while client == nil {
          let next = try RawClient(to: service.path)
          _ = try? await next.send(Self.open)
          if (try? await next.receive(bytes: Self.greeting.count)) == Self.greeting { client = next }
        }
        streams.append(try #require(client))
      }
      for _ in 0..<20 {
        let refused = try RawClient(to: service.path)
        #expect(try await refused.receive() == nil)
      }
      for stream in streams {
        try await stream.send(Array("here".utf8))
        #expect(try await stream.receive(bytes: 4) == Array("here".utf8))
      }
      streams.removeLast()
      while try await !isServed(service) {}
    }
  }

  private func isServed(_ service: GivingService) async throws -> Bool {
    do { return try await service.isServing() } catch VarlinkClientError.disconnected { return false }
  }

  @Test("The client of this package sends and reads megabytes, half closes and sees the end")
  func client() async throws {
    try await GivingService.run { service in
      let opened = try await VarlinkClient.upgrade(by: GivingInterface.Open.self, .init(), at: service.path)
      #expect(opened.reply.greeting == "hello")
      let sent = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
      let writing = Task {
        try await opened.stream.write(ByteBuffer(bytes: sent))
        try await opened.stream.closeSending()
      }
      var received: [UInt8] = []
      for try await bytes in opened.stream { received += bytes.readableBytesView }
      try await writing.value
      #expect(received == sent)
    }
  }

  @Test("The client gets the error of a refused stream, and can be cancelled while it waits or reads")
  func clientEnds() async throws {
    try await GivingService.run { service in
      await #expect(throws: VarlinkError.self) {
        try await VarlinkClient.upgrade(by: GivingInterface.Open.self, .init(fails: true), at: service.path)
      }
      let opened = try await VarlinkClient.upgrade(by: GivingInterface.Open.self, .init(), at: service.path)
      let reading = Task { try await opened.stream.read() }
      reading.cancel()
      await #expect(throws: CancellationError.self) { try await reading.value }
      for await event in service.events where event == .begun { break }
      for channel in service.channels.value { try await channel.closeFuture.get() }
    }
    try await GivingService.run(waits: true) { service in
      let opening = Task {
        try await VarlinkClient.upgrade(by: GivingInterface.Open.self, .init(), at: service.path).reply
      }
      let isServing = try await service.isServing()
      #expect(isServing)
      opening.cancel()
      await #expect(throws: CancellationError.self) { try await opening.value }
    }
  }
}
