import BrokerTestSupport
import ClockTestSupport
import Glibc
import LimitClock
import Synchronization
import Testing

@testable import MQTTClient

/// What a connection survives.
@Suite struct ReconnectTests {
  private func connect(_ broker: MQTTBroker) throws -> Machine { Machine(broker, on: try MQTTLoop()) }

  @Test("After a restart of the broker the session is there, and what came meanwhile")
  func restart() async throws {
    let broker = try Broker()
    let machine = try connect(try broker.machine("kiosk-1"))
    try await machine.connected()
    try machine.connection.subscribe(["modemd/1/kiosk-1/command/+/+"], qos: .atLeastOnce)
    try await machine.publish(.init("modemd/1/kiosk-1/status", text: "ready"))
    broker.stop()
    _ = try await machine.lost()
    #expect(throws: MQTTRefusal.notConnected) {
      try machine.connection.publish(.init("modemd/1/kiosk-1/status", text: "x"))
    }
    try broker.start()
    machine.connection.resume()
    #expect(try await machine.connected())
    try await machine.publish(.init("modemd/1/kiosk-1/status", text: "back"))
  }

  @Test("Each message that a dying broker did not answer is told before the loss")
  func unanswered() async throws {
    let broker = try Broker()
    let machine = try connect(try broker.machine("kiosk-1"))
    try await machine.connected()
    broker.freeze()
    let numbers = try (0..<40).map { _ in
      try machine.connection.publish(.init("modemd/1/kiosk-1/event/x", text: "{}"))
    }
    broker.kill()
    _ = try await machine.lost()
    let told = machine.events.compactMap { event in
      if case .unacknowledged(let number, _) = event { number } else { nil }
    }
    #expect(told.sorted() == numbers)
    #expect(machine.connection.waiting == 0)
    try broker.start()
    machine.connection.resume()
    try await machine.connected()
    try await machine.publish(.init("modemd/1/kiosk-1/event/x", text: "{}"))
  }

  @Test("Another authority's broker is refused until the right authorities are in the file")
  func authorities() async throws {
    let broker = try Broker()
    let other = try Authority("other", in: broker.folder + "/other")
    var settings = try broker.machine("kiosk-1")
    settings.authorities = broker.folder + "/believed.crt"
    try TestFile.copy(other.certificate, to: settings.authorities)
    let machine = try connect(settings)
    #expect(try await machine.lost().contains("not of an authority in"))
    try TestFile.copy(broker.authority.certificate, to: settings.authorities)
    try await machine.connected()
  }

  @Test("A broker under another name is refused")
  func hostName() async throws {
    var options = Broker.Options()
    options.hosts = ["broker.example"]
    let broker = try Broker(options)
    let machine = try connect(try broker.machine("kiosk-1"))
    #expect(try await machine.lost() == "the broker's certificate is not for 127.0.0.1")
  }

  @Test("A broker whose certificate is not valid yet is refused, and taken when it is: a wrong clock")
  func wrongClock() async throws {
    var options = Broker.Options()
    options.serverDates = ("20400101000000Z", "20410101000000Z")
    let broker = try Broker(options)
    let machine = try connect(try broker.machine("kiosk-1"))
    #expect(try await machine.lost().contains("not valid now"))
    try broker.useServer(try broker.authority.issueServer("later", hosts: [broker.host]))
    broker.stop()
    try broker.start()
    try await machine.connected()
  }

  @Test("A revoked certificate is refused, and a renewed one is used at the next attempt")
  func renewal() async throws {
    let broker = try Broker()
    let settings = try broker.machine("kiosk-1")
    let machine = try connect(settings)
    try await machine.connected()
    let files = Credentials(
      authorities: settings.authorities, certificate: settings.certificate, key: settings.key)
    try broker.authority.revoke(files)
    broker.stop()
    try broker.start()
    _ = try await machine.lost()
    machine.connection.resume()
    let reason = try await machine.lost()
    // TLS 1.3: the broker refuses after the client has spoken, and a reset may overtake its alert.
    #expect(reason.contains("revoked") || reason == "the broker ended the connection", "\(reason)")
    let renewed = try broker.credentials("kiosk-1", file: "renewed")
    try TestFile.copy(renewed.key, to: settings.key)
    try TestFile.copy(renewed.certificate, to: settings.certificate)
    machine.connection.resume()
    try await machine.connected()
  }

  @Test("Files that cannot be read are named")
  func missingFiles() async throws {
    let broker = try Broker()
    var settings = try broker.machine("kiosk-1")
    settings.key += ".none"
    let machine = try connect(settings)
    #expect(try await machine.lost() == "\(settings.key) cannot be read: No such file or directory")
    try TestFile.copy(settings.certificate, to: settings.key)
    machine.connection.resume()
    let reason = try await machine.lost()
    #expect(reason.contains(settings.key), "\(reason)")
  }

  @Test("An address where nobody answers ends an attempt by the limit, holds nobody, and lets itself be closed")
  func blackHole() async throws {
    let broker = try Broker()
    let hole = try BlackHole()
    var settings = try broker.machine("kiosk-1")
    settings.port = Int(hole.port)
    let clock = DrivenClock()
    let loop = try MQTTLoop(clock: clock.clock, sinceBoot: clock.clock)
    let stuck = Machine(settings, on: loop)
    try await stuck.next("an attempt") { $0 == .connecting ? true : nil }
    let other = Machine(try broker.machine("kiosk-2"), on: loop)
    try await other.connected()
    await clock.asleep()
    clock.advance(by: .seconds(30))
    #expect(try await stuck.lost() == "the broker did not answer within 30 s")
    try await other.publish(.init("modemd/1/kiosk-2/status", text: "free"))
    stuck.connection.resume()
    try await stuck.next("another attempt") { $0 == .connecting ? true : nil }
    await stuck.connection.close()
    await other.connection.close()
  }

  @Test("A server that takes a connection and says nothing is given up, one that hangs up at once is told")
  func silentServer() async throws {
    let broker = try Broker()
    let silent = try BlackHole(backlog: 16)
    var settings = try broker.machine("kiosk-1")
    settings.port = Int(silent.port)
    let clock = DrivenClock()
    let machine = Machine(settings, on: try MQTTLoop(clock: clock.clock, sinceBoot: clock.clock))
    try await machine.next("an attempt") { $0 == .connecting ? true : nil }
    let first = silent.accept()
    silent.hangUp(first)
    #expect(try await machine.lost() == "the broker ended the connection before it answered")
    machine.connection.resume()
    try await machine.next("an attempt") { $0 == .connecting ? true : nil }
    let second = silent.accept()
    await clock.asleep()
    clock.advance(by: .seconds(30))
    #expect(try await machine.lost() == "the broker did not answer within 30 s")
    silent.hangUp(second)
  }

  @Test("A name that does not resolve is told as that")
  func name() async throws {
    let broker = try Broker()
    var settings = try broker.machine("kiosk-1")
    settings.host = "broker.invalid"
    let machine = try connect(settings)
    #expect(try await machine.lost().hasPrefix("the name broker.invalid was not resolved: "))
  }

  @Test("After the machine slept, the connection is made anew")
  func suspend() async throws {
    let broker = try Broker()
    let boot = DrivenClock()
    let clock = DrivenClock()
    let machine = Machine(
      try broker.machine("kiosk-1"),
      on: try MQTTLoop(clock: clock.clock, sinceBoot: LimitClock(now: { boot.clock.now }, sleep: { _ in })))
    try await machine.connected()
    boot.advance(by: .seconds(3600))
    await clock.asleep()
    clock.advance(by: .seconds(10))
    boot.advance(by: .seconds(10))
    #expect(try await machine.lost() == "the machine was suspended")
    await clock.asleep()
    clock.advance(by: .seconds(1))
    boot.advance(by: .seconds(1))
    #expect(try await machine.connected())
  }

  @Test("A broker that no longer answers is noticed by the signs of life")
  func keepAlive() async throws {
    let broker = try Broker()
    let machine = try connect(try broker.machine("kiosk-1", keepAlive: 5))
    try await machine.connected()
    broker.freeze()
    defer { broker.thaw() }
    #expect(try await machine.lost() == "the broker did not answer a sign of life")
  }

  @Test("Messages that nobody reads stop the socket, not the machine; the rest comes when somebody reads")
  func slowReader() async throws {
    let broker = try Broker()
    let loop = try MQTTLoop()
    let machine = MosquittoConnection(try broker.machine("kiosk-1"), on: loop)
    var reader = machine.events.makeAsyncIterator()
    while let event = await reader.next() { if case .connected = event { break } }
    try machine.subscribe(["modemd/1/kiosk-1/command/+/+"], qos: .atLeastOnce)
    _ = try machine.publish(.init("modemd/1/kiosk-1/status", text: "ready"))
    while let event = await reader.next() { if case .acknowledged = event { break } }
    let office = Machine(try broker.office("desk"), on: loop)
    try await office.connected()
    let count = 3000
    for index in 0..<count {
      try await office.publish(.init("modemd/1/kiosk-1/command/desk/x", text: String(index)))
    }
    var received: [String] = []
    var lost = 0
    while received.count + lost < count, let event = await reader.next() {
      switch event {
      case .message(let message): received.append(message.text)
      case .overflow(let more): lost += more
      default: break
      }
    }
    #expect(received.count + lost == count)
    #expect(lost < count / 4, "\(lost) lost")
    #expect(received == received.sorted { Int($0)! < Int($1)! })
  }

  @Test("Nothing is left of connections, properties and memory")
  func leaks() async throws {
    let broker = try Broker()
    let loop = try MQTTLoop()
    let machine = MosquittoConnection(try broker.machine("kiosk-1"), on: loop)
    var events = machine.events.makeAsyncIterator()
    func until(_ isIt: (MQTTEvent) -> Bool) async { while let event = await events.next(), !isIt(event) {} }
    func isConnected(_ event: MQTTEvent) -> Bool { if case .connected = event { true } else { false } }
    await until(isConnected)
    try machine.subscribe(["modemd/1/kiosk-1/command/+/+"], qos: .atLeastOnce)
    let office = MosquittoConnection(try broker.office("desk"), on: loop)
    var answers = office.events.makeAsyncIterator()
    while let event = await answers.next(), !isConnected(event) {}
    /// Each message goes out with properties, and comes in with them.
    func exchange(_ count: Int) async throws {
      for _ in 0..<count {
        let number = try office.publish(
          MQTTMessage(
            "modemd/1/kiosk-1/command/desk/x", Array(repeating: 1, count: 200), contentType: "application/json",
            responseTopic: "modemd/1/kiosk-1/reply/desk", correlation: Array(0..<16), expirySeconds: 60,
            userProperties: [.init("a", "b")]))
        while let event = await answers.next(), event != .acknowledged(number) {}
        await until { if case .message = $0 { true } else { false } }
      }
    }
    try await exchange(1000)
    let before = try Self.residentBytes()
    try await exchange(8000)
    // One list of properties for each message would be 4 MB, one payload 2 MB.
    #expect(try Self.residentBytes() < before + 1_500_000)
    #expect(PropertyList.alive.load(ordering: .relaxed) == 0)
    for _ in 0..<10 {
      machine.pause()
      await until { if case .lost(_, nil) = $0 { true } else { false } }
      machine.resume()
      await until(isConnected)
    }
    await machine.close()
    await office.close()
    // The loop's thread is about to let go of them.
    for _ in 0..<500 where MosquittoHandle.alive.load(ordering: .relaxed) > 0 {
      try await LimitClock.machine.pause(for: .milliseconds(10))
    }
    #expect(MosquittoHandle.alive.load(ordering: .relaxed) == 0)
    #expect(PropertyList.alive.load(ordering: .relaxed) == 0)
  }

  private static func residentBytes() throws -> Int {
    let file = try #require(fopen("/proc/self/statm", "r"))
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 256)
    _ = try #require(fgets(&buffer, Int32(buffer.count), file))
    let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return try #require(Int(line.split(separator: " ")[1])) * sysconf(Int32(_SC_PAGESIZE))
  }
}
