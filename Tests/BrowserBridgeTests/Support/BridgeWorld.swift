import ClockTestSupport
import Glibc
import HTTPExchange
import HTTPTestSupport
import HostHTTP
import JSONTree
import LimitClock
import Logging
import LoopbackHTTP
import ModemAPIClient
import NIOConcurrencyHelpers
import NIOPosix
import Testing

@testable import BrowserBridge

/// The service on a port of its own, a backend behind TLS, and a modemd whose answers the test
/// decides, over its real socket.
struct BridgeWorld: Sendable {
  static let token = "a-secret-of-32-characters-or-more"
  static let ticket = "ticket-abcdefghij"
  static let number = "+4915112345678"

  let browser: TestBrowser
  let backend: TestBackend
  let modemd: TestModemd
  let settings: WebSettings
  let bridge: BrowserBridge
  let inspector: Inspector
  let clock: DrivenClock

  /// The link of a page.
  var link: String { "/start?ticket=\(backend.tickets)\(Self.ticket)" }

  /// - Parameters:
  ///   - members: more members of the backend's settings.
  ///   - users: whose browsers are answered besides root's.
  static func run(
    _ members: String = "", users: Set<UInt32> = [], limits: BrowserBridge.Limits = .init(),
    requests: RequestLimits = .init(), _ body: (BridgeWorld) async throws -> Void
  ) async throws {
    let backend = try await TestBackend.start()
    let modemd = try await TestModemd.start()
    let json = """
      { "backends": { "shop": { "name": "The <Shop>", "tickets": "\(backend.tickets)",
        "return": "https://shop.example/back?from=modem", "privateAddresses": true \(members) } } }
      """
    var settings = try WebSettings(json: Array(json.utf8)) { _ in .init(Self.token) }
    settings.users = users
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let clock = DrivenClock()
    let (group, local) = (MultiThreadedEventLoopGroup.singleton, Set(settings.backends.flatMap(\.origins)))
    let client = HostClient(
      group: group, trust: TLSTrust(extraRootsFile: try TestCertificates.shared.get().rootFile),
      configured: { local.contains($0) }, logger: logger)
    let inspector = Inspector(socket: modemd.path, clock: clock.clock, logger: logger)
    let bridge = BrowserBridge(
      settings, office: TicketOffice(client: client, clock: clock.clock, logger: logger),
      gateway: ModemGateway(socket: modemd.path), inspector: inspector, limits: limits, clock: clock.clock,
      logger: logger)
    let server = try await LoopbackServer.start(
      port: 0, limits: requests, on: group, logger: logger, serve: { await bridge.answer($0) })
    let world = BridgeWorld(
      browser: TestBrowser(port: server.port), backend: backend, modemd: modemd, settings: settings, bridge: bridge,
      inspector: inspector, clock: clock)
    do {
      try await body(world)
    } catch {
      await world.stop(server)
      throw error
    }
    await world.stop(server)
  }

  private func stop(_ server: LoopbackServer) async {
    await server.close()
    await modemd.stop()
    await backend.server.stop()
  }

  /// Opens the link and presses the button.
  ///
  /// - Returns: the path of the flow.
  func begin() async throws -> String {
    let page = try await browser.get(link)
    try #require(page.status == 200, "\(page.text)")
    return try await press(page)
  }

  func press(_ page: TestBrowser.Answer) async throws -> String {
    let form = ["visit": try #require(page.input("visit")), "form": try #require(page.input("form"))]
    let answer = try await browser.post("/begin", form)
    try #require(answer.status == 303, "\(answer.text)")
    return try #require(answer.field("location"))
  }

  /// Loads the flow's page until it has a text.
  func page(_ path: String, with text: String) async throws -> TestBrowser.Answer {
    while true {
      let page = try await browser.page(path)
      if page.body.contains(text) { return page }
      try Task.checkCancellation()
      try #require(page.status == 200, "\(page.text)")
      await Task.yield()
    }
  }
}

/// A site's backend: tickets that can be claimed once, and the verdicts that it got.
final class TestBackend: Sendable {
  struct State {
    var id = BridgeWorld.ticket
    var ticket = #"{"id":"\#(BridgeWorld.ticket)","ask":"verify","expiresInSeconds":300}"#
    var claim = #"{"id":"\#(BridgeWorld.ticket)","ask":"verify","number":"\#(BridgeWorld.number)"}"#
    var isClaimed = false
    /// Whether a claimed ticket may be claimed again: a backend that forgets.
    var forgets = false
    /// Statuses of the next answers to a verdict; 204 after them.
    var verdictStatuses: [Int] = []
    var verdicts: [JSONValue] = []
    var requests: [String] = []
    var hasWrongToken = false
  }

  let server: TestServer
  let state: NIOLockedValueBox<State>
  var tickets: String { "https://localhost:\(server.port)/tickets/" }

  static func start() async throws -> TestBackend {
    let state = NIOLockedValueBox(State())
    let server = try await TestServer.start(tls: TestCertificates.shared.get().serverContext(.good)) { request in
      state.withLockedValue { answer(request, &$0) }
    }
    return TestBackend(server, state)
  }

  private init(_ server: TestServer, _ state: NIOLockedValueBox<State>) {
    self.server = server
    self.state = state
  }

  func change(_ body: (inout State) -> Void) { state.withLockedValue { body(&$0) } }

  /// Has another ticket, which nobody has claimed, in place of the one before.
  func renew(_ id: String) {
    change { state in
      state.ticket = state.ticket.replacing(state.id, with: id)
      state.claim = state.claim.replacing(state.id, with: id)
      state.id = id
      state.isClaimed = false
    }
  }

  var requests: [String] { state.withLockedValue(\.requests) }
  var hasWrongToken: Bool { state.withLockedValue(\.hasWrongToken) }
  var verdicts: [JSONValue] { state.withLockedValue(\.verdicts) }

  private static func answer(_ request: TestServer.Request, _ state: inout State) -> [TestServer.Step] {
    let method = String(request.text.prefix { $0 != " " })
    state.requests.append("\(method) \(request.target)")
    guard request.field("authorization") == "Bearer \(BridgeWorld.token)" else {
      state.hasWrongToken = true
      return TestServer.json("{}", status: 401)
    }
    switch "\(method) \(request.target)" {
    case "GET /tickets/\(state.id)":
      return state.isClaimed && !state.forgets ? TestServer.json("{}", status: 410) : TestServer.json(state.ticket)
    case "POST /tickets/\(state.id)/claim":
      guard !state.isClaimed || state.forgets else { return TestServer.json("{}", status: 409) }
      state.isClaimed = true
      return TestServer.json(state.claim)
    case "POST /tickets/\(state.id)/verdict":
      let status = state.verdictStatuses.isEmpty ? 204 : state.verdictStatuses.removeFirst()
      if status == 204 { state.verdicts += JSONValue(parsing: Array(request.body.utf8)).map { [$0] } ?? [] }
      return [.send(TestServer.answer(status))]
    default: return TestServer.json("{}", status: 404)
    }
  }
}

/// modemd's public socket, with methods that the test writes.
final class TestModemd: Sendable {
  struct State {
    var numbers: [String] = []
    var codes: [String] = []
    /// How many calls have ended because their caller left.
    var left = 0
    var outcome = VerifyInterface.Outcome.Result.verified
    /// Whether a check waits until its caller leaves.
    var waits = false
    var registration = ModemInterface.Registration.State.home
    /// The codes that are right.
    var rightCode = "123456"
  }

  let path: String
  private let folder: String
  private let server: VarlinkServer
  let state: NIOLockedValueBox<State>

  static func start() async throws -> TestModemd {
    var template = Array("/tmp/bridge-test-XXXXXX".utf8CString)
    guard let made = template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } }) else {
      throw TestBrowser.Failure(description: "no temporary folder")
    }
    let folder = String(cString: made)
    let state = NIOLockedValueBox(State())
    let server = try await VarlinkServer.start(
      router(state), at: .path("\(folder)/socket", mode: 0o600), on: MultiThreadedEventLoopGroup.singleton,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    return TestModemd(folder, server, state)
  }

  private init(_ folder: String, _ server: VarlinkServer, _ state: NIOLockedValueBox<State>) {
    self.folder = folder
    path = "\(folder)/socket"
    self.server = server
    self.state = state
  }

  func change(_ body: (inout State) -> Void) { state.withLockedValue { body(&$0) } }
  var numbers: [String] { state.withLockedValue(\.numbers) }
  var codes: [String] { state.withLockedValue(\.codes) }
  var left: Int { state.withLockedValue(\.left) }

  func stop() async {
    await server.close()
    unlink(path)
    rmdir(folder)
  }

  private static func outcome(_ result: VerifyInterface.Outcome.Result) -> VerifyInterface.Outcome {
    VerifyInterface.Outcome(
      result: result, number: result == .verified ? .matches : nil, text: "as the test says", provider: "test",
      modem: "modem-secret", source: "192.0.2.7", milliseconds: 1)
  }

  private static func router(_ state: NIOLockedValueBox<State>) -> VarlinkRouter {
    var router = VarlinkRouter(.init(vendor: "test", product: "test", version: "0", url: "")) { _, _ in true }
    router.add(VerifyInterface.self)
    router.add(PhoneSignInInterface.self)
    router.stream(VerifyInterface.Number.self) { parameters, _, sink in
      state.withLockedValue { $0.numbers.append(parameters.number) }
      sink.send(.init(event: .ready))
      sink.send(
        .init(event: .step, step: .init(index: 1, name: "createCheck", lane: .host, start: 0, milliseconds: 1)))
      if state.withLockedValue(\.waits) { try await wait(state) }
      return .init(event: .outcome, outcome: outcome(state.withLockedValue(\.outcome)))
    }
    router.stream(PhoneSignInInterface.SignIn.self) { parameters, _, sink in
      state.withLockedValue { $0.numbers.append(parameters.number) }
      var given = 0
      while true {
        sink.send(.init(event: .codeWanted, flow: "flow-1", codeWrong: given > 0, attemptsLeft: 3 - given))
        while state.withLockedValue({ $0.codes.count }) == given {
          try Task.checkCancellation()
          await Task.yield()
        }
        given += 1
        if state.withLockedValue({ $0.codes.last == $0.rightCode }) { break }
      }
      return .init(
        event: .outcome, outcome: outcome(.signedIn),
        user: .init(user: "u-1", idToken: "id-token", refreshToken: "refresh-token"))
    }
    router.add(SIMSwapInterface.self)
    router.stream(SIMSwapInterface.Check.self) { parameters, _, sink in
      state.withLockedValue { $0.numbers.append(parameters.number ?? "the SIM's") }
      sink.send(.init(event: .ready))
      return .init(
        event: .outcome, outcome: outcome(.simSwapped), changedAt: "2026-11-23T10:00:00Z",
        periodHours: parameters.maximumAgeHours)
    }
    router.add(MIRACLInterface.self)
    router.stream(MIRACLInterface.Login.self) { parameters, _, sink in
      state.withLockedValue { $0.numbers.append(parameters.link ?? "no link") }
      sink.send(
        .init(
          event: .question, flow: "flow-2",
          question: .init(what: .pin, shortest: 4, longest: 6, purpose: "<The Bank>", seconds: 60)))
      while state.withLockedValue({ $0.codes.isEmpty }) {
        try Task.checkCancellation()
        await Task.yield()
      }
      return .init(event: .outcome, outcome: outcome(.signedIn), user: "me@bank.example", token: "a-token")
    }
    router.handle(MIRACLInterface.GivePIN.self) { parameters, _ in
      state.withLockedValue { $0.codes.append(parameters.pin) }
      return .init()
    }
    router.add(ModemInterface.self)
    router.add(BearerInterface.self)
    router.add(CheckInterface.self)
    router.handle(ModemInterface.List.self) { _, _ in .init(modems: [modem(state.withLockedValue(\.registration))]) }
    router.handle(BearerInterface.Get.self) { _, _ in
      .init(bearer: .init(modem: "modem-1", state: .up, since: "2026-01-01T00:00:00Z"))
    }
    router.handle(CheckInterface.History.self) { _, _ in .init(checks: []) }
    router.handle(PhoneSignInInterface.GiveCode.self) { parameters, _ in
      state.withLockedValue { $0.codes.append(parameters.code) }
      return .init()
    }
    return router
  }

  private static func modem(_ registration: ModemInterface.Registration.State) -> ModemInterface.Modem {
    ModemInterface.Modem(
      id: "modem-1", device: "/dev/cdc-wdm0", protocol: .mbim, imei: "004999010640000",
      sim: .init(
        state: .ready, iccid: "8949020000012345678", imsi: "262011234567890",
        numbers: [.init(number: BridgeWorld.number, normalised: true, source: .dms)]),
      registration: .init(state: registration))
  }

  private static func wait(_ state: NIOLockedValueBox<State>) async throws {
    let (nothing, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in nothing {}
    extendLifetime(continuation)
    state.withLockedValue { $0.left += 1 }
    throw CancellationError()
  }
}
