import EventLoopTasks
import Glibc
import NIOPosix
import Testing
import Varlink

@Suite("Calls over a socket", .timeLimit(.minutes(1)))
struct CallTests {
  @Test(
    "A call gets the reply or the error that the protocol has for it",
    arguments: [
      (#"{"method":"org.example.Test.Echo","parameters":{"text":"a"}}"#, #"{"parameters":{"text":"a","tone":null}}"#),
      (
        #"{"method":"org.example.Test.Echo","parameters":{"text":"a","tone":"quiet"}}"#,
        #"{"parameters":{"text":"a","tone":"quiet"}}"#
      ),
      (
        #"{"method":"org.example.Test.Echo","parameters":{"text":"a","count":null,"kind":"large","list":[{"at":1}]}}"#,
        #"{"parameters":{"text":"a","tone":null}}"#
      ),
      (
        #"{"method":"org.example.Test.Echo","parameters":{"text":"ü\u0000 \" \\"}}"#,
        #"{"parameters":{"text":"ü\u0000 \" \\","tone":null}}"#
      ),
      (
        #"{"method":"org.example.Test.Echo","parameters":{"text":"a"},"more":true}"#,
        #"{"parameters":{"text":"a","tone":null}}"#
      ),
      (#"{"method":"org.example.Test.Count","parameters":{"to":3}}"#, #"{"parameters":{"number":3}}"#),
      (#"{"method":"org.example.Test.Who","extra":[1,{"a":2}]}"#, nil),
      (#"{"method":"org.example.Test.Who","parameters":null}"#, nil),
      (
        #"{"method":"org.example.Test.Fail","parameters":{"how":"declared"}}"#,
        #"{"error":"org.example.Test.Declared","parameters":{"why":"asked for","hint":null}}"#
      ),
    ])
  func replies(call: String, reply: String?) async throws {
    try await TestService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(call)
      let answer = try #require(try await client.receive())
      if let reply { #expect(answer == (try json(reply))) } else { #expect(answer.parameters != nil) }
    }
  }

  @Test("Another router answers from then on, over open connections too; a call under way ends with the first one")
  func change() async throws {
    try await TestService.run { service in
      let (waiting, asking) = (
        try await VarlinkClient.connect(to: service.path), try await VarlinkClient.connect(to: service.path)
      )
      let call = Task { try await waiting.call(TestInterface.Wait.self, .init()).text }
      for await _ in service.waiting { break }
      #expect(try await asking.call(TestInterface.Echo.self, .init(text: "before")).text == "before")
      var router = VarlinkRouter(
        ServiceInformation(vendor: "Example", product: "other", version: "2", url: "https://example.org")
      ) { _, method in method == TestInterface.Echo.name }
      router.add(TestInterface.self)
      router.answer(TestInterface.Echo.self) { _, _ in EncodedReply(.init(text: "other", tone: nil)) }
      router.handle(TestInterface.Wait.self) { _, _ in .init(text: "other") }
      var limits = VarlinkServer.Limits()
      limits.connections = 16
      await service.server.change(to: router, limits: limits)
      #expect(try await asking.call(TestInterface.Echo.self, .init(text: "after")).text == "other")
      service.answer("first")
      #expect(try await call.value == "first")
    }
  }

  @Test("Calls of a method run where the router says, and others in Swift's thread pool")
  func executors() async throws {
    try await TestService.run { service in
      let loop = MultiThreadedEventLoopGroup.singleton.next()
      var router = VarlinkRouter(
        ServiceInformation(vendor: "Example", product: "other", version: "2", url: "https://example.org")
      ) { _, _ in true }
      router.add(TestInterface.self)
      let tell = { @Sendable (when: String) in
        guard let current = MultiThreadedEventLoopGroup.currentEventLoop else { return "\(when) pool" }
        return "\(when) \(current === loop ? "loop" : "another")"
      }
      // Behind a wait as before it.
      router.handle(TestInterface.Wait.self) { _, _ in
        let start = tell("first")
        try await Task.sleep(for: .milliseconds(1))
        return .init(text: "\(start), \(tell("then"))")
      }
      let client = try await VarlinkClient.connect(to: service.path)
      await service.server.change(to: router, limits: .init())
      #expect(try await client.call(TestInterface.Wait.self, .init()).text == "first pool, then pool")
      router.runCalls(of: TestInterface.Wait.self) { _ in LoopExecutor(loop) }
      await service.server.change(to: router, limits: .init())
      #expect(try await client.call(TestInterface.Wait.self, .init()).text == "first loop, then loop")
    }
  }

  @Test(
    "A wrong parameter is named",
    arguments: [
      (#"{}"#, "text"),
      (#"{"text":1}"#, "text"),
      (#"{"text":null}"#, "text"),
      (#"{"text":"a","count":"1"}"#, "count"),
      (#"{"text":"a","count":1.5}"#, "count"),
      (#"{"text":"a","count":99999999999999999999}"#, "count"),
      (#"{"text":"a","count":true}"#, "count"),
      (#"{"text":"a","kind":"medium"}"#, "kind"),
      (#"{"text":"a","tone":"medium"}"#, "tone"),
      (#"{"text":"a","tone":1}"#, "tone"),
      (#"{"text":"a","list":{}}"#, "list"),
      (#"{"text":"a","list":[{"at":1},{"at":"x"}]}"#, "list.1.at"),
      (#"{"text":"a","unknown":1}"#, "unknown"),
      (#"[]"#, "parameters"),
      (#""text""#, "parameters"),
    ])
  func invalidParameters(parameters: String, named name: String) async throws {
    try await TestService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(#"{"method":"org.example.Test.Echo","parameters":\#(parameters)}"#)
      let expected = #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"\#(name)"}}"#
      #expect(try await client.receive() == json(expected))
    }
  }

  @Test(
    "A method that cannot be called is refused by name",
    arguments: [
      (#"{"method":"org.example.Test.Missing"}"#, "MethodNotFound", "method", "org.example.Test.Missing"),
      (#"{"method":"org.example.Test."}"#, "MethodNotFound", "method", "org.example.Test."),
      (#"{"method":"org.example.Other.Echo"}"#, "InterfaceNotFound", "interface", "org.example.Other"),
      (#"{"method":"org.varlink.service.Nothing"}"#, "MethodNotFound", "method", "org.varlink.service.Nothing"),
      (#"{"method":"Echo"}"#, "MethodNotFound", "method", "Echo"),
      (#"{"method":""}"#, "MethodNotFound", "method", ""),
      (
        #"{"method":"org.example.Test.Echo","parameters":{"text":"a"},"upgrade":true}"#, "MethodNotImplemented",
        "method",
        "org.example.Test.Echo"
      ),
      (
        #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.example.Other"}}"#,
        "InterfaceNotFound", "interface", "org.example.Other"
      ),
    ])
  func refused(call: String, error: String, field: String, value: String) async throws {
    try await TestService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(call)
      let expected = #"{"error":"org.varlink.service.\#(error)","parameters":{"\#(field)":"\#(value)"}}"#
      #expect(try await client.receive() == json(expected))
    }
  }

  @Test("An error that is not declared tells nothing of the inside")
  func undeclaredError() async throws {
    try await TestService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(#"{"method":"org.example.Test.Fail","parameters":{"how":"undeclared"}}"#)
      #expect(try await client.receive() == json(#"{"error":"org.varlink.service.InternalError","parameters":{}}"#))
    }
  }

  @Test("The service describes itself")
  func description() async throws {
    try await TestService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(#"{"method":"org.varlink.service.GetInfo"}"#)
      let information = #"""
        {"parameters":{"vendor":"Example","product":"test","version":"1","url":"https://example.org",
        "interfaces":["org.varlink.service","org.example.Test"]}}
        """#
      #expect(try await client.receive() == json(information))
      for interface in ["org.example.Test", "org.varlink.service"] {
        try await client.send(
          #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"\#(interface)"}}"#)
        let text = try #require(try await client.receive()?.parameters?["description"]?.string)
        #expect(text.contains("\ninterface \(interface)\n"))
      }
    }
  }

  @Test("Calls sent ahead are answered in order, each to its end before the next")
  func pipelined() async throws {
    try await TestService.run { service in
      let client = try RawClient(to: service.path)
      var bytes: [UInt8] = []
      for number in 0..<200 {
        bytes += Array(#"{"method":"org.example.Test.Echo","parameters":{"text":"\#(number)"}}"#.utf8) + [0]
      }
      let wait = Array(#"{"method":"org.example.Test.Wait"}"#.utf8) + [0]
      let count = Array(#"{"method":"org.example.Test.Count","parameters":{"to":2},"more":true}"#.utf8) + [0]
      try await client.send(wait + bytes + count + wait)
      service.answer("first")
      #expect(try await client.receive()?.parameters?["text"]?.string == "first")
      for number in 0..<200 {
        #expect(try await client.receive()?.parameters?["text"]?.string == "\(number)")
      }
      #expect(try await client.receive() == json(#"{"parameters":{"number":1},"continues":true}"#))
      #expect(try await client.receive() == json(#"{"parameters":{"number":2}}"#))
      service.answer("last")
      #expect(try await client.receive()?.parameters?["text"]?.string == "last")
    }
  }

  @Test("A call that comes byte by byte is answered")
  func byteByByte() async throws {
    try await TestService.run { service in
      let client = try RawClient(to: service.path)
      for byte in Array(#"{"method":"org.example.Test.Echo","parameters":{"text":"slow"}}"#.utf8) + [0] {
        try await client.send([byte])
      }
      #expect(try await client.receive()?.parameters?["text"]?.string == "slow")
    }
  }

  @Test("A oneway call is done and never answered, neither with a reply nor with an error")
  func oneway() async throws {
    try await TestService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(#"{"method":"org.example.Test.Echo","parameters":{"text":"silent"},"oneway":true}"#)
      try await client.send(#"{"method":"org.example.Test.Echo","parameters":{"text":1},"oneway":true}"#)
      try await client.send(#"{"method":"org.example.Test.Count","parameters":{"to":3},"oneway":true,"more":true}"#)
      try await client.send(#"{"method":"org.example.Test.Fail","parameters":{"how":"declared"},"oneway":true}"#)
      try await client.send(#"{"method":"org.example.Test.Echo","parameters":{"text":"answered"}}"#)
      #expect(try await client.receive()?.parameters?["text"]?.string == "answered")
      var echoed = service.echoed.makeAsyncIterator()
      #expect(await echoed.next() == "silent")
      #expect(await echoed.next() == "answered")
    }
  }

  @Test("A stream says that more follows until its last reply; without `more` only the last is sent")
  func stream() async throws {
    try await TestService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(#"{"method":"org.example.Test.Count","parameters":{"to":4},"more":true}"#)
      for number in 1...3 {
        #expect(try await client.receive() == json(#"{"parameters":{"number":\#(number)},"continues":true}"#))
      }
      #expect(try await client.receive() == json(#"{"parameters":{"number":4}}"#))
      try await client.send(#"{"method":"org.example.Test.Count","parameters":{"to":4}}"#)
      #expect(try await client.receive() == json(#"{"parameters":{"number":4}}"#))
      try await client.send(#"{"method":"org.example.Test.Count","parameters":{"to":2},"more":true}"#)
      #expect(try await client.receive() == json(#"{"parameters":{"number":1},"continues":true}"#))
      // Nothing was made for the call without `more`.
      var counted = service.counted.makeAsyncIterator()
      for number in [1, 2, 3, 1] { #expect(await counted.next() == number) }
    }
  }

  @Test("A caller that only stops sending gets its answers, and then the end")
  func halfClose() async throws {
    try await TestService.run { service in
      let client = try RawClient(to: service.path)
      try await client.send(#"{"method":"org.example.Test.Wait"}"#)
      try await client.send(#"{"method":"org.example.Test.Echo","parameters":{"text":"a"}}"#)
      client.closeSending()
      service.answer("b")
      #expect(try await client.receive()?.parameters?["text"]?.string == "b")
      #expect(try await client.receive()?.parameters?["text"]?.string == "a")
      #expect(try await client.receive() == nil)
    }
  }

  @Test("The caller is who the kernel says, before its first call")
  func peer() async throws {
    try await TestService.run { service in
      let client = try await VarlinkClient.connect(to: service.path)
      let who = try await client.call(TestInterface.Who.self, .init())
      #expect(who.user == Int(geteuid()) && who.process == Int(getpid()))
      #expect(who.groups.contains(Int(getegid())))
    }
  }

  @Test("What the peer may not call is denied; the description of the service never is")
  func denied() async throws {
    try await TestService.run(isAllowed: { peer, method in peer.userID == geteuid() && method.hasSuffix(".Who") }) {
      service in
      let client = try RawClient(to: service.path)
      try await client.send(#"{"method":"org.example.Test.Echo","parameters":{"text":"a"}}"#)
      #expect(try await client.receive() == json(#"{"error":"org.varlink.service.PermissionDenied","parameters":{}}"#))
      try await client.send(#"{"method":"org.example.Test.Who"}"#)
      #expect(try await client.receive()?.parameters != nil)
      try await client.send(#"{"method":"org.varlink.service.GetInfo"}"#)
      #expect(try await client.receive()?.parameters != nil)
    }
  }
}

extension JSONValue {
  subscript(_ name: String) -> JSONValue? {
    if case .object(let fields) = self { fields[name] } else { nil }
  }
  var parameters: JSONValue? { self["parameters"] }
  var string: String? { if case .string(let text) = self { text } else { nil } }
}
