import DeviceAPI
import Glibc
import JSONTree
import LimitClock
import Logging
import MetricsAPI
import ModemAPI
import NIOPosix
import Synchronization
import Testing
import Varlink

@testable import FleetAgent

/// The machine's side, at Varlink servers that answer as modemd does.
@Suite(.timeLimit(.minutes(2))) struct FleetMachineTests {
  @Test func modemdsStateIsFollowedOverItsEndAndReturn() async throws {
    let modemd = try await PlayedModemd()
    let machine = ModemdMachine(
      socket: modemd.socket, metricsSocket: modemd.metricsSocket,
      clock: LimitClock(sleep: { _ in try await LimitClock.machine.pause(for: .milliseconds(5)) }))
    let seen = Seen(machine)
    try await eventually { seen.has { if case .absent = $0 { true } else { false } } }
    try await modemd.start()
    try await eventually { seen.has { if case .present = $0 { true } else { false } } }
    try await eventually {
      seen.has { if case .modem(let modem) = $0 { modem.id == ModemInterface.Modem.played.id } else { false } }
    }
    try await eventually { seen.has { if case .bearer(let bearer) = $0 { bearer.state == .up } else { false } } }
    try await eventually {
      seen.has { if case .budgets(let budgets) = $0 { budgets.first?.name == "bytesADay" } else { false } }
    }
    modemd.tell(.played(.down))
    try await eventually { seen.has { if case .bearer(let bearer) = $0 { bearer.state == .down } else { false } } }
    modemd.change(.changed, .played.with { $0.sim.state = .absent })
    try await eventually { seen.has { if case .modem(let modem) = $0 { modem.sim.state == .absent } else { false } } }
    modemd.change(.removed, .played)
    try await eventually { seen.has { if case .removed = $0 { true } else { false } } }
    await modemd.stop()
    try await eventually { if case .absent = seen.last { true } else { false } }
    try await modemd.start()
    try await eventually { seen.count { if case .present = $0 { true } else { false } } == 2 }
    await modemd.stop()
  }

  @Test func commandsAreModemdsCalls() async throws {
    let modemd = try await PlayedModemd()
    try await modemd.start()
    let machine = ModemdMachine(socket: modemd.socket, metricsSocket: modemd.metricsSocket)
    let steps = Mutex(0)
    let number = VerifyInterface.Number.Parameters(number: "+447700900123")
    let verified = try await machine.carryOut(.verify(number)) { _ in steps.withLock { $0 += 1 } }
    guard case .verified(let outcome) = verified else { throw MachineFailure.failed("\(verified)") }
    #expect(outcome.result == .verified && steps.withLock { $0 } == 1)
    let opened = try await machine.carryOut(.open(.init(url: "https://a.example/"))) { _ in steps.withLock { $0 += 1 } }
    guard case .opened(let end) = opened else { throw MachineFailure.failed("\(opened)") }
    #expect(end.answer?.status == 200 && steps.withLock { $0 } == 2)
    for (command, name) in [
      (.listModems, "List"), (.getModem(nil), "Get"), (.getBearer(nil), "Bearer.Get"), (.connect(.init()), "Connect"),
      (.disconnect(nil), "Disconnect"), (.prepare(.init()), "Prepare"), (.reload, "Reload"),
    ] as [(FleetCommand, String)] {
      _ = try await machine.carryOut(command) { _ in }
      #expect(modemd.called.last == name)
    }
    let figures = try await machine.figures()
    #expect(figures.map(\.name) == ["org.modemd.Modems", "org.modemd.BearerDowns"])
    modemd.refuse()
    let refused = await #expect(throws: MachineFailure.self) { try await machine.carryOut(.connect(.init())) { _ in } }
    #expect(refused?.name == "org.modemd.Bearer.Refused")
    #expect(refused?.parameters["code"] == .int(33))
    #expect(refused?.text == "not subscribed")
    await modemd.stop()
    let absent = await #expect(throws: MachineFailure.self) { try await machine.carryOut(.listModems) { _ in } }
    #expect(absent?.name == "org.modemd.Fleet.Absent")
    await #expect(throws: MachineFailure.self) { try await machine.figures() }
  }

  @Test func aReportIsBoundedInBytesAndTime() async throws {
    let whole = try await DiagnosisProgram("/bin/sh", ["-c", "echo a report; echo noise >&2; env"]).run(.machine)
    let text = String(decoding: whole, as: UTF8.self)
    #expect(text.hasPrefix("a report\n") && !text.contains("noise") && !text.contains("HOME="))
    var long = DiagnosisProgram("/bin/sh", ["-c", "while :; do echo long; done"])
    long.mostBytes = 10_000
    let tooLarge = await #expect(throws: MachineFailure.self) { try await long.run(.machine) }
    #expect(tooLarge?.name == "org.modemd.Fleet.ReplyTooLarge")
    var slow = DiagnosisProgram("/bin/sh", ["-c", "sleep 600 & wait"])
    slow.limit = .milliseconds(300)
    let late = await #expect(throws: MachineFailure.self) { try await slow.run(.machine) }
    #expect(late?.name == "org.modemd.Fleet.TimedOut")
    await #expect(throws: MachineFailure.self) { try await DiagnosisProgram("/none", []).run(.machine) }
    await #expect(throws: MachineFailure.self) { try await DiagnosisProgram("/bin/true", []).run(.machine) }
  }

  @Test func whatTheFolderKeepsIsReadAgain() async throws {
    let folder = try Folder()
    let memory = FleetFolder(folder.path)
    #expect(try await memory.read(.journal).isEmpty)
    try await memory.append(Array("one\n".utf8), to: .journal)
    try await memory.append(Array("two\n".utf8), to: .journal)
    #expect(try await FleetFolder(folder.path).read(.journal) == Array("one\ntwo\n".utf8))
    try await memory.replace(.journal, with: Array("three\n".utf8))
    #expect(try await memory.read(.journal) == Array("three\n".utf8))
    var status = stat()
    #expect(stat("\(folder.path)/commands.log", &status) == 0 && status.st_mode & 0o777 == 0o600)
    // Neither a link nor something that is no file is followed.
    symlink("/etc/passwd", "\(folder.path)/state.json")
    await #expect(throws: FleetMemoryError.self) { try await memory.read(.state) }
    await #expect(throws: FleetMemoryError.self) { try await FleetFolder("/none").append([1], to: .journal) }
  }

  @Test func aSpoiledFileIsNoEnd() {
    let lines = JournalLine.lines(
      Array(
        "{\"begin\":\"desk\",\"correlation\":\"0a\",\"command\":\"modem.list\",\"lives\":30}\nrubbish\n{\"end\":\"desk\",\"corr"
          .utf8))
    #expect(lines.count == 1)
    let book = CommandBook(lines, now: LimitClock.machine.now)
    #expect(book.entry("desk", [0x0a])?.phase == .interrupted)
    #expect(StateFile(Array("rubbish".utf8)).session == 0)
    #expect(StateFile(Array("{\"n\":-7,\"dayBytes\":1e99}".utf8)).session == 0)
  }
}

/// What a machine has told.
private final class Seen: Sendable {
  private let changes = Mutex<[MachineChange]>([])

  init(_ machine: ModemdMachine) {
    Task { for await change in machine.changes { changes.withLock { $0.append(change) } } }
  }

  var last: MachineChange? { changes.withLock { $0.last } }
  func has(_ fits: (MachineChange) -> Bool) -> Bool { changes.withLock { $0.contains(where: fits) } }
  func count(_ fits: (MachineChange) -> Bool) -> Int { changes.withLock { $0.count(where: fits) } }
}

/// Servers that answer as modemd does, at sockets of a test.
private final class PlayedModemd: Sendable {
  let socket: String
  let metricsSocket: String
  private let folder: String
  private let servers = Mutex<[VarlinkServer]>([])
  private let calls = Mutex<[String]>([])
  private let refuses = Mutex(false)
  private let bearers = Feed<BearerInterface.Bearer>()
  private let modems = Feed<ModemInterface.Watch.Reply>()

  init() async throws {
    var template = Array("/tmp/modemd-fleet-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw FleetMemoryError("no folder can be made") }
    folder = String(cString: made)
    (socket, metricsSocket) = ("\(folder)/modemd", "\(folder)/metrics")
  }

  deinit { rmdir(folder) }

  var called: [String] { calls.withLock { $0 } }
  func refuse() { refuses.withLock { $0 = true } }
  func tell(_ bearer: BearerInterface.Bearer) { bearers.tell(bearer) }
  func change(_ change: ModemInterface.Watch.Reply.Change, _ modem: ModemInterface.Modem) {
    modems.tell(.init(change: change, modem: modem))
  }

  func start() async throws {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let main = try await VarlinkServer.start(
      router, at: .path(socket, mode: 0o600), on: MultiThreadedEventLoopGroup.singleton, logger: logger)
    let metrics = try await VarlinkServer.start(
      metricsRouter, at: .path(metricsSocket, mode: 0o600), on: MultiThreadedEventLoopGroup.singleton, logger: logger)
    servers.withLock { $0 = [main, metrics] }
  }

  func stop() async {
    let servers = servers.withLock { servers in
      defer { servers = [] }
      return servers
    }
    for server in servers { await server.close() }
  }

  private func note(_ name: String) { calls.withLock { $0.append(name) } }

  private var metricsRouter: VarlinkRouter {
    var router = VarlinkRouter(.init(vendor: "", product: "", version: "", url: "")) { _, _ in true }
    router.add(MetricsInterface.self)
    router.stream(MetricsInterface.List.self) { _, _, sink in
      sink.send(.init(name: "org.modemd.Modems", value: .int(1)))
      return .init(name: "org.modemd.BearerDowns", value: .int(2))
    }
    return router
  }

  private var router: VarlinkRouter {
    var router = VarlinkRouter(.init(vendor: "", product: "", version: "7", url: "")) { _, _ in true }
    for interface in [
      ModemInterface.self, BearerInterface.self, CheckInterface.self, VerifyInterface.self, UsageInterface.self,
    ]
      as [any VarlinkInterface.Type]
    { router.add(interface) }
    router.handle(ModemInterface.List.self) { [self] _, _ in
      note("List")
      return .init(modems: [.played])
    }
    router.handle(ModemInterface.Get.self) { [self] _, _ in
      note("Get")
      return .init(modem: .played)
    }
    router.stream(ModemInterface.Watch.self) { [self] _, _, sink in
      sink.send(.init(change: .ready))
      for await change in modems.all() { sink.send(change) }
      return .init(change: .ready)
    }
    router.stream(BearerInterface.Watch.self) { [self] _, _, sink in
      sink.send(.init(event: .ready, bearer: .played(.up)))
      for await bearer in bearers.all() { sink.send(.init(event: .changed, bearer: bearer)) }
      return .init(event: .ready, bearer: .played(.up))
    }
    router.stream(UsageInterface.Watch.self) { _, _, sink in
      sink.send(.init(event: .ready, budgets: [.init(name: "bytesADay", user: 990, unit: .bytes, limit: 10, used: 1)]))
      try await LimitClock.machine.pause(for: .seconds(3600))
      return .init(event: .ready, budgets: [])
    }
    router.handle(BearerInterface.Get.self) { [self] _, _ in
      note("Bearer.Get")
      return .init(bearer: .played(.up))
    }
    router.handle(BearerInterface.Connect.self) { [self] _, _ in
      note("Connect")
      if refuses.withLock({ $0 }) { throw VarlinkError(BearerInterface.Refused(code: 33, text: "not subscribed")) }
      return .init(bearer: .played(.up))
    }
    router.handle(BearerInterface.Disconnect.self) { [self] _, _ in
      note("Disconnect")
      return .init(bearer: .played(.down))
    }
    router.handle(CheckInterface.Prepare.self) { [self] _, _ in
      note("Prepare")
      return .init(modem: ModemInterface.Modem.played.id, resolved: [], unresolved: [], milliseconds: 1)
    }
    router.stream(CheckInterface.Open.self) { _, _, sink in
      sink.send(.init(event: .ready))
      sink.send(
        .init(
          event: .hop,
          hop: .init(index: 1, scheme: .https, host: "a.example", port: 443, reused: false, times: .init(), cookies: [])
        ))
      return .init(event: .outcome, outcome: .init(result: .answer, answer: .init(status: 200), milliseconds: 1))
    }
    router.stream(VerifyInterface.Number.self) { _, _, sink in
      sink.send(.init(event: .ready))
      sink.send(.init(event: .step, step: .init(index: 1, name: "createCheck", lane: .host, start: 0, milliseconds: 1)))
      return .init(
        event: .outcome, outcome: .init(result: .verified, text: "It is the SIM's number.", milliseconds: 1))
    }
    router.handle(ServiceInterface.Reload.self) { [self] _, _ in
      note("Reload")
      return .init(summary: "everything")
    }
    return router
  }
}

/// Values for all who listen at the time.
private final class Feed<Value: Sendable>: Sendable {
  private let listeners = Mutex<[AsyncStream<Value>.Continuation]>([])

  func all() -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
    listeners.withLock { $0.append(continuation) }
    return stream
  }

  func tell(_ value: Value) { listeners.withLock { listeners in for listener in listeners { listener.yield(value) } } }
}
