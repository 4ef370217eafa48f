import EventLoopTasks
import Glibc
import JournalLog
import Logging
import ModemAPI
import ModemAPIClient
import ModemAPIServer
import ModemModel
import ModemPort
import ModemService
import NIOPosix
import PortClient
import PortServer
@_spi(Exchange) import RedirectChain
import Synchronization
import Testing
import Varlink

/// Both daemons' insides in one process, over real sockets, around a scripted modem and a scripted
/// chain.
private struct Service: Sendable {
  let fixture = PortFixture()
  let folder: String
  let registry = ModemRegistry()
  let chain: CheckService.ChainRunner
  let logger: Logger
  let executor: (any TaskExecutor)?

  init(
    logger: Logger = .silent, executor: (any TaskExecutor)? = nil,
    chain: @escaping CheckService.ChainRunner = { _, _, _ in .failed(ChainFailure(.cancelled, "no chain")) }
  ) {
    self.chain = chain
    self.logger = logger
    self.executor = executor
    var template = Array("/tmp/modemd-test-XXXXXX\0".utf8CString.dropLast()) + [0]
    folder = String(cString: mkdtemp(&template)!)
    mkdir("\(folder)/ports", 0o700)
  }

  var socket: String { "\(folder)/org.modemd" }

  func startPort(as name: String = "scripted") async throws -> VarlinkServer {
    try await VarlinkServer.start(
      PortRouter.make(for: fixture.port, version: "test") { _, _ in true },
      at: .path("\(folder)/ports/\(name)", mode: 0o600),
      on: MultiThreadedEventLoopGroup.singleton, logger: quiet)
  }

  private var quiet: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

  func run(
    access: AccessPolicy = AccessPolicy(groupIDs: [], ownUserID: geteuid()),
    _ body: @Sendable (ModemAPIClient) async throws -> Void
  ) async throws {
    let port = try await startPort()
    let bearers = BearerService(registry: registry)
    let checks = CheckService(
      registry: registry, bearers: bearers, now: { Timestamp(milliseconds: 0) }, logger: logger,
      executor: { [executor] in executor }, runChain: chain)
    let server = try await VarlinkServer.start(
      ModemAPIRouter.make(registry: registry, bearers: bearers, checks: checks, access: access, version: "test"),
      at: .path(socket, mode: 0o600), on: MultiThreadedEventLoopGroup.singleton, logger: quiet)
    let directory = Task {
      try await PortDirectory(
        path: "\(folder)/ports", registry: registry, now: { Timestamp(milliseconds: 0) }, logger: quiet
      ).run()
    }
    try await fixture.run { _ in
      await until { $0.identity.imei != nil }
      try await body(try await ModemAPIClient.connect(to: socket))
    }
    directory.cancel()
    await server.close()
    await port.close()
    rmdir("\(folder)/ports")
    rmdir(folder)
  }

  func until(_ condition: @Sendable (ModemState) -> Bool) async {
    let changes = registry.watch()
    if let now = registry.modems.first, condition(now) { return }
    for await change in changes where condition(change.modem) { return }
  }
}

@Suite("The whole service over its sockets", .timeLimit(.minutes(1)))
struct WholeServiceTests {
  @Test("A modem is listed with its SIM, numbers and networks")
  func list() async throws {
    try await Service().run { client in
      let modem = try #require(try await client.call(ModemInterface.List.self, .init()).modems.first)
      #expect(modem.sim.numbers == [.init(number: "+447700900123", normalised: true, source: .subscriberReady)])
      #expect(modem.sim.home == .init(mcc: "234", mnc: "15", name: "Example"))
      #expect(modem.registration.technology == .lte)
      for name in [nil, modem.id, "/dev/scripted", "wwan0", "scripted"] {
        #expect(try await client.call(ModemInterface.Get.self, .init(modem: name)).modem == modem)
      }
      let error = await #expect(throws: VarlinkError.self) {
        try await client.call(ModemInterface.Get.self, .init(modem: "nothing"))
      }
      #expect(error?.parameters(as: ModemInterface.NoSuchModem.self)?.modem == "nothing")
    }
  }

  @Test("A check runs on its executor from the call to its chain, with the bearer up and with it down")
  func executor() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let runs = Mutex<[Bool]>([])
    let service = Service(executor: LoopExecutor(loop)) { _, _, _ in
      runs.withLock { $0.append(loop.inEventLoop) }
      return .failed(ChainFailure(.cancelled, "no chain"))
    }
    try await service.run { client in
      for _ in 0..<2 {
        let reply = try await client.call(CheckInterface.Open.self, .init(url: "https://example.com/"))
        #expect(reply.event == .outcome)
      }
    }
    #expect(runs.withLock(\.self) == [true, true])
  }

  /// Connections to the sockets in a folder (proc(5), net/unix; 03 is connected). They have the
  /// name that the socket was made with.
  private static func connections(in folder: String) throws -> Int {
    let file = try #require(fopen("/proc/net/unix", "re"))
    defer { fclose(file) }
    var (line, count) = ([CChar](repeating: 0, count: 1024), 0)
    while fgets(&line, CInt(line.count), file) != nil {
      let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let fields = String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }
      if fields.last?.hasPrefix(folder) == true, fields.dropFirst(5).first == "03" { count += 1 }
    }
    return count
  }

  @Test("The question before a chain goes over the connection that brought the bearer up, and again over that")
  func portConnection() async throws {
    let service = Service()
    try await service.run { client in
      let ports = "\(service.folder)/ports/"
      _ = try await client.call(BearerInterface.Connect.self, .init())
      // Those that end with the start of the service are gone by then.
      try await Task.sleep(for: .milliseconds(100))
      let count = try Self.connections(in: ports)
      #expect(count > 0)
      for _ in 0..<2 {
        #expect(try await client.call(CheckInterface.Open.self, .init(url: "https://example.com/")).event == .outcome)
        #expect(try Self.connections(in: ports) == count)
      }
    }
  }

  @Test("A bearer goes up and down, and its watchers see every step")
  func bearer() async throws {
    let service = Service()
    try await service.run { client in
      let watcher = try await ModemAPIClient.connect(to: service.socket)
      var states: [String] = []
      let stream = watcher.stream(BearerInterface.Watch.self, .init())
      var replies = stream.makeAsyncIterator()
      #expect(try await replies.next()?.event == .ready)
      let up = try await client.call(BearerInterface.Connect.self, .init(apn: "internet", ipType: .ipv4))
      #expect(up.bearer.settings?.ipv4?.address == "10.64.0.2")
      while let reply = try await replies.next() {
        states.append(reply.bearer.state.rawValue)
        if reply.bearer.state == .up { break }
      }
      #expect(states == ["attaching", "connecting", "configuring", "up"] || states.last == "up")
      #expect(try await client.call(BearerInterface.Disconnect.self, .init()).bearer.state == .down)
    }
  }

  @Test("A check brings the bearer up, streams its hops and ends with the answer")
  func check() async throws {
    let service = Service { request, bearer, onHop in
      #expect(bearer.interfaceIndex == 7)
      onHop(ChainHop(.init(index: 1, url: request.url, headers: [], cookieNames: ["a"])))
      return .answer(ChainAnswer(status: 404, contentType: "application/json", body: Array("{\"match\":true}".utf8)))
    }
    try await service.run { client in
      var events: [CheckInterface.Open.Reply] = []
      for try await event in client.stream(CheckInterface.Open.self, .init(url: "https://check.example/x?secret=1")) {
        events.append(event)
      }
      #expect(events.map(\.event) == [.ready, .hop, .outcome])
      #expect(events[1].hop?.host == "check.example")
      #expect(
        events[2].outcome?.answer
          == .init(status: 404, contentType: "application/json", json: .object(["match": .bool(true)])))
      #expect(events[2].outcome?.source == "10.64.0.2")
      let alone = try await client.call(CheckInterface.Open.self, .init(url: "https://check.example/"))
      #expect(alone.event == .outcome)
    }
  }

  @Test(
    "What cannot be opened is refused by name",
    arguments: ["http://check.example/", "ftp://x", "nonsense", "https://user@host/", ""])
  func badURL(url: String) async throws {
    try await Service().run { client in
      let error = await #expect(throws: VarlinkError.self) {
        try await client.call(CheckInterface.Open.self, .init(url: url))
      }
      #expect(error?.parameters(as: CheckInterface.InvalidURL.self) != nil)
    }
  }

  @Test(
    "A redirect URI that no answer can name is refused, and the reason says which argument it is",
    arguments: ["https://", "https:", "https:///path", "http://", "https://user@host/", "https://127.1/", "nonsense"])
  func badRedirectURI(text: String) async throws {
    try await Service().run { client in
      let error = await #expect(throws: VarlinkError.self) {
        try await client.call(CheckInterface.Open.self, .init(url: "https://check.example/", redirectURI: text))
      }
      let reason = error?.parameters(as: CheckInterface.InvalidURL.self)?.reason
      #expect(reason?.contains("redirect URI") == true, "\(reason ?? "no reason")")
    }
  }

  @Test(
    "A field of the connection is refused by its name",
    arguments: [
      "Expect", "expect", "Upgrade", "TE", "Trailer", "Proxy-Authorization", "Proxy-Anything", "Connection",
      "Transfer-Encoding", "Content-Length", "Host", "HTTP2-Settings", "Keep-Alive", "Early-Data", "Cookie",
    ])
  func badField(name: String) async throws {
    try await Service().run { client in
      let error = await #expect(throws: VarlinkError.self) {
        try await client.call(CheckInterface.Open.self, .init(url: "https://check.example/", headers: [name: "x"]))
      }
      let refused = error?.parameters(as: CheckInterface.InvalidOption.self)
      #expect(refused?.option == "headers" && refused?.expected.contains(name) == true, "\(refused?.expected ?? "-")")
    }
  }

  @Test("A damaged table ends a check before it begins")
  func damaged() async throws {
    let service = Service()
    try await service.run { client in
      _ = try await client.call(BearerInterface.Connect.self, .init())
      await service.until { $0.bearer.state.installed != nil }
      await service.fixture.installer.setDamage("table 7307 has no default route")
      let outcome = try await client.call(CheckInterface.Open.self, .init(url: "https://check.example/")).outcome
      #expect(outcome?.failure?.cause == .bearerLost)
      #expect(outcome?.failure?.text == "table 7307 has no default route")
    }
  }

  @Test("A bearer that is lost in the middle ends the check at once")
  func lostInTheMiddle() async throws {
    let service = Service { _, _, _ in
      try? await Task.sleep(for: .seconds(3600))
      return .failed(ChainFailure(.cancelled, "cancelled"))
    }
    try await service.run { client in
      let call = Task { try await client.call(CheckInterface.Open.self, .init(url: "https://check.example/")) }
      await service.until { $0.bearer.state.installed != nil }
      service.fixture.backend.say(.bearerDropped(.session(36)))
      let outcome = try await call.value.outcome
      #expect(outcome?.failure?.cause == .bearerLost)
      #expect(outcome?.failure?.hop == 1 && outcome?.failure?.text.contains("check.example") == true)
    }
  }

  @Test("A bearer that is damaged in the middle is told of once; the next check finds it made anew")
  func damagedInTheMiddle() async throws {
    let walks = Mutex(0)
    let service = Service { _, _, _ in
      let isFirst = walks.withLock { walks in
        walks += 1
        return walks == 1
      }
      if isFirst { try? await Task.sleep(for: .seconds(3600)) }
      return .answer(ChainAnswer(status: 200, contentType: nil, body: []))
    }
    try await service.run { client in
      let call = Task { try await client.call(CheckInterface.Open.self, .init(url: "https://check.example/")) }
      await service.until { $0.bearer.state.installed != nil }
      await service.fixture.installer.setDamage("a route is gone")
      service.fixture.installer.lose("a route is gone")
      let first = try await call.value.outcome
      #expect(first?.failure?.cause == .bearerLost)
      await service.until { $0.bearer.state.installed == nil }
      await service.fixture.installer.setDamage(nil)
      let second = try await client.call(CheckInterface.Open.self, .init(url: "https://check.example/")).outcome
      #expect(second?.result == .answer)
    }
  }

  @Test("The time limit of a check counts for the bearer too")
  func bearerTimeLimit() async throws {
    let service = Service()
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    await service.fixture.backend.change { $0.connectGate = gate }
    try await service.run { client in
      let outcome = try await client.call(
        CheckInterface.Open.self, .init(url: "https://check.example/", timeoutMilliseconds: 50)
      ).outcome
      #expect(outcome?.failure?.cause == .timeout)
      opening.finish()
    }
  }

  @Test("A caller that leaves ends its check, and the bearer is free again")
  func callerLeaves() async throws {
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let (ended, ending) = AsyncStream.makeStream(of: Void.self)
    let service = Service { _, _, _ in
      beginning.finish()
      try? await Task.sleep(for: .seconds(3600))
      ending.finish()
      return .failed(ChainFailure(.cancelled, "cancelled"))
    }
    try await service.run { client in
      let other = try await ModemAPIClient.connect(to: service.socket)
      let call = Task {
        for try await _ in other.stream(CheckInterface.Open.self, .init(url: "https://check.example/")) {}
      }
      // The bearer is up before the chain begins, and a caller that leaves in between ends no
      // chain.
      for await _ in begun {}
      let error = await #expect(throws: VarlinkError.self) {
        try await client.call(BearerInterface.Disconnect.self, .init())
      }
      #expect(error?.parameters(as: BearerInterface.InUse.self)?.flows == 1)
      call.cancel()
      for await _ in ended {}
      // A test that is over its time is cancelled, and then every call fails.
      while !Task.isCancelled, (try? await client.call(BearerInterface.Disconnect.self, .init())) == nil {
        await Task.yield()
      }
    }
  }

  @Test("A call's trace is the caller's or a new one: the chain works in it, and outcome, history and log have it")
  func traces() async throws {
    let id = "4bf92f3577b34da6a3ce929d0e0e4736"
    let given = "00-\(id)-00f067aa0ba902b7-01"
    let seen = Mutex<[String?]>([])
    let lines = LogLines()
    let service = Service(logger: Logger(label: "test") { _ in lines }) { _, _, _ in
      seen.withLock { $0.append(TraceContext.current?.traceID) }
      return .failed(ChainFailure(.dnsFailed, hop: 1, "no such name"))
    }
    try await service.run { client in
      let url = "https://check.example/"
      let first = try await client.call(CheckInterface.Open.self, .init(url: url, traceparent: given))
      let second = try await client.call(CheckInterface.Open.self, .init(url: url))
      let fresh = try #require(second.outcome?.trace)
      #expect(first.outcome?.trace == id && TraceContext.isTraceID(fresh) && fresh != id)
      let worked = seen.withLock { $0 }
      #expect(worked == [id, fresh])
      let prepared = try await client.call(CheckInterface.Prepare.self, .init(traceparent: given))
      #expect(prepared.trace == id)
      #expect(try await client.call(CheckInterface.History.self, .init()).checks.map(\.trace) == [fresh, id])
      let found = try await client.call(CheckInterface.History.self, .init(limit: 1, trace: id)).checks
      #expect(found.map(\.trace) == [id] && found.map(\.number) == [1])
      let ended = lines.all.filter { $0.message == "a check ended" }
      #expect(ended.map { $0.metadata["trace"] } == [id, fresh])
      #expect(ended.first?.metadata["cause"] == "dnsFailed" && ended.first?.metadata["check"] == "1")
      #expect(!ended.contains { $0.metadata.values.contains { $0.contains("example") } })
      // Anything else is refused before anything is done.
      for wrong in ["", "00-\(id)-00f067aa0ba902b7", "00-\(id.uppercased())-00f067aa0ba902b7-01", "\(given)\nx: y"] {
        let error = await #expect(throws: VarlinkError.self) {
          try await client.call(CheckInterface.Open.self, .init(url: url, traceparent: wrong))
        }
        #expect(error?.parameters(as: CheckInterface.InvalidOption.self)?.option == "traceparent")
      }
      let error = await #expect(throws: VarlinkError.self) {
        try await client.call(CheckInterface.History.self, .init(trace: "x"))
      }
      #expect(error?.parameters(as: CheckInterface.InvalidOption.self)?.option == "trace")
      let count = seen.withLock { $0.count }
      #expect(count == 2)
    }
  }

  @Test("A port that restarts is found again; meanwhile the last state stays, with a fault")
  func portRestart() async throws {
    let service = Service()
    try await service.run { client in
      // The socket of a killed port stays; the watcher's connection breaks.
      let first = try await service.startPort(as: "second")
      await service.until { $0.identity.imei != nil && $0.fault == nil }
      while service.registry.state(of: "second") == nil { try await Self.wait() }
      // Both ports are the same modem's.
      let modems = try await client.call(ModemInterface.List.self, .init()).modems
      #expect(modems.count == 1)
      await first.close()
      while service.registry.state(of: "second") != nil { try await Self.wait() }
      let again = try await service.startPort(as: "second")
      while service.registry.state(of: "second") == nil { try await Self.wait() }
      await again.close()
    }
  }

  /// Until something has happened, or the test is over its time.
  private static func wait() async throws {
    try Task.checkCancellation()
    await Task.yield()
  }

  @Test("Others are refused")
  func denied() async throws {
    try await Service().run(access: AccessPolicy(groupIDs: [], ownUserID: 4_000_000)) { client in
      guard geteuid() != 0 else { return }
      let error = await #expect(throws: VarlinkError.self) { try await client.call(ModemInterface.List.self, .init()) }
      #expect(error?.name == "org.varlink.service.PermissionDenied")
    }
  }

  @Test(
    "Root, the own user and the group may ask",
    arguments: [
      (Peer(processID: 1, userID: 0, groupIDs: [0]), true), (Peer(processID: 1, userID: 990, groupIDs: [990]), true),
      (Peer(processID: 1, userID: 1000, groupIDs: [1000, 985]), true),
      (Peer(processID: 1, userID: 1000, groupIDs: [1000]), false),
    ])
  func access(peer: Peer, isAllowed: Bool) {
    #expect(AccessPolicy(groupIDs: [985], ownUserID: 990).allows(peer, "org.modemd.Modem.List") == isAllowed)
  }
}

/// Keeps lines instead of writing them.
private final class LogLines: LogHandler {
  struct Line: Sendable {
    let message: String
    let metadata: [String: String]
  }

  private let lines = Mutex<[Line]>([])
  var all: [Line] { lines.withLock { $0 } }
  // The same for all loggers.
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  var logLevel: Logger.Level {
    get { .trace }
    set {}
  }

  subscript(metadataKey _: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: Logging.LogEvent) {
    let metadata = (event.metadata ?? [:]).mapValues { "\($0)" }
    lines.withLock { $0.append(Line(message: "\(event.message)", metadata: metadata)) }
  }
}
