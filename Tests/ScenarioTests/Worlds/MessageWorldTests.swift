import FoundationEssentials
import ModemAPI
import ModemModel
import ScenarioRunner
import modem_simulator
import Testing
import Varlink

/// Messages from the network to modemctl, through both daemons.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct MessageWorldTests {
  private static func modemctl(_ world: World, _ arguments: String...) async throws -> CommandResult {
    try await world.run(["modemctl", "sms"] + arguments)
  }

  private static func list(_ world: World) async throws -> [MessagesInterface.Message] {
    let result = try await modemctl(world, "list", "--json", "--reveal")
    guard result.end == .exited(0) else { return [] }
    return try JSONDecoder().decode(MessagesInterface.List.Reply.self, from: Data(result.output.utf8)).messages
  }

  @Test(arguments: ModemProtocol.allCases)
  func `a code comes to everyone who waits, long and foreign messages are whole, and what is deleted is gone`(
    kind: ModemProtocol
  ) async throws {
    let scenario = #"{"messages": {"capacity": 255, "present": [{"from": "+4915150000000", "text": "was there"}]}}"#
    try await Worlds.with(scenario, kind: kind) { world in
      #expect(try await world.eventually { try await Self.list(world).map(\.text) == ["was there"] })
      let waiting = [
        try await world.begin(["modemctl", "sms", "wait-for-code", "--timeout", "30"]),
        try await world.begin(
          [
            "modemctl", "sms", "wait-for-code", "--timeout", "30", "--sender", "examplebank", "--pattern",
            "is {digits:6}",
          ]),
      ]
      // The code comes until both have it: nobody knows when they have begun to wait.
      let haveEnded = try await world.eventually {
        guard waiting.contains(where: { $0.process.end == nil }) else { return true }
        _ = try await world.perform("sms ExampleBank Your code is 482913")
        try await Task.sleep(for: .milliseconds(200))
        return false
      }
      #expect(haveEnded)
      for command in waiting {
        #expect(await command.process.waitForEnd() == .exited(0), "\(command.error())")
        #expect(command.output() == "482913\n")
      }
      let long = String(repeating: "0123456789 ", count: 30) + "家 😀 ende"
      let parts = try await world.perform("sms +4915112340000 \(long)")
      #expect(parts.split(separator: ",").count == 6)
      #expect(try await world.eventually { try await Self.list(world).last?.text == long })
      for message in try await Self.list(world) {
        let result = try await Self.modemctl(world, "delete", message.id)
        #expect(result.end == .exited(0), "\(result.error)")
      }
      #expect(world.modem.snapshot.messages.isEmpty)
      #expect(try await Self.list(world).isEmpty)
      let log = Worlds.contents(of: world.folder.file("modemd-port.log")) ?? ""
      #expect(!log.contains("482913") && !log.contains("4915150000000"))
    }
  }

  @Test(arguments: ModemProtocol.allCases)
  func `messages that the modem does not store are there, and those of other kinds are left out`(
    kind: ModemProtocol
  ) async throws {
    try await Worlds.with(#"{"messages": {"passOn": "yes"}}"#, kind: kind) { world in
      #expect(try await world.eventually { try await Self.modemctl(world, "list").end == .exited(0) })
      #expect(try await world.perform("sms 12345 Your code is 4711") == "passed on")
      // A status report, a silent message, one that cannot be read, and one of class 0.
      for hex in ["00062A", "0004048121436540002611221200004000", "0791", "0004048121430010261122120000400441E19008"] {
        #expect(try await world.perform("sms-pdu \(hex)") == "passed on")
      }
      #expect(try await world.eventually { try await Self.list(world).count == 2 })
      let messages = try await Self.list(world)
      #expect(messages.map(\.stored) == [false, false])
      #expect(messages.last?.messageClass == 0)
      if kind == .qmi { #expect(try await world.eventually { world.modem.snapshot.acknowledgedMessages.count == 5 }) }
      // modemd-port has them as long as it runs; modemd may come and go.
      await world.end(.service)
      try await world.start(.service)
      #expect(try await world.eventually { try await Self.list(world).count == 2 })
      let delete = try await Self.modemctl(world, "delete", messages[0].id)
      #expect(delete.end == .exited(0), "\(delete.error)")
      #expect(try await Self.list(world).count == 1)
    }
  }

  @Test(arguments: ModemProtocol.allCases)
  func `a full store is told with what to do, and takes messages again after that`(kind: ModemProtocol) async throws {
    let scenario =
      #"{"messages": {"capacity": 2, "present": [{"text": "one"}, {"pdu": "\#(Self.hello)"}]}}"#
    try await Worlds.with(scenario, kind: kind) { world in
      #expect(try await world.eventually { try await Self.list(world).map(\.text) == ["one", "Hello"] })
      #expect(try await world.perform("sms 12345 code 4711") == "no room")
      let list = try await Self.modemctl(world, "list")
      #expect(list.error.contains("delete some with `modemctl sms delete ID`"))
      let wait = try await Self.modemctl(world, "wait-for-code")
      #expect(wait.end == .exited(6) && wait.error.contains("store of messages is full"))
      let first = try await Self.list(world)[0]
      #expect(try await Self.modemctl(world, "delete", first.id).end == .exited(0))
      #expect(
        try await world.eventually {
          try await !Self.modemctl(world, "list").error.contains("full")
        })
      #expect(try await world.perform("sms 12345 code 4711") == "stored at 1")
      #expect(try await world.eventually { try await Self.list(world).contains { $0.text == "code 4711" } })
    }
  }

  /// "Hello" from +4915112345678.
  private static let hello = "0791947101670000040D91945111325476F800006211222003544005C8329BFD06"

  @Test func `an unplugged modem's messages stay known, and another SIM's take their place`() async throws {
    try await Worlds.with(#"{"messages": {"present": [{"text": "mine"}]}}"#) { world in
      #expect(try await world.eventually { try await Self.list(world).map(\.text) == ["mine"] })
      _ = try await world.perform("unplug")
      _ = try await world.perform("plug-in")
      #expect(try await world.perform("sms 12345 after it").hasPrefix("stored"))
      #expect(try await world.eventually { try await Self.list(world).map(\.text) == ["mine", "after it"] })
      _ = try await world.perform("remove-sim")
      #expect(
        try await world.eventually {
          let list = try await Self.modemctl(world, "list")
          return list.end == .exited(9) && list.error.contains("there is no SIM in the modem")
        })
    }
  }

  @Test func `verbs and fields without sense are errors that say what was expected`() async throws {
    for text in [
      #"{"messages": {"capacity": 256}}"#, #"{"messages": {"passOn": "maybe"}}"#, #"{"messages": {"present": [{}]}}"#,
      #"{"messages": {"present": [{"pdu": "xyz"}]}}"#, #"{"messages": {"present": [{"text": "x", "from": ""}]}}"#,
      #"{"messages": {"present": [{"text": "x", "class": 0}]}}"#, #"{"messages": {"absent": []}}"#,
    ] {
      let error = #expect(throws: WorldError.self, "\(text)") { try Scenario(text: text) }
      #expect(error?.description.contains("messages") == true)
    }
    try await Worlds.with(startsDaemons: false) { world in
      for line in ["sms", "sms 12345", "sms-pdu", "sms-pdu 1", "sms-pdu xy", "sms NameOfTwelve! text"] {
        await #expect(throws: (any Error).self, "\(line)") { try await world.perform(line) }
      }
    }
  }
}
