import BrokerTestSupport
import ClockTestSupport
import DeviceAPI
import Glibc
import JSONTree
import LimitClock
import MQTTClient
import MetricsAPI
import ModemModel
import Testing

@testable import FleetAgent

@Suite(.timeLimit(.minutes(2))) struct FleetTopicTests {
  @Test func everyConnectionTellsAllRetainedTopicsAnewWithTheNumberOfItsWill() async throws {
    let stage = AgentStage()
    try await stage.begin()
    let name = await stage.name
    let topics = ["status", "about", "modem/\(name)/state", "modem/\(name)/bearer"]
    for topic in topics {
      let message = try #require(stage.broker.retained["\(AgentStage.base)/\(topic)"])
      #expect(message.contentType == "application/json")
      #expect(stage.topic(topic)?["n"] == .int(1))
      #expect(stage.topic(topic)?["time"]?.string != nil)
    }
    #expect(stage.topic("status")?["state"]?.string == "online")
    #expect(stage.topic("status")?["modemd"]?.string == "present")
    #expect(stage.connection.subscriptions == ["\(AgentStage.base)/command/+/+"])
    #expect(stage.broker.published.first?.topic == "\(AgentStage.base)/status", "the status comes first")

    stage.connection.lose()
    #expect(stage.topic("status")?["state"]?.string == "lost")
    #expect(stage.topic("status")?["n"] == .int(1), "the will has its births' number")
    try await stage.until { await stage.agent.link != .connected }
    stage.broker.forgetRetained()
    stage.connection.connect()
    try await stage.until { topics.allSatisfy { stage.topic($0)?["n"] == .int(2) } }
  }

  @Test func theNumberGrowsOverAnEndOfTheProcess() async throws {
    let memory = VolatileMemory()
    let broker = MemoryBroker()
    for number in 1...3 {
      let will = try await FleetAgent.broker(
        .init(host: "h", machine: AgentStage.machineName, authorities: "", certificate: "", key: ""), memory: memory
      ).will
      #expect(JSONValue(parsing: try #require(will).payload)?["n"] == .int(number))
      let stage = AgentStage(memory: memory, broker: broker)
      stage.connection.connect()
      try await stage.until { stage.topic("status")?["n"] == .int(number) }
      try await stage.until {
        stage.connection.will.flatMap { JSONValue(parsing: $0.payload) }?["n"] == .int(number + 1)
      }
      try await stage.until { StateFile(memory.read(.state)).session == number }
    }
  }

  @Test func anAgentThatEndsInOrderSaysSo() async throws {
    let stage = AgentStage()
    try await stage.begin()
    try await stage.end()
    #expect(stage.topic("status")?["state"]?.string == "offline")
    #expect(stage.connection.isClosed)
  }

  @Test func changesAreToldOnceAndNotTooOften() async throws {
    let stage = AgentStage()
    try await stage.begin()
    let topic = "modem/\(await stage.name)/bearer"
    #expect(stage.published(topic).count == 1)
    // The same again, and a signal that moves.
    stage.machine.tell(.bearer(.played(.up)))
    stage.machine.tell(.modem(.played.with { $0.registration.rssi = -90 }))
    for state in [BearerInterface.Bearer.State.down, .attaching, .connecting, .configuring] {
      stage.machine.tell(.bearer(.played(state, since: "2026-11-26T11:00:00.000Z")))
    }
    try await stage.until { await stage.agent.bearers.values.first?.state == .configuring }
    // 5 s after the birth, the four are one.
    await stage.advance(.seconds(4))
    #expect(stage.published(topic).count == 1)
    try await stage.passing { stage.published(topic).count == 2 }
    #expect(stage.topic(topic)?["state"]?.string == "configuring")
    #expect(stage.published("modem/\(await stage.name)/state").count == 1, "a signal alone is not told")
    #expect(await stage.agent.board["modem/\(await stage.name)/state"]?["rssi"] == .int(-90))
  }

  @Test func whatCameBackWithinTheTimeIsNotTold() async throws {
    let stage = AgentStage()
    try await stage.begin()
    let topic = "modem/\(await stage.name)/state"
    stage.machine.tell(.modem(.played.with { $0.registration.state = .searching }))
    try await stage.until { await stage.agent.modems.values.first?.registration.state == .searching }
    stage.machine.tell(.modem(.played))
    try await stage.until { await stage.agent.modems.values.first?.registration.state == .home }
    await stage.advance(.seconds(30))
    stage.machine.tell(.bearer(.played(.down)))
    try await stage.passing { stage.topic("modem/\(await stage.name)/bearer")?["state"]?.string == "down" }
    #expect(stage.published(topic).count == 1)
  }

  @Test func aModemThatGoesAwayLeavesNoTopic() async throws {
    let stage = AgentStage()
    try await stage.begin(.played.with { $0.sim.state = .pinRequired })
    let name = await stage.name
    try await stage.passing { stage.topic("alarm/simLocked.\(name)") != nil }
    stage.machine.tell(.removed(modem: ModemInterface.Modem.played.id))
    try await stage.passing {
      stage.topic("modem/\(name)/state") == nil && stage.topic("modem/\(name)/bearer") == nil
        && stage.topic("alarm/simLocked.\(name)") == nil
    }
    try await stage.passing { stage.topic("about")?["modems"] == .array([]) }
  }

  @Test func whatAnEarlierProcessToldAndIsNoMoreIsCleared() async throws {
    let (memory, broker) = (VolatileMemory(), MemoryBroker())
    let name: String
    do {
      let stage = AgentStage(memory: memory, broker: broker)
      try await stage.begin()
      name = await stage.name
      try await stage.until { StateFile(memory.read(.state)).topics.contains("modem/\(name)/state") }
    }
    let stage = AgentStage(memory: memory, broker: broker)
    #expect(stage.topic("modem/\(name)/state") != nil)
    stage.connection.connect()
    try await stage.until { stage.topic("status")?["n"] == .int(2) }
    #expect(await stage.name == name, "the key of names is kept")
    #expect(stage.topic("modem/\(name)/state") != nil, "nobody knows yet")
    stage.machine.tell(.present(version: "1"))
    try await stage.passing { stage.topic("modem/\(name)/state") == nil && stage.topic("modem/\(name)/bearer") == nil }
  }

  @Test func modemdThatGoesIsToldAndComesBack() async throws {
    let stage = AgentStage()
    try await stage.begin()
    stage.machine.tell(.absent("nobody listens"))
    try await stage.passing { stage.topic("status")?["modemd"]?.string == "absent" }
    #expect(stage.topic("alarm/modemdAbsent") == nil, "not at once")
    try await stage.passing { stage.topic("alarm/modemdAbsent") != nil }
    #expect(stage.topic("modem/\(await stage.name)/state") != nil, "the last state stays")
    stage.machine.tell(.present(version: "2"))
    stage.machine.tell(.modem(.played))
    try await stage.passing { stage.topic("alarm/modemdAbsent") == nil }
    #expect(stage.topic("status")?["modemd"]?.string == "present")
    #expect(stage.topic("about")?["modemd"]?.string == "2")
    // A modem that modemd does not name any more goes.
    let other = ModemInterface.Modem.played.with { $0.id = "modem-ffffffffffffffff" }
    stage.machine.tell(.modem(other))
    try await stage.until { await stage.agent.modems.count == 2 }
    stage.machine.tell(.present(version: "2"))
    stage.machine.tell(.modem(.played))
    try await stage.passing { await stage.agent.modems.count == 1 }
  }

  @Test func alarmsAreRaisedWhenTheyHaveHeldAndClearedWhenNot() async throws {
    let stage = AgentStage()
    try await stage.begin()
    let name = await stage.name
    let alarm = "alarm/bearerDown.\(name)"
    let cause = BearerInterface.Cause(code: 33, text: "not subscribed")
    stage.machine.tell(
      .bearer(
        .played(
          .failed, since: "2026-11-26T12:00:00.000Z", cause: cause, nextAttempt: "2026-11-26T12:10:00.000Z", failures: 2
        )))
    try await stage.until { await stage.agent.bearers.values.first?.state == .failed }
    await stage.advance(.seconds(299))
    #expect(stage.topic(alarm) == nil)
    try await stage.passing { stage.topic(alarm) != nil }
    let body = try #require(stage.topic(alarm))
    #expect(body["alarm"]?.string == "bearerDown")
    #expect(body["modem"]?.string == name)
    #expect(body["text"]?.string == "the bearer is failed: not subscribed")
    stage.machine.tell(.bearer(.played(.up, since: "2026-11-26T12:20:00.000Z")))
    try await stage.passing { stage.topic(alarm) == nil }
    #expect(stage.broker.published.last { $0.topic.hasSuffix(alarm) }?.payload == [], "an empty payload clears")

    for (change, kind) in [
      ({ $0.sim.state = .absent }, "simAbsent"), ({ $0.sim.state = .pukRequired }, "simLocked"),
      ({ $0.registration.state = .denied }, "notRegistered"),
      ({ $0.fault = .init(cause: "the port ended", since: "2026-11-26T12:00:00.000Z") }, "modemFault"),
    ] as [((inout ModemInterface.Modem) -> Void, String)] {
      stage.machine.tell(.modem(.played.with(change)))
      try await stage.passing { stage.topic("alarm/\(kind).\(name)") != nil }
      stage.machine.tell(.modem(.played))
      try await stage.passing { stage.topic("alarm/\(kind).\(name)") == nil }
    }
    var silent = BearerInterface.Bearer.played(.up)
    silent.traffic = .silent
    stage.machine.tell(.bearer(silent))
    try await stage.passing { stage.topic("alarm/trafficSilent.\(name)") != nil }
    stage.machine.tell(.budgets([.init(name: "bytesADay", user: 990, unit: .bytes, limit: 100, used: 81)]))
    try await stage.passing { stage.topic("alarm/budgetNearlyUsed.bytesADay") != nil }
    stage.machine.tell(.budgets([.init(name: "bytesADay", user: 990, unit: .bytes, limit: 100, used: 1)]))
    try await stage.passing { stage.topic("alarm/budgetNearlyUsed.bytesADay") == nil }
  }

  @Test func aBearerThatWasTakenDownOnPurposeIsNoAlarm() async throws {
    let stage = AgentStage()
    try await stage.begin(bearer: .played(.down))
    await stage.advance(.seconds(3600))
    stage.machine.tell(.modem(.played.with { $0.firmware = "2" }))
    try await stage.passing { stage.topic("modem/\(await stage.name)/state")?["firmware"]?.string == "2" }
    #expect(stage.broker.retained.keys.allSatisfy { !$0.contains("/alarm/") })
  }

  @Test(arguments: [false, true])
  func nothingPersonalIsOnAnyTopic(isHashed: Bool) async throws {
    let key = try #require(FleetKey(Array("0123456789abcdef0123456789abcdef".utf8)))
    let stage = AgentStage(key: key) { if isHashed { $0.numbers = .hashed } }
    let number = ModemInterface.Modem.number
    stage.machine.set(
      figures: [
        .init(
          name: "org.modemd.BearerDowns", value: .int(1), object: ModemInterface.Modem.played.id,
          fields: ["modem": ModemInterface.Modem.played.id])
      ])
    try await stage.begin(
      .played.with {
        $0.fault = .init(cause: "modem-0123456789abcdef with \(number) failed", since: "2026-11-26T12:00:00.000Z")
      })
    for name in ["modem.list", "modem.get", "bearer.get", "metrics.get"] {
      stage.machine.answer { command, _ in
        switch command {
        case .listModems: .modems([.played])
        case .getModem: .modem(.played)
        default: .bearer(.played(.up))
        }
      }
      _ = try await stage.ask(.init(name))
    }
    try await stage.passing { stage.broker.published.contains { $0.topic.hasSuffix("/metrics") } }
    let all = stage.broker.published.map { String(decoding: $0.payload, as: UTF8.self) + $0.topic }.joined()
    for secret in [
      number, "447700900123", "8944110068256270054", "234150999999999", "490154203237518", "0123456789abcdef",
    ] {
      #expect(!all.contains(secret))
    }
    #expect(all.contains("numberKey") == isHashed)
    if isHashed {
      // openssl dgst -sha256 -mac HMAC over the number, cut to 16 bytes.
      #expect(stage.topic("modem/\(await stage.name)/state")?["numberKey"]?.string == key.numberKey(number))
      #expect(key.numberKey(number) == "fcb6c227a7f09248c381377480936278")
    }
  }

  @Test func aMaskedNumberHasItsEndAlone() async throws {
    let stage = AgentStage { $0.numbers = .masked }
    try await stage.begin()
    #expect(stage.topic("modem/\(await stage.name)/state")?["number"]?.string == "…0123")
  }

  @Test func aModemsNameIsNotModemdsAndNeedsTheKey() throws {
    let one = FleetKey.random()
    let name = one.name(ofModem: "modem-0123456789abcdef")
    #expect(name.wholeMatch(of: /m[0-9a-f]{8}/) != nil)
    #expect(name != FleetKey.random().name(ofModem: "modem-0123456789abcdef"))
    #expect("\(one)" == "a fleet's key")
  }

  @Test func eventsWaitWithinBoundsWhileThereIsNoConnection() async throws {
    let stage = AgentStage()
    try await stage.begin()
    stage.connection.lose()
    try await stage.until { await stage.agent.link != .connected }
    for number in 0..<400 {
      let since = Timestamp(milliseconds: 1_790_000_000_000 + Int64(number) * 1000).description
      stage.machine.tell(.bearer(.played(number.isMultiple(of: 2) ? .down : .up, since: since)))
    }
    try await stage.until { await stage.agent.events.dropped == 144 }
    #expect(await stage.agent.events.items.count == 256)
    #expect(await stage.agent.status().queue.dropped == 144)
    stage.connection.connect()
    try await stage.until { stage.published("event/dropped").first?["count"] == .int(145) }
    #expect(stage.published("event/bearer").count == 255, "the one that tells of it needs a place")
    let message = try #require(stage.broker.published.first { $0.topic.hasSuffix("/event/bearer") })
    #expect(message.expirySeconds == 3600 && message.qos == .atLeastOnce && !message.isRetained)
    #expect(await stage.agent.status().queue.messages == 0)
  }

  @Test func afterADayWithoutConnectionTheStatesAreTrueAndOldEventsAreNotTold() async throws {
    let stage = AgentStage()
    try await stage.begin()
    stage.connection.lose()
    try await stage.until { await stage.agent.link != .connected }
    stage.machine.tell(.bearer(.played(.down, since: "2026-11-26T12:00:00.000Z")))
    try await stage.until { await stage.agent.events.items.count == 1 }
    await stage.advance(.seconds(86_400))
    stage.machine.tell(.bearer(.played(.up, since: "2026-11-27T12:00:00.000Z")))
    try await stage.until { await stage.agent.bearers.values.first?.state == .up }
    stage.connection.connect()
    let topic = "modem/\(await stage.name)/bearer"
    try await stage.until { stage.topic(topic)?["n"] == .int(2) }
    #expect(stage.topic(topic)?["since"]?.string == "2026-11-27T12:00:00.000Z")
    try await stage.until { stage.published("event/bearer").count == 1 }
    #expect(stage.published("event/bearer").first?["bearer"]?.string == "up")
    #expect(stage.published("event/dropped").first?["count"] == .int(1))
  }

  @Test func anEventThatTheBrokerDidNotTakeGoesAgain() async throws {
    let stage = AgentStage()
    try await stage.begin()
    stage.connection.acknowledge(false)
    stage.machine.tell(.bearer(.played(.down, since: "2026-11-26T12:00:00.000Z")))
    try await stage.until { stage.connection.waiting > 0 }
    stage.connection.acknowledge(true)
    stage.connection.lose()
    try await stage.until { await stage.agent.link != .connected }
    #expect(stage.published("event/bearer").isEmpty)
    stage.connection.connect()
    try await stage.until { stage.published("event/bearer").count == 1 }
  }

  @Test func anEventThatTheBrokerRefusesIsDroppedAndSaid() async throws {
    let broker = MemoryBroker()
    broker.refuse("\(AgentStage.base)/event/bearer")
    let stage = AgentStage(broker: broker)
    try await stage.begin()
    stage.machine.tell(.bearer(.played(.down, since: "2026-11-26T12:00:00.000Z")))
    try await stage.passing { await stage.agent.events.dropped == 1 }
    try await stage.passing { stage.log.all.contains { $0.message.contains("Not authorized") && $0.level == .error } }
    #expect(await stage.agent.status().connection.lastError == "Not authorized")
  }

  @Test func noEventsWhereTheSettingsWantNone() async throws {
    let stage = AgentStage { $0.sendsEvents = false }
    try await stage.begin()
    stage.machine.tell(.bearer(.played(.down, since: "2026-11-26T12:00:00.000Z")))
    try await stage.passing { stage.topic("modem/\(await stage.name)/bearer")?["state"]?.string == "down" }
    #expect(stage.published("event/bearer").isEmpty)
  }

  @Test func figuresAreToldWholeAtFirstThenWhatChanged() async throws {
    let stage = AgentStage { $0.metricsSeconds = 900 }
    let figure = { (name: String, value: Int) in
      MetricsInterface.List.Reply(
        name: "org.modemd.\(name)", value: .int(value), object: ModemInterface.Modem.played.id)
    }
    stage.machine.set(figures: [figure("A", 1), figure("B", 2)])
    try await stage.begin()
    try await stage.until { stage.published("metrics").count == 1 }
    let first = try #require(stage.published("metrics").first)
    #expect(first["full"] == .bool(true))
    #expect(first["figures"]?.items.first?["object"]?.string == "\(await stage.name)")
    #expect(stage.broker.published.first { $0.topic.hasSuffix("/metrics") }?.qos == .atMostOnce)
    stage.machine.set(figures: [figure("A", 1), figure("C", 3)])
    await stage.advance(.seconds(900))
    try await stage.until { stage.published("metrics").count == 2 }
    let second = try #require(stage.published("metrics").last)
    #expect(second["full"] == .bool(false))
    let told = second["figures"]?.items ?? []
    #expect(!told.contains { $0["name"]?.string == "org.modemd.A" })
    #expect(told.contains { $0["name"]?.string == "org.modemd.C" && $0["value"] == .int(3) })
    #expect(told.contains { $0["name"]?.string == "org.modemd.B" && $0["value"] == nil }, "what is gone is null")
  }

  @Test func budgetsOfAllUsersAreWatched() async throws {
    let stage = AgentStage { $0.metricsSeconds = 900 }
    let budget = { (used: Int) -> [MetricsInterface.List.Reply] in
      [("BudgetUsedBytes", used), ("BudgetLimitBytes", 100)].map {
        .init(name: "org.modemd.\($0)", value: .int($1), fields: ["entry": "@a/b", "kind": "monthBytes"])
      }
    }
    stage.machine.set(figures: budget(79))
    try await stage.begin()
    try await stage.until { stage.published("metrics").count == 1 }
    for (used, text) in [(80, "80 % of it are used"), (100, "it is used up"), (0, nil)] {
      stage.machine.set(figures: budget(used))
      await stage.advance(.seconds(900))
      try await stage.passing { stage.topic("alarm/budgetNearlyUsed.@a_b.monthBytes")?["text"]?.string == text }
    }
  }

  @Test func manyFiguresAreSeveralMessages() async throws {
    let stage = AgentStage()
    stage.machine.set(
      figures: (0..<500).map {
        .init(name: "org.modemd.Figure", value: .int($0), fields: ["cause": "a-long-word-\($0)"])
      })
    try await stage.begin()
    try await stage.until {
      (stage.published("metrics").last?["parts"]?.integer).map { $0 > 1 && stage.published("metrics").count == $0 }
        ?? false
    }
    #expect(stage.broker.published.allSatisfy { $0.payload.count <= 16_384 })
  }

  @Test func aCertificateThatEndsSoonIsAnAlarmUntilItIsRenewed() async throws {
    let folder = try Folder()
    let authority = try Authority("fleet", in: "\(folder.path)/ca")
    defer { Folder.remove("\(folder.path)/ca") }
    let dates = { (to: String) in (from: "20260901000000Z", to: to) }
    let soon = try authority.issueServer("soon", hosts: ["kiosk-1"], dates: dates("20260925000000Z"))
    let renewed = try authority.issueServer("renewed", hosts: ["kiosk-1"], dates: dates("20300101000000Z"))
    // The time of the stage is 2026-09-21.
    let stage = AgentStage { $0.certificate = soon.certificate }
    try await stage.begin()
    try await stage.passing { stage.topic("alarm/certificateExpires") != nil }
    #expect(stage.topic("alarm/certificateExpires")?["text"]?.string?.contains("2026-09-25") == true)
    #expect(stage.log.all.count { $0.message.contains("renew") && $0.level == .warning } == 1)
    #expect(await stage.agent.status().connection.certificateExpires == "2026-09-25T00:00:00.000Z")
    rename(renewed.certificate, soon.certificate)
    await stage.advance(.seconds(6 * 3600))
    try await stage.passing { stage.topic("alarm/certificateExpires") == nil }
    #expect(await stage.agent.status().connection.certificateExpires == "2030-01-01T00:00:00.000Z")
  }
}
