import ClockTestSupport
import DeviceAPI
import FleetSettings
import Glibc
import JSONTree
import LimitClock
import MQTTClient
import ModemAPI
import ModemModel
import Synchronization
import Testing

@testable import FleetAgent

@Suite(.timeLimit(.minutes(2))) struct FleetCommandTests {
  typealias Command = AgentStage.Command

  @Test func everyCommandIsAcceptedAndAnswered() async throws {
    let stage = AgentStage { $0.commands.openHosts = ["check.operator.example"] }
    stage.machine.set(report: Array(repeating: UInt8(ascii: "r"), count: 400_000))
    stage.machine.answer { command, _ in
      switch command {
      case .listModems: .modems([.played])
      case .getModem: .modem(.played)
      case .getBearer, .connect: .bearer(.played(.up))
      case .disconnect: .bearer(.played(.down))
      case .prepare:
        .prepared(
          .init(
            modem: ModemInterface.Modem.played.id, source: "10.64.0.7", resolved: ["a.example"], unresolved: [],
            milliseconds: 2))
      case .verify:
        .verified(
          .init(
            result: .verified, number: .matches, text: "It is the SIM's number.", modem: ModemInterface.Modem.played.id,
            source: "10.64.0.7", milliseconds: 5))
      case .open:
        .opened(
          .init(
            result: .answer,
            answer: .init(status: 200, contentType: "application/json", json: .object(["token": .string("secret")])),
            modem: ModemInterface.Modem.played.id, milliseconds: 5))
      case .reload: .reloaded
      case .figures, .diagnosis: throw MachineFailure.failed("asked apart")
      }
    }
    try await stage.begin()
    let name = await stage.name
    let cases: [(String, String, FleetCommand?)] = [
      ("modem.list", "", .listModems),
      ("modem.get", "{\"modem\":\"\(name)\"}", .getModem(ModemInterface.Modem.played.id)),
      ("bearer.get", "{}", .getBearer(nil)),
      (
        "bearer.connect", "{\"apn\":\"internet\",\"ipType\":\"ipv4v6\"}",
        .connect(.init(apn: "internet", ipType: .ipv4v6))
      ),
      ("bearer.disconnect", "{}", .disconnect(nil)),
      (
        "check.prepare", "{\"url\":\"https://check.operator.example/a\"}",
        .prepare(.init(url: "https://check.operator.example/a"))
      ),
      (
        "verify.number", "{\"number\":\"+447700900123\",\"route\":\"any\"}",
        .verify(.init(number: "+447700900123", route: .any))
      ),
      (
        "check.open", "{\"url\":\"https://check.operator.example/a\",\"maxRedirects\":5}",
        .open(.init(url: "https://check.operator.example/a", maxRedirects: 5))
      ),
      ("metrics.get", "{}", nil),
      ("diagnostics.get", "{}", nil),
      ("service.reload", "{}", .reload),
    ]
    #expect(Set(cases.map(\.0)) == FleetSettings.commandNames)
    for (name, payload, asked) in cases {
      let command = Command(name, payload)
      let replies = try await stage.ask(command)
      #expect(replies.first?["event"]?.string == "accepted")
      #expect(replies.first?["command"]?.string == name)
      #expect(replies.last?["event"]?.string == "outcome", "\(name): \(replies)")
      #expect(replies.map { $0["seq"]?.integer } == Array(0..<replies.count))
      if let asked { #expect(stage.machine.asked.last == asked) }
    }
    let all = stage.broker.published.map { String(decoding: $0.payload, as: UTF8.self) }.joined()
    #expect(!all.contains("secret") && !all.contains("447700900123"))
    #expect(stage.broker.published.allSatisfy { $0.payload.count <= 16_384 })
    #expect(await stage.agent.status().commands == .init(accepted: 11, repeated: 0, refused: 0))
    try await stage.until { stage.published("audit").count == 11 }
    #expect(stage.published("event/verify").first?["result"]?.string == "verified")
    #expect(stage.published("event/check").first?["result"]?.string == "answer")
    let audit = try #require(stage.published("audit").first { $0["command"]?.string == "verify.number" })
    #expect(audit["result"]?.string == "done" && audit["requester"]?.string == "desk")
    #expect(audit["detail"]?.string == "verified")
    #expect(audit["correlation"]?.string?.count == 8)
    #expect(stage.log.all.count { $0.metadata["command"] != nil } == 11, "the journal has each")
  }

  @Test func theReportCanBePutTogetherAgain() async throws {
    let stage = AgentStage()
    var generator = SystemRandomNumberGenerator()
    let report = (0..<90_000).map { _ in UInt8.random(in: 32...126, using: &generator) }
    stage.machine.set(report: report)
    try await stage.begin()
    let replies = try await stage.ask(Command("diagnostics.get"))
    let parts = replies.filter { $0["event"]?.string == "part" }
    #expect(parts.count > 3)
    #expect(replies.last?["outcome"]?["parts"]?.integer == parts.count)
    let text = parts.compactMap { $0["gzip"]?.string }.joined()
    #expect(try Unpacked.bytes(text) == report)
    stage.machine.set(report: (0..<900_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    let refused = try await stage.ask(Command("diagnostics.get"))
    #expect(refused.last?["error"]?.string == "org.modemd.Fleet.ReplyTooLarge")
  }

  @Test func progressIsToldOnlyIfItIsWanted() async throws {
    let stage = AgentStage()
    stage.machine.answer { _, progress in
      await progress(.step(.init(index: 1, name: "createCheck", lane: .host, start: 0, milliseconds: 1)))
      await progress(.hop(.init(step: 1, index: 1, scheme: .https, host: "a.example", start: 0)))
      return .verified(.init(result: .notVerified, text: "It is another number.", milliseconds: 2))
    }
    try await stage.begin()
    let quiet = try await stage.ask(Command("verify.number", "{\"number\":\"+447700900123\"}"))
    #expect(quiet.map { $0["event"]?.string } == ["accepted", "outcome"])
    let loud = try await stage.ask(Command("verify.number", "{\"number\":\"+447700900123\",\"progress\":true}"))
    #expect(loud.map { $0["event"]?.string } == ["accepted", "step", "hop", "outcome"])
    #expect(loud.map { $0["seq"]?.integer } == [0, 1, 2, 3])
  }

  @Test func whatModemdRefusesIsAnError() async throws {
    let stage = AgentStage()
    stage.machine.answer { _, _ in
      throw MachineFailure(
        "org.modemd.Bearer.Refused",
        parameters: .object(["code": .int(33), "modem": .string("modem-0123456789abcdef")]), "not subscribed")
    }
    try await stage.begin()
    let replies = try await stage.ask(Command("bearer.connect"))
    #expect(replies.last?["error"]?.string == "org.modemd.Bearer.Refused")
    #expect(replies.last?["parameters"]?["code"] == .int(33))
    #expect(replies.last?["parameters"]?["modem"]?.string == "\(await stage.name)")
    #expect(replies.last?["text"]?.string == "not subscribed")
    try await stage.until { stage.published("audit").last?["result"]?.string == "failed" }
  }

  // MARK: - Refusals

  @Test func eachKindOfRefusal() async throws {
    let stage = AgentStage {
      $0.commands.requesters = [
        "desk": ["modem.list", "verify.number", "check.open", "check.prepare", "bearer.connect"], "field": [],
      ]
      $0.commands.openHosts = ["check.operator.example"]
    }
    try await stage.begin()
    let cases: [(Command, String)] = [
      (Command("modem.list") { $0.isRetained = true }, "retained"),
      (Command("modem.list") { $0.expiry = nil }, "malformed"),
      (Command("modem.list") { $0.expiry = 301 }, "malformed"),
      (Command("modem.list") { $0.expiry = 0 }, "expired"),
      (Command("modem.list") { $0.response = "modemd/1/kiosk-2/reply/desk" }, "notAllowed"),
      (Command("modem.list", String(repeating: " ", count: 5000)), "tooLarge"),
      (Command("modem.lists"), "unknownCommand"),
      (Command("sms.send"), "unknownCommand"),
      (Command("modem.list") { $0.requester = "field" }, "notAllowed"),
      (Command("modem.list") { $0.requester = "stranger" }, "notAllowed"),
      (Command("bearer.get"), "notAllowed"),
      (Command("modem.list", "[]"), "malformed"),
      (Command("modem.list", "{\"a\":1}"), "malformed"),
      (Command("verify.number", "{}"), "malformed"),
      (Command("verify.number", "{\"number\":\"07700900123\"}"), "malformed"),
      (Command("verify.number", "{\"number\":\"+447700900123\",\"number\":\"+447700900124\"}"), "malformed"),
      (Command("verify.number", "{\"number\":\"+447700900123\",\"modem\":\"m00000000\"}"), "malformed"),
      (Command("verify.number", "{\"number\":\"+447700900123\",\"modem\":\"modem-0123456789abcdef\"}"), "malformed"),
      (Command("check.open", "{\"url\":\"http://check.operator.example/\"}"), "malformed"),
      (Command("check.open", "{\"url\":\"https://other.example/\"}"), "notAllowed"),
      (Command("check.open", "{\"url\":\"https://check.operator.example@other.example/\"}"), "malformed"),
      (Command("check.open", "{\"url\":\"https://check.operator.example:8443/\"}"), "malformed"),
      (Command("check.open", "{\"url\":\"https://check.operator.example\\\\@other.example/\"}"), "malformed"),
      (Command("check.open", "{\"url\":\"https://check.operator.example/\",\"headers\":{}}"), "malformed"),
      (Command("check.open", "{\"url\":\"https://check.operator.example/\",\"reveal\":true}"), "malformed"),
      (Command("check.open", "{\"url\":\"https://check.operator.example/\",\"json\":{}}"), "malformed"),
      (Command("check.prepare", "{\"url\":\"https://other.example/\"}"), "notAllowed"),
      (Command("bearer.connect", "{\"ipType\":\"ipv5\"}"), "malformed"),
      (Command("bearer.connect", "{\"password\":\"x\"}"), "malformed"),
    ]
    for (command, reason) in cases {
      // The window in which refusals are told.
      stage.clock.advance(by: .seconds(3))
      #expect(try await stage.refusal(of: command) == reason, "\(command)")
    }
    #expect(stage.machine.asked.isEmpty)
    #expect(await stage.agent.status().commands.refused == cases.count)
    #expect(await stage.agent.status().refusals.count == cases.count)
    #expect(await stage.agent.status().refusals.first?.command == "bearer.connect")
    try await stage.until { stage.published("audit").count == cases.count }
    #expect(stage.published("audit").allSatisfy { $0["result"]?.string == "refused" })
    #expect(stage.log.all.count { $0.level == .warning } == cases.count)
  }

  @Test func whoCannotBeAnsweredGetsNoReply() async throws {
    let stage = AgentStage()
    try await stage.begin()
    stage.broker.forgetPublished()
    for command in [
      Command("modem.list") { $0.correlation = nil }, Command("modem.list") { $0.correlation = [1, 2, 3] },
      Command("modem.list") { $0.correlation = Array(repeating: 0, count: 65) },
      Command("modem.list") { $0.machine = "kiosk-2" }, Command("modem.list") { $0.requester = "desk#" },
      Command("modem.list") { $0.requester = "a/b" }, Command("modem.list/x"),
    ] {
      stage.connection.deliver(command.message)
    }
    try await stage.until { stage.published("audit").count == 7 }
    #expect(stage.broker.published.allSatisfy { !$0.topic.contains("/reply/") })
    #expect(stage.machine.asked.isEmpty)
  }

  @Test func aFloodOfRefusedCommandsCostsLittleAndIsTold() async throws {
    let stage = AgentStage()
    try await stage.begin()
    stage.broker.forgetPublished()
    for _ in 0..<1000 { stage.connection.deliver(Command("modem.list") { $0.requester = "stranger" }.message) }
    try await stage.until { await stage.agent.status().commands.refused == 1000 }
    try await stage.until { stage.published("audit").count >= 30 && stage.published("reply/stranger").count >= 30 }
    #expect(stage.published("audit").count == 30)
    #expect(stage.published("reply/stranger").count == 30)
    #expect(await stage.agent.status().refusals.count == 30)
    // One who may is not held up by them.
    _ = try await stage.ask(Command("service.reload"))
    try await stage.passing { stage.published("audit").contains { $0["count"] == .int(970) } }
  }

  @Test func theRateIsOfAllAndOfEach() async throws {
    let stage = AgentStage {
      $0.commands.requesters = ["desk": ["service.reload"], "field": ["service.reload"]]
      $0.commands.aMinute = 8
    }
    try await stage.begin()
    for number in 0..<7 {
      let reason = try await stage.refusal(of: Command("service.reload"))
      #expect(reason == (number < 6 ? nil : "tooMany"), "three quarters for one requester")
    }
    for number in 0..<3 {
      let reason = try await stage.refusal(of: Command("service.reload") { $0.requester = "field" })
      #expect(reason == (number < 2 ? nil : "tooMany"), "8 for all")
    }
    stage.clock.advance(by: .seconds(61))
    #expect(try await stage.refusal(of: Command("service.reload")) == nil)
  }

  @Test func soManyAtOnceAndNoMore() async throws {
    let stage = AgentStage { $0.commands.atOnce = 2 }
    let gates = AsyncStream.makeStream(of: Void.self)
    stage.machine.answer { _, _ in
      var iterator = gates.stream.makeAsyncIterator()
      _ = await iterator.next()
      return .reloaded
    }
    try await stage.begin()
    let first = Command("service.reload")
    stage.connection.deliver(first.message)
    try await stage.until { stage.machine.asked.count == 1 }
    stage.connection.deliver(Command("bearer.connect").message)
    try await stage.until { stage.machine.asked.count == 2 }
    #expect(try await stage.refusal(of: Command("service.reload")) == "tooMany")
    gates.continuation.finish()
    try await stage.until { stage.replies(to: first).last?["event"]?.string == "outcome" }
    try await stage.until { await stage.agent.running.isEmpty }
    #expect(try await stage.refusal(of: Command("service.reload")) == nil)
  }

  @Test func aFloodOfOneRequesterHidesNoOthersRefusals() async throws {
    let stage = AgentStage { $0.commands.requesters = ["desk": ["modem.list"], "field": []] }
    try await stage.begin()
    for _ in 0..<100 { stage.connection.deliver(Command("modem.list") { $0.requester = "field" }.message) }
    for _ in 0..<100 { stage.connection.deliver(Command("modem.list") { $0.requester = "stranger" }.message) }
    #expect(try await stage.refusal(of: Command("bearer.get")) == "notAllowed")
    #expect(await stage.agent.status().refusals.first?.requester == "desk")
  }

  @Test func noPayloadEndsTheAgent() throws {
    var generator = SystemRandomNumberGenerator()
    let whole = Array(
      "{\"number\":\"+447700900123\",\"modem\":\"m0\",\"url\":\"https://a.example/\",\"timeoutMilliseconds\":1e9,\"progress\":true}"
        .utf8)
    var accepted = 0
    for round in 0..<5000 {
      var payload = whole
      for _ in 0..<(round % 8) where !payload.isEmpty {
        let place = Int.random(in: 0..<payload.count, using: &generator)
        payload[place] = Bool.random(using: &generator) ? UInt8.random(in: 0...255, using: &generator) : 0x22
        if Bool.random(using: &generator) { payload.removeSubrange(place..<min(place + 9, payload.count)) }
      }
      for name in FleetCommand.Name.allCases {
        if (try? CommandForm(name, payload, hosts: ["a.example"])) != nil { accepted += 1 }
      }
    }
    #expect(accepted == 0, "no command has all of these fields")
    #expect(throws: Never.self) { try CommandForm(.listModems, [], hosts: []) }
  }

  // MARK: - Twice

  @Test func aRepetitionGetsTheFirstOnesReplyAndIsNotCarriedOut() async throws {
    let stage = AgentStage()
    let gate = AsyncStream.makeStream(of: Void.self)
    stage.machine.answer { _, _ in
      var iterator = gate.stream.makeAsyncIterator()
      _ = await iterator.next()
      return .bearer(.played(.up))
    }
    try await stage.begin()
    let command = Command("bearer.connect")
    stage.connection.deliver(command.message)
    try await stage.until { stage.replies(to: command).count == 1 }
    stage.connection.deliver(command.message)
    try await stage.until { stage.replies(to: command).count == 2 }
    #expect(stage.replies(to: command).allSatisfy { $0["event"]?.string == "accepted" })
    gate.continuation.finish()
    try await stage.until { stage.replies(to: command).count == 3 }
    let again = try await stage.ask(command)
    #expect(again.count == 1)
    #expect(again.last?["outcome"] == stage.replies(to: command)[2]["outcome"])
    #expect(stage.machine.asked.count == 1)
    #expect(await stage.agent.status().commands == .init(accepted: 1, repeated: 2, refused: 0))
    // The same data for another command is nobody's repetition.
    let other = Command("bearer.disconnect") { $0.correlation = command.correlation }
    stage.connection.deliver(other.message)
    try await stage.until { stage.replies(to: other).last?["error"]?.string == "org.modemd.Fleet.Refused" }
    #expect(stage.machine.asked.count == 1)
  }

  @Test func correlationDataIsEachRequestersOwn() async throws {
    let stage = AgentStage { $0.commands.requesters = ["desk": ["service.reload"], "field": ["service.reload"]] }
    try await stage.begin()
    let one = Command("service.reload")
    let other = Command("service.reload") { command in
      command.requester = "field"
      command.correlation = one.correlation
    }
    _ = try await stage.ask(one)
    let replies = try await stage.ask(other)
    #expect(replies.map { $0["event"]?.string } == ["accepted", "outcome"])
    #expect(stage.machine.asked.count == 2)
  }

  @Test(arguments: [false, true])
  func afterASuddenEndNothingIsCarriedOutTwice(isOnDisk: Bool) async throws {
    let folder = try Folder()
    let volatile = VolatileMemory()
    let memory: any FleetMemory = isOnDisk ? FleetFolder(folder.path) : volatile
    let (cut, done) = (Command("bearer.connect"), Command("service.reload"))
    do {
      let stage = AgentStage(memory: memory)
      stage.machine.answer { command, _ in
        if case .reload = command { return .reloaded }
        // Nobody ends it: the process is killed in the middle of it.
        try await LimitClock.stopped.pause(for: .seconds(3600))
        return .reloaded
      }
      try await stage.begin()
      _ = try await stage.ask(done)
      stage.connection.deliver(cut.message)
      try await stage.until { stage.machine.asked.count == 2 }
    }
    let stage = AgentStage(memory: memory)
    try await stage.begin()
    let replies = try await stage.ask(cut)
    #expect(replies.map { $0["error"]?.string } == ["org.modemd.Fleet.Interrupted"])
    let finished = try await stage.ask(done)
    #expect(finished.map { $0["event"]?.string } == ["outcome"])
    #expect(stage.machine.asked.isEmpty)
    try await stage.until { stage.published("audit").contains { $0["result"]?.string == "interrupted" } }
  }

  @Test func aMachineThatCannotRememberCarriesNothingOut() async throws {
    let memory = FullMemory()
    let stage = AgentStage(memory: memory)
    try await stage.begin()
    memory.isFull.withLock { $0 = true }
    #expect(try await stage.refusal(of: Command("service.reload")) == "notNow")
    #expect(stage.machine.asked.isEmpty)
    memory.isFull.withLock { $0 = false }
    #expect(try await stage.refusal(of: Command("service.reload")) == nil)
  }

  @Test func commandsAreForgottenAfterTheirExpiryAndNotBefore() async throws {
    let stage = AgentStage { $0.commands.aMinute = 600 }
    try await stage.begin()
    let command = Command("service.reload") { $0.expiry = 10 }
    _ = try await stage.ask(command)
    stage.clock.advance(by: .seconds(60))
    #expect(try await stage.ask(command).count == 1)
    #expect(stage.machine.asked.count == 1)
    for _ in 0..<255 { _ = try await stage.ask(Command("service.reload") { $0.expiry = 300 }) }
    #expect(try await stage.refusal(of: Command("service.reload")) == "tooMany", "256 that have not expired")
    stage.clock.advance(by: .seconds(20))
    #expect(try await stage.refusal(of: Command("service.reload")) == nil, "the first one has")
  }

  // MARK: - Time

  @Test func theTimeOfDayDecidesNothing() async throws {
    let wall = WallTime(Timestamp(milliseconds: 1_790_000_000_000))
    let stage = AgentStage(wall: wall)
    try await stage.begin()
    let command = Command("service.reload")
    _ = try await stage.ask(command)
    for year in [Int64(-50), 50] {
      wall.jump(to: Timestamp(milliseconds: 1_790_000_000_000 + year * 31_536_000_000))
      #expect(try await stage.ask(command).count == 1)
      #expect(stage.machine.asked.count == (year < 0 ? 1 : 2), "still the first one's reply")
      #expect(try await stage.refusal(of: Command("service.reload")) == nil)
      stage.machine.tell(.bearer(.played(year < 0 ? .down : .up, since: "2026-11-26T12:00:0\(year < 0 ? 1 : 2).000Z")))
      try await stage.passing {
        stage.topic("modem/\(await stage.name)/bearer")?["state"]?.string == (year < 0 ? "down" : "up")
      }
    }
    try await stage.until { stage.published("event/bearer").count == 2 }
  }

  @Test func aCommandThatExpiresWhileItIsWrittenDownIsNotCarriedOut() async throws {
    let expiries = DrivenClock()
    let memory = SlowMemory { expiries.advance(by: .seconds(31)) }
    let stage = AgentStage(memory: memory, expiries: expiries.clock)
    try await stage.begin()
    memory.isSlow.withLock { $0 = true }
    let command = Command("service.reload")
    #expect(try await stage.refusal(of: command) == "expired")
    #expect(stage.machine.asked.isEmpty)
  }

  @Test func anOutcomeThatCameWithoutConnectionIsToldAfterwards() async throws {
    let stage = AgentStage()
    let gate = AsyncStream.makeStream(of: Void.self)
    stage.machine.answer { _, _ in
      var iterator = gate.stream.makeAsyncIterator()
      _ = await iterator.next()
      return .reloaded
    }
    try await stage.begin()
    let command = Command("service.reload")
    stage.connection.deliver(command.message)
    try await stage.until { stage.replies(to: command).count == 1 }
    stage.connection.lose()
    try await stage.until { await stage.agent.link != .connected }
    gate.continuation.finish()
    try await stage.until { await stage.agent.running.isEmpty }
    #expect(stage.replies(to: command).count == 1)
    stage.connection.connect()
    try await stage.until { stage.replies(to: command).last?["event"]?.string == "outcome" }
    try await stage.until { stage.published("audit").count == 1 }
  }

  @Test func auditThatTheBrokerDoesNotHaveOutlivesTheProcess() async throws {
    let memory = VolatileMemory()
    do {
      let stage = AgentStage(memory: memory)
      try await stage.begin()
      stage.connection.acknowledge(false)
      stage.connection.deliver(Command("service.reload") { $0.requester = "stranger" }.message)
      try await stage.until { await stage.agent.events.items.contains { $0.auditID != nil } }
      try await stage.until { String(decoding: memory.read(.journal), as: UTF8.self).contains("\"audit\"") }
    }
    for isFirst in [true, false] {
      let stage = AgentStage(memory: memory)
      try await stage.begin()
      if isFirst { try await stage.until { stage.published("audit").first?["requester"]?.string == "stranger" } }
      #expect(stage.published("audit").isEmpty == !isFirst, "the broker has it now")
      try await stage.end()
    }
  }

  @Test func aPersonsNameIsInTheAuditAndNothingElseOfIt() async throws {
    let stage = AgentStage()
    try await stage.begin()
    let command = Command("service.reload") {
      $0.properties = [.init("person", "ann\u{1b}[31m\n" + String(repeating: "x", count: 100))]
    }
    _ = try await stage.ask(command)
    try await stage.until { stage.published("audit").count == 1 }
    let person = try #require(stage.published("audit").first?["person"]?.string)
    #expect(person.hasPrefix("ann.[31m.x") && person.count == 64)
  }

  @Test func aTraceGoesOnInModemd() async throws {
    let stage = AgentStage()
    stage.machine.answer { _, _ in .verified(.init(result: .verified, text: "It is the SIM's number.", milliseconds: 1))
    }
    try await stage.begin()
    let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    _ = try await stage.ask(
      Command("verify.number", "{\"number\":\"+447700900123\"}") { $0.properties = [.init("traceparent", trace)] })
    #expect(stage.machine.asked == [.verify(.init(number: "+447700900123", traceparent: trace))])
  }

  @Test func aReplyThatWouldBeTooLargeIsRefusedNotCut() async throws {
    let stage = AgentStage()
    stage.machine.answer { _, _ in
      .verified(.init(result: .verified, text: String(repeating: "long ", count: 5000), milliseconds: 1))
    }
    try await stage.begin()
    let replies = try await stage.ask(Command("verify.number", "{\"number\":\"+447700900123\"}"))
    #expect(replies.last?["error"]?.string == "org.modemd.Fleet.ReplyTooLarge")
  }
}

/// A memory whose disk is full at times.
private final class FullMemory: FleetMemory {
  let isFull = Mutex(false)
  private let memory = VolatileMemory()

  func read(_ file: FleetFile) -> [UInt8] { memory.read(file) }
  func replace(_ file: FleetFile, with bytes: [UInt8]) throws {
    if isFull.withLock({ $0 }) { throw FleetMemoryError("no space is left") }
    memory.replace(file, with: bytes)
  }
  func append(_ bytes: [UInt8], to file: FleetFile) throws {
    if isFull.withLock({ $0 }) { throw FleetMemoryError("no space is left") }
    memory.append(bytes, to: file)
  }
}

/// A memory whose disk takes its time.
private final class SlowMemory: FleetMemory {
  let isSlow = Mutex(false)
  private let memory = VolatileMemory()
  private let passes: @Sendable () -> Void

  init(_ passes: @escaping @Sendable () -> Void) { self.passes = passes }

  func read(_ file: FleetFile) -> [UInt8] { memory.read(file) }
  func replace(_ file: FleetFile, with bytes: [UInt8]) { memory.replace(file, with: bytes) }
  func append(_ bytes: [UInt8], to file: FleetFile) {
    if isSlow.withLock({ $0 }) { passes() }
    memory.append(bytes, to: file)
  }
}

/// A folder of a test, which goes with it.
final class Folder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/modemd-fleet-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw FleetMemoryError("no folder can be made") }
    path = String(cString: made)
  }

  deinit {
    for file in FleetFile.allCases {
      unlink("\(path)/\(file.rawValue)")
      unlink("\(path)/\(file.rawValue).new")
    }
    rmdir(path)
  }

  /// Removes a folder of a test with all that is in it.
  static func remove(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if name != ".", name != ".." { unlink("\(path)/\(name)") }
      }
      closedir(folder)
    }
    rmdir(path)
  }
}
