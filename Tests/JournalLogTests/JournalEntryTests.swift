import Logging
import Testing

@testable import JournalLog

@Suite("Entries of the journal")
struct JournalEntryTests {
  private static func text(_ fields: [(String, String)]) -> [UInt8] {
    var entry = JournalEntry()
    for (name, value) in fields { entry.add(name, value) }
    return entry.serialized
  }

  @Test func `A field is its name, an equals sign and its value`() {
    #expect(Self.text([("MESSAGE", "bearer up"), ("PRIORITY", "5")]) == Array("MESSAGE=bearer up\nPRIORITY=5\n".utf8))
  }

  @Test func `A value with a line break is sent with its length, and cannot become another field`() {
    let value = "bad\nPRIORITY=0\nMESSAGE_ID=d7ac3e439521477d97eadd5188390151"
    let expected =
      Array("MESSAGE\n".utf8) + [UInt8(value.utf8.count), 0, 0, 0, 0, 0, 0, 0] + Array(value.utf8) + [0x0a]
    #expect(Self.text([("MESSAGE", value)]) == expected)
  }

  @Test(
    "names that the journal keeps for itself, or does not take, are left out",
    arguments: ["_PID", "", "1A", "lower", "WITH SPACE", "A=B", "A\nB", "Ä", String(repeating: "A", count: 65)])
  func badName(_ name: String) {
    #expect(Self.text([(name, "x")]).isEmpty)
  }

  @Test func `A long value is cut at a character, and an entry has a largest number of fields`() throws {
    var entry = JournalEntry()
    entry.add("MESSAGE", String(repeating: "€", count: JournalEntry.mostBytes))
    let value = try #require(entry.fields.first?.value)
    #expect(value.utf8.count <= JournalEntry.mostBytes + 3 && value.hasSuffix("€…"))
    for number in 0..<200 { entry.add("FIELD_\(number)", "x") }
    #expect(entry.fields.count == JournalEntry.mostFields)
  }

  @Test(
    "a key of metadata names its field",
    arguments: [
      ("modem", "MODEMD_MODEM"), ("error.kind", "MODEMD_ERROR_KIND"), ("ask-twice", "MODEMD_ASK_TWICE"),
      ("a\nb", "MODEMD_A_B"),
    ])
  func names(_ key: String, _ name: String) {
    #expect(JournalEntry.name(for: key) == name)
    #expect(JournalEntry.name(for: String(repeating: "k", count: 100)).utf8.count == 64)
  }

  @Test func `Priorities are those of syslog`() {
    let levels: [(Logger.Level, Int)] = [
      (.critical, 2), (.error, 3), (.warning, 4), (.notice, 5), (.info, 6), (.debug, 7), (.trace, 7),
    ]
    for (level, priority) in levels { #expect(JournalEntry.priority(of: level) == priority) }
  }

  @Test func `A handler's entry has the line, its event and what its logger knows`() throws {
    let writer = try #require(JournalWriter(socket: "/nonexistent/journal"))
    var handler = JournalLogHandler(label: "modemd-port", writer: writer)
    handler.metadata = ["modem": "m1", "code": "1"]
    let context = try #require(TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
    let entry = TraceContext.$current.withValue(context) {
      handler.entry(
        .warning, "bearer down",
        own: ["code": "33", "message-id": "\(LogEvent.bearerLost.messageID)"])
    }
    #expect(
      entry.fields.map { "\($0.name)=\($0.value)" } == [
        "MESSAGE=bearer down [code=33]", "PRIORITY=4", "SYSLOG_IDENTIFIER=modemd-port", "SYSLOG_FACILITY=3",
        "MESSAGE_ID=\(LogEvent.bearerLost.messageID)", "DOCUMENTATION=man:modemd-port(8)", "MODEMD_CODE=33",
        "MODEMD_MODEM=m1", "MODEMD_TRACE=4bf92f3577b34da6a3ce929d0e0e4736",
      ])
  }
}

@Suite("Trace contexts")
struct TraceContextTests {
  @Test func `A caller's trace is passed on with an id of our own`() throws {
    let given = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-ff"
    let context = try #require(TraceContext(traceparent: given))
    let passed = try #require(TraceContext(traceparent: context.traceparent()))
    #expect(passed.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
    // Of the flags, only the one that this version of the specification knows.
    #expect(passed.isSampled && context.traceparent().hasSuffix("-01"))
    #expect(!context.traceparent().contains("00f067aa0ba902b7"))
    #expect(context.traceparent() != context.traceparent())
  }

  @Test func `A fresh one is valid, and its own`() {
    let ids = (0..<100).map { _ in TraceContext().traceID }
    #expect(Set(ids).count == 100 && ids.allSatisfy(TraceContext.isTraceID))
    #expect(TraceContext(traceparent: TraceContext().traceparent())?.isSampled == false)
  }

  @Test(
    "anything else is refused",
    arguments: [
      "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
      "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
      "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 ",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
      "00-4bf92f3577b34da6a3ce929d0e0e473-600f067aa0ba902b7-01",
      "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-+1",
      "00-４bf92f3577b34da6a3ce929d0e0e47-00f067aa0ba902b7-01",
      "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
    ])
  func invalid(_ text: String) { #expect(TraceContext(traceparent: text) == nil) }
}
