import BrokerTestSupport
import ClockTestSupport
import LimitClock
import Testing

@testable import MQTTClient

/// Against Debian's mosquitto, with TLS and rules by certificate.
@Suite struct MQTTClientTests {
  let broker: Broker
  let loop: MQTTLoop

  init() throws {
    broker = try Broker()
    loop = try MQTTLoop()
  }

  private func machine(_ name: String = "kiosk-1") throws -> Machine { Machine(try broker.machine(name), on: loop) }
  private func office(_ name: String = "desk") throws -> Machine { Machine(try broker.office(name), on: loop) }

  @Test("A message of QoS 1 reaches the office with all of its properties, and is acknowledged")
  func publishes() async throws {
    let office = try office()
    try await office.connected()
    try office.connection.subscribe(["modemd/1/+/event/+"], qos: .atLeastOnce)
    let machine = try machine()
    try await machine.connected()
    let sent = MQTTMessage(
      "modemd/1/kiosk-1/event/bearer", Array(#"{"state":"up"}"#.utf8), contentType: "application/json",
      responseTopic: "modemd/1/kiosk-1/reply/desk", correlation: [0, 1, 255], expirySeconds: 3600,
      userProperties: [.init("traceparent", "00-1"), .init("person", "Zoë")])
    try await machine.publish(sent)
    var received = try await office.message()
    let left = try #require(received.expirySeconds)
    #expect(left <= 3600 && left > 3500)
    received.expirySeconds = 3600
    #expect(received == sent)
    #expect(machine.connection.waiting == 0)
    let traffic = machine.connection.traffic
    #expect(traffic.sent > 500 && traffic.received > 500 && traffic.segmentsSent > 2)
    await machine.connection.close()
    await office.connection.close()
  }

  @Test("A message of QoS 0 arrives, and nothing is said of it")
  func publishesOnce() async throws {
    let office = try office()
    try await office.connected()
    try office.connection.subscribe(["modemd/1/+/metrics"], qos: .atMostOnce)
    let machine = try machine()
    try await machine.connected()
    _ = try machine.connection.publish(.init("modemd/1/kiosk-1/metrics", text: "{}", qos: .atMostOnce))
    #expect(try await office.message().qos == .atMostOnce)
    try await machine.publish(.init("modemd/1/kiosk-1/audit", text: "{}"))
    #expect(machine.connection.waiting == 0)
    #expect(machine.events.count { if case .acknowledged = $0 { true } else { false } } == 1)
  }

  @Test("A command comes with its correlation, and the reply goes back")
  func answers() async throws {
    let machine = try machine()
    try await machine.connected()
    try machine.connection.subscribe(["modemd/1/kiosk-1/command/+/+"], qos: .atLeastOnce)
    let office = try office()
    try await office.connected()
    try office.connection.subscribe(["modemd/1/+/reply/desk"], qos: .atLeastOnce)
    try await machine.publish(.init("modemd/1/kiosk-1/status", text: "ready"))
    try await office.publish(
      MQTTMessage(
        "modemd/1/kiosk-1/command/desk/modem.list", Array("{}".utf8), responseTopic: "modemd/1/kiosk-1/reply/desk",
        correlation: Array(0..<16), expirySeconds: 30))
    let command = try await machine.message()
    #expect(command.topic == "modemd/1/kiosk-1/command/desk/modem.list")
    try await machine.publish(
      MQTTMessage("modemd/1/kiosk-1/reply/desk", Array("{}".utf8), correlation: command.correlation))
    #expect(try await office.message().correlation == Array(0..<16))
  }

  @Test("A retained message waits for those who come later, and an empty one clears it")
  func retains() async throws {
    let machine = try machine()
    try await machine.connected()
    try await machine.publish(.init("modemd/1/kiosk-1/status", text: "on", isRetained: true))
    let office = try office()
    try await office.connected()
    try office.connection.subscribe(["modemd/1/+/status"], qos: .atLeastOnce)
    let status = try await office.message()
    #expect(status.text == "on" && status.isRetained)
    try await machine.publish(MQTTMessage("modemd/1/kiosk-1/status", [], isRetained: true))
    #expect(try await office.message().payload.isEmpty)
    let later = try self.office("desk-2")
    try await later.connected()
    try later.connection.subscribe(["modemd/1/+/status", "modemd/1/+/audit"], qos: .atLeastOnce)
    try await machine.publish(.init("modemd/1/kiosk-1/audit", text: "after"))
    #expect(try await later.message().text == "after")
  }

  @Test("A machine that dies leaves its will, one that closes does not")
  func will() async throws {
    let office = try office()
    try await office.connected()
    try office.connection.subscribe(["modemd/1/+/status", "modemd/1/+/audit"], qos: .atLeastOnce)
    var settings = try broker.machine("kiosk-1")
    settings.will = .init("modemd/1/kiosk-1/status", text: "gone", isRetained: true)
    let closing = Machine(settings, on: loop)
    try await closing.connected()
    try await closing.publish(.init("modemd/1/kiosk-1/status", text: "bye"))
    await closing.connection.close()
    #expect(try await office.message().text == "bye")

    var dying: Machine? = Machine(settings, on: loop)
    try await dying?.connected()
    try await dying?.publish(.init("modemd/1/kiosk-1/audit", text: "alive"))
    #expect(try await office.message().text == "alive")
    dying = nil
    #expect(try await office.message("modemd/1/kiosk-1/status").text == "gone")
  }

  @Test("A change of the will counts from the next connection on")
  func changesWill() async throws {
    var settings = try broker.machine("kiosk-1")
    settings.will = .init("modemd/1/kiosk-1/status", text: "first")
    let machine = Machine(settings, on: loop)
    try await machine.connected()
    machine.connection.change(will: .init("modemd/1/kiosk-1/status", text: "second"))
    machine.connection.pause()
    #expect(try await machine.lost() == "paused")
    machine.connection.resume()
    try await machine.connected()
    let office = try office()
    try await office.connected()
    try office.connection.subscribe(["modemd/1/+/status", "modemd/1/+/audit"], qos: .atLeastOnce)
    try await machine.publish(.init("modemd/1/kiosk-1/audit", text: "alive"))
    #expect(try await office.message().text == "alive")
    machine.connection.drop()
    #expect(try await office.message().text == "second")
  }

  @Test("A session is kept over a pause: what was sent meanwhile is there, and what expired is not")
  func keepsSession() async throws {
    let machine = try machine()
    #expect(try await machine.connected() == false)
    try machine.connection.subscribe(["modemd/1/kiosk-1/command/+/+"], qos: .atLeastOnce)
    try await machine.publish(.init("modemd/1/kiosk-1/status", text: "ready"))
    machine.connection.pause()
    let office = try office()
    try await office.connected()
    #expect(throws: MQTTRefusal.notConnected) {
      try machine.connection.publish(.init("modemd/1/kiosk-1/status", text: "x"))
    }
    #expect(try await machine.lost() == "paused")
    let topic = "modemd/1/kiosk-1/command/desk/modem.list"
    try await office.publish(MQTTMessage(topic, Array("short".utf8), expirySeconds: 1))
    try await office.publish(MQTTMessage(topic, Array("long".utf8), expirySeconds: 60))
    // Mosquitto counts in whole seconds.
    try await LimitClock.machine.pause(for: .milliseconds(2100))
    machine.connection.resume()
    #expect(try await machine.connected())
    #expect(try await machine.message().text == "long")
  }

  @Test("What a machine may not publish is refused, with the number of the message")
  func refuses() async throws {
    let machine = try machine()
    try await machine.connected()
    let number = try machine.connection.publish(.init("modemd/1/kiosk-2/status", text: "forged"))
    let reason = try await machine.next("a refusal") { event in
      if case .unacknowledged(number, let reason) = event { reason } else { nil }
    }
    #expect(reason.contains("0x87"))
    #expect(machine.connection.waiting == 0)
  }

  @Test("A machine does not see another's commands, although its subscription is granted")
  func hearsNothingOfOthers() async throws {
    let thief = try machine("kiosk-2")
    try await thief.connected()
    try thief.connection.subscribe(["modemd/1/#", "modemd/1/+/command/+/+"], qos: .atLeastOnce)
    let owner = try machine("kiosk-1")
    try await owner.connected()
    try owner.connection.subscribe(["modemd/1/kiosk-1/command/+/+"], qos: .atLeastOnce)
    let office = try office()
    try await office.connected()
    try await owner.publish(.init("modemd/1/kiosk-1/status", text: "ready"))
    try await office.publish(.init("modemd/1/kiosk-1/command/desk/modem.list", text: "{}"))
    _ = try await owner.message()
    try await office.publish(.init("modemd/1/kiosk-2/command/desk/modem.list", text: "own"))
    #expect(try await thief.message().text == "own")
  }

  @Test("The broker takes another client identifier than the certificate's for the certificate's")
  func identifier() async throws {
    var settings = try broker.machine("kiosk-2")
    let owner = try machine("kiosk-1")
    try await owner.connected()
    settings.clientID = "kiosk-1"
    let thief = Machine(settings, on: loop)
    let number = try await thief.next("an end") { event -> Bool? in
      switch event {
      case .connected, .lost: true
      default: nil
      }
    }
    #expect(number)
    try await owner.publish(.init("modemd/1/kiosk-1/status", text: "still here"))
    #expect(!owner.events.contains { if case .lost = $0 { true } else { false } })
  }

  @Test("Of two machines with one certificate the later one has the session, and the other is told of its loss")
  func takeover() async throws {
    let first = try machine()
    try await first.connected()
    let second = try machine()
    #expect(try await second.connected())
    _ = try await first.lost()
    try await second.publish(.init("modemd/1/kiosk-1/status", text: "mine"))
  }

  @Test("More than 16 kB, and topics that no broker takes, are refused at once")
  func bounds() async throws {
    let machine = try machine()
    try await machine.connected()
    let topic = "modemd/1/kiosk-1/status"
    for message in [
      MQTTMessage(topic, [UInt8](repeating: 1, count: 16 * 1024 + 1)), MQTTMessage(topic + "/#", []),
      MQTTMessage("", []), MQTTMessage(topic + "\0/more", []),
      MQTTMessage(topic, [], contentType: String(repeating: "x", count: 2000)),
      MQTTMessage(topic, [], userProperties: (0..<10).map { _ in .init(String(repeating: "x", count: 1000), "") }),
    ] {
      #expect(throws: MQTTRefusal.tooLarge) { try machine.connection.publish(message) }
    }
    #expect(throws: MQTTRefusal.tooLarge) { try machine.connection.subscribe(["a/#/b"], qos: .atMostOnce) }
    try await machine.publish(MQTTMessage(topic, [UInt8](repeating: 1, count: 16 * 1024)))
  }

  @Test("A message that is too large for the machine does not come, and the next one does")
  func oversize() async throws {
    let machine = try machine()
    try await machine.connected()
    try machine.connection.subscribe(["modemd/1/kiosk-1/command/+/+"], qos: .atLeastOnce)
    try await machine.publish(.init("modemd/1/kiosk-1/status", text: "ready"))
    let files = try broker.credentials("tool")
    try broker.publish(
      "modemd/1/kiosk-1/command/tool/modem.list", String(repeating: "x", count: 60_000), as: files)
    try broker.publish("modemd/1/kiosk-1/command/tool/modem.list", String(repeating: "x", count: 18_000), as: files)
    try broker.publish("modemd/1/kiosk-1/command/tool/modem.list", "{}", as: files)
    #expect(try await machine.message().text == "{}")
    #expect(machine.events.contains(.overflow(1)))
    #expect(!machine.events.contains { if case .lost = $0 { true } else { false } })
  }

  @Test("The queue has a bound that is told, and empties when the broker answers")
  func queue() async throws {
    let machine = try machine()
    try await machine.connected()
    broker.freeze()
    defer { broker.thaw() }
    var numbers: [UInt64] = []
    var refusal: MQTTRefusal?
    for _ in 0...MQTTLimits.waiting {
      do throws(MQTTRefusal) {
        numbers.append(try machine.connection.publish(.init("modemd/1/kiosk-1/event/x", text: "{}")))
      } catch {
        refusal = error
      }
    }
    #expect(numbers.count == MQTTLimits.waiting)
    #expect(refusal == .queueFull)
    #expect(machine.connection.waiting == MQTTLimits.waiting)
    broker.thaw()
    for number in numbers { try await machine.acknowledged(number) }
    #expect(machine.connection.waiting == 0)
  }
}
