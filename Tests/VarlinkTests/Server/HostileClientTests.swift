import Glibc
import Testing
import Varlink

@Suite("Hostile clients", .timeLimit(.minutes(1)))
struct HostileClientTests {
  @Test(
    "What is no call closes the connection, and others are served",
    arguments: [
      "", " ", "null", "17", "[]", "\"a\"", "{", "{}", #"{"method":1}"#, #"{"method":null}"#, #"{"parameters":{}}"#,
      #"{"method":"org.example.Test.Echo""#, #"{"method":"org.example.Test.Echo","more":"yes"}"#,
      #"{"method":"org.example.Test.Echo","oneway":1}"#, "{'method':'a.b.C'}", "GET / HTTP/1.1\r\n\r\n",
      String(repeating: "[", count: 500_000), String(repeating: #"{"a":"#, count: 100_000),
      #"{"method":"org.example.Test.Echo","parameters":"# + String(repeating: "[", count: 10_000),
    ])
  func garbage(frame: String) async throws {
    try await TestService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(frame)
      #expect(try await client.receive() == nil)
      #expect(try await service.isServing())
    }
  }

  @Test("Bytes that are not UTF-8 are not served")
  func invalidUnicode() async throws {
    try await TestService.run { service in
      let client = try RawClient(to: service.path)
      let head = Array(#"{"method":"org.example.Test.Echo","parameters":{"text":""#.utf8)
      try await client.send(head + [0xff, 0xc0, 0x80] + Array("\"}}".utf8) + [0])
      let answer = try await client.receive()
      #expect(answer == nil || answer?["error"] != nil)
      #expect(try await service.isServing())
    }
  }

  @Test("A frame of 1 MiB is served, one byte more closes the connection")
  func frameLimit() async throws {
    try await TestService.run { service in
      let frame = { (size: Int) in
        let head = #"{"method":"org.example.Test.Echo","parameters":{"text":""#
        return head + text(bytes: size - head.utf8.count - 3) + #""}}"#
      }
      let client = try RawClient(to: service.path)
      try await client.send(frame(1 << 20))
      #expect(try await client.receive()?.parameters?["text"] != nil)
      try await client.send(frame(1 << 20 + 1))
      #expect(try await client.receive() == nil)
      #expect(try await service.isServing())
    }
  }

  @Test("A frame that never ends and names no method closes the connection long before the limit of frames")
  func endlessFrame() async throws {
    try await TestService.run { service in
      let client = try RawClient(to: service.path)
      let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
      var sent = 0
      while try await client.send(chunk) {
        sent += chunk.count
        try #require(sent < 64 << 20)
      }
      // What waits in the socket's buffers comes on top of the limit.
      #expect(sent < 1 << 20)
      #expect(try await service.isServing())
    }
  }

  @Test("1,000 clients at once are all served, and a client beside them")
  func manyConnections() async throws {
    try FileLimit.raise(to: 4096)
    try await TestService.run { service in
      let clients = try (0..<1000).map { _ in try RawClient(to: service.path) }
      #expect(try await service.isServing())
      for (number, client) in clients.enumerated() {
        try await client.send(#"{"method":"org.example.Test.Echo","parameters":{"text":"\#(number)"}}"#)
      }
      for (number, client) in clients.enumerated() {
        #expect(try await client.receive()?.parameters?["text"]?.string == "\(number)")
      }
    }
  }

  @Test("A connection beyond the limit is closed, and may come back when another has left")
  func connectionLimit() async throws {
    var limits = VarlinkServer.Limits()
    limits.connections = 3
    try await TestService.run(limits: limits) { service in
      let call = #"{"method":"org.example.Test.Echo","parameters":{"text":"a"}}"#
      let clients = try (0..<3).map { _ in try RawClient(to: service.path) }
      for client in clients {
        try await client.send(call)
        #expect(try await client.receive() != nil)
      }
      let beyond = try RawClient(to: service.path)
      #expect(try await beyond.receive() == nil)
      try await clients[0].send("no call")
      #expect(try await clients[0].receive() == nil)
      // The place is free once the server has seen the end, which may be a moment after its client
      // has.
      var served = false
      while !served {
        let next = try RawClient(to: service.path)
        try await next.send(call)
        served = try await next.receive() != nil
      }
    }
  }

  @Test("A client that never reads is closed at the limit, its handler is cancelled, and others are served meanwhile")
  func neverReads() async throws {
    var limits = VarlinkServer.Limits()
    limits.unreadReplyBytes = 1 << 20
    try await TestService.run(limits: limits) { service in
      let deaf = try RawClient(to: service.path)
      try await deaf.send(#"{"method":"org.example.Test.Flood","parameters":{"replies":1000},"more":true}"#)
      #expect(try await service.isServing())
      // What the kernel had taken still comes, and then the end instead of the other replies.
      var replies = 0
      while let frame = try await deaf.receiveFrame() {
        replies += 1
        #expect(frame.count > 65_536)
      }
      #expect(replies < 1000)
      #expect(try await service.isServing())
    }
  }

  @Test("A client that asks and asks and only then reads is held back, others are served, and it gets every answer")
  func asksWithoutReading() async throws {
    try await TestService.run { service in
      let client = try RawClient(to: service.path)
      let call =
        Array(#"{"method":"org.example.Test.Echo","parameters":{"text":"\#(text(bytes: 65_536))"}}"#.utf8) + [0]
      let sender = Task {
        for _ in 0..<300 { try await client.send(call) }
      }
      // The first is answered, into a connection that nobody reads yet; the next ones wait for
      // that.
      var echoed = service.echoed.makeAsyncIterator()
      _ = await echoed.next()
      #expect(try await service.isServing())
      for _ in 0..<300 { #expect(try await client.receive()?.parameters?["text"]?.string?.utf8.count == 65_536) }
      try await sender.value
    }
  }

  @Test("Calls sent ahead of a call that takes its time are held in the client's own buffer")
  func sendsAhead() async throws {
    try await TestService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(#"{"method":"org.example.Test.Wait"}"#)
      let size = 512 << 10
      let call = Array(#"{"method":"org.example.Test.Echo","parameters":{"text":"\#(text(bytes: size))"}}"#.utf8) + [0]
      let sender = Task {
        for _ in 0..<16 { try await client.send(call) }
      }
      #expect(try await service.isServing())
      service.answer("now")
      #expect(try await client.receive()?.parameters?["text"]?.string == "now")
      for _ in 0..<16 { #expect(try await client.receive()?.parameters?["text"]?.string?.utf8.count == size) }
      try await sender.value
    }
  }

  @Test("A client that makes plain calls and reads no answer is closed after a time, and others are served meanwhile")
  func neverReadsPlainAnswers() async throws {
    var limits = VarlinkServer.Limits()
    limits.unreadReplyTime = .milliseconds(50)
    try await TestService.run(limits: limits) { service in
      let client = try RawClient(to: service.path)
      let call =
        Array(#"{"method":"org.example.Test.Echo","parameters":{"text":"\#(text(bytes: 65_536))"}}"#.utf8) + [0]
      var sent = 0
      // Held back, not refused: at some point the client's own send waits, and then fails as the
      // connection is gone.
      while try await client.send(call) {
        sent += 1
        try #require(sent < 1000)
        #expect(try await service.isServing())
      }
      #expect(sent > 0)
    }
  }

  @Test("The handler of a stream is cancelled when its client leaves")
  func leavesStream() async throws {
    try await TestService.run { service in
      do {
        let client = try RawClient(to: service.path)
        try await client.send(#"{"method":"org.example.Test.Forever","more":true}"#)
        #expect(try await client.receive()?["continues"] == .bool(true))
      }
      var cancelled = service.cancelled.makeAsyncIterator()
      await cancelled.next()
    }
  }

  @Test("It is cancelled too when its client had sent many calls behind it")
  func leavesStreamWithCallsWaiting() async throws {
    try await TestService.run { service in
      do {
        let client = try RawClient(to: service.path)
        try await client.send(#"{"method":"org.example.Test.Forever","more":true}"#)
        #expect(try await client.receive()?["continues"] == .bool(true))
        let call = Array(#"{"method":"org.example.Test.Echo","parameters":{"text":"a"}}"#.utf8) + [0]
        try await client.send(Array(repeatElement(call, count: 200).joined()))
      }
      var cancelled = service.cancelled.makeAsyncIterator()
      await cancelled.next()
    }
  }

  @Test("Random bytes, cut and joined anyhow, never stop the service", arguments: 0..<8)
  func random(seed: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let valid = Array(#"{"method":"org.example.Test.Echo","parameters":{"text":"a","count":3,"list":[{"at":1}]}}"#.utf8)
    try await TestService.run { service in
      for _ in 0..<40 {
        let client = try RawClient(to: service.path)
        var bytes = valid + [0]
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
          bytes = (0..<Int.random(in: 0..<300, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
          }
        case 1:
          for _ in 0..<Int.random(in: 1...4, using: &generator) {
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
          }
        default:
          bytes.removeSubrange(Int.random(in: 0..<bytes.count, using: &generator)...)
          bytes += valid + [0]
        }
        try await client.send(bytes)
        client.closeSending()
        // Each frame is answered or ends the connection; then the end comes.
        while let reply = try await client.receive() { #expect(reply.parameters != nil) }
      }
      #expect(try await service.isServing())
    }
  }
}

/// The same numbers in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }
}

/// How many files this process may have open.
enum FileLimit {
  static func raise(to count: rlim_t) throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    guard limit.rlim_cur < count else { return }
    limit.rlim_cur = min(count, limit.rlim_max)
    try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 && limit.rlim_cur >= 2100)
  }
}
