import ClockTestSupport
import Glibc
import JSONTree
import LimitClock
import Logging
import ModemModel
import ModemPort
import Synchronization
import Testing

/// An exchange of a server with a SIM, as it was recorded or computed elsewhere.
struct RecordedLogin: Sendable {
  let method: EAPMethod
  let identity: String
  let challenge: AKAChallenge
  let response: AKAResponse
  /// The server's packets in order: a question for the identity, and the challenge.
  let server: [[UInt8]]
  /// The answers to them.
  let peer: [[UInt8]]
  /// The server's fast re-authentication, and the identity that it gave for it.
  let reauthentication: [UInt8]
  let reauthenticationIdentity: String

  /// The exchange of this method in the vectors; nil if the file of `MODEMD_TS43_VECTORS` has none.
  static func read(_ method: EAPMethod) throws -> RecordedLogin? {
    let exchanges = try vectors()["composed_exchanges"]
    guard let exchange = exchanges?[method == .aka ? "eap_aka" : "eap_aka_prime"] else { return nil }
    func bytes(_ name: String) throws -> [UInt8] {
      try #require(exchange[name]?.string.flatMap { Hexadecimal.bytes(of: $0) }, "\(name)")
    }
    var packets: [String: [[UInt8]]] = [:]
    for packet in exchange["eap"]?.items ?? [] {
      let (side, digits) = (try #require(packet["dir"]?.string), try #require(packet["hex"]?.string))
      packets[side, default: []].append(try #require(Hexadecimal.bytes(of: digits)))
    }
    return RecordedLogin(
      method: method, identity: try #require(exchange["identity"]?.string),
      challenge: try #require(AKAChallenge(rand: try bytes("rand"), autn: try bytes("autn"))),
      response: try #require(
        AKAResponse(
          res: WipedBytes(try bytes("res")), ck: WipedBytes(try bytes("ck")), ik: WipedBytes(try bytes("ik")))),
      server: packets["server"] ?? [], peer: packets["peer"] ?? [],
      reauthentication: try #require(
        exchange["fast_reauth"]?["server"]?.string.flatMap { Hexadecimal.bytes(of: $0) }),
      reauthenticationIdentity: try #require(exchange["next_reauth_id"]?.string))
  }

  private static let usual =
    String(#filePath).split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
    + "/Tests/Vectors/ts43-vectors.json"

  static func vectors() throws -> JSONValue {
    let path = getenv("MODEMD_TS43_VECTORS").map { String(cString: $0) } ?? usual
    let file = try #require(fopen(path, "re"), "\(path)")
    defer { fclose(file) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { content += buffer[..<count] }
    return try JSONReader.read(content, .init(depth: 32, values: 100_000))
  }

  /// What this SIM answers to its challenge; it refuses every other one.
  @Sendable func card(_ asked: AKAChallenge) async throws -> AKAAnswer {
    asked == challenge ? .response(response) : .refused
  }

  /// The SIM of the exchange.
  static let sim = SIMStatus(
    state: .ready, iccid: ICCID("8988211000000123456"), imsi: IMSI("001010123456063"),
    home: Network(PLMN(mcc: "001", mnc: "01")!))
}

/// All lines of a log.
struct LoggedLines: LogHandler {
  let lines = Mutexed<[String]>([])
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let line = "\(event.level) \(event.message) \(event.metadata ?? [:])"
    lines.change { $0.append(line) }
  }
}

/// A port on a modem whose SIM answers logins, in a time of the test's own.
struct LoginFixture: Sendable {
  let backend = ScriptedBackend()
  let clock = DrivenClock()
  let log = LoggedLines()
  let port: ModemPort
  /// Since the machine's boot, and the time of day.
  let moment: Mutexed<CardCalls.Moment>

  init(
    _ sim: SIMStatus = RecordedLogin.sim, perDay: Int = 100, calls: any CardCallMemory = CardCallsInProcess(),
    at moment: CardCalls.Moment = .init(boot: "a", sinceBoot: 0, time: Timestamp(milliseconds: 1_700_000_000_000))
  ) async {
    let (backend, clock, log, present) = (backend, clock, log, Mutexed(moment))
    self.moment = present
    await backend.change { $0.sim = sim }
    var dependencies = ModemPort.Dependencies(
      makeBackend: { backend }, network: ScriptedInstaller(), clock: clock.clock,
      now: { Timestamp(milliseconds: 0) }, naming: .forTests, logger: Logger(label: "test") { _ in log })
    dependencies.waitForRetry = { try await LimitClock.stopped.pause(for: $0) }
    dependencies.cardCalls = calls
    dependencies.moment = { present.value }
    var settings = ModemSettings()
    settings.authenticationsPerDay = perDay
    port = ModemPort(
      ModemPort.Configuration(
        device: "/dev/scripted", kind: .mbim, interface: "wwan0", settings: settings, eventPace: .immediate),
      dependencies)
  }

  /// Lets time pass on all clocks.
  func advance(by seconds: Int64) {
    moment.change { moment in
      moment.sinceBoot += seconds * 1000
      moment.time = Timestamp(milliseconds: moment.time.milliseconds + seconds * 1000)
    }
    clock.advance(by: .seconds(seconds))
  }

  func run(_ body: @Sendable (ModemPort) async throws -> Void) async throws {
    let life = Task { await port.run() }
    for await state in await port.changes()
    where state.identity.imei != nil && state.registration.state != .unknown { break }
    let result = await Result(catching: { try await body(port) })
    life.cancel()
    await life.value
    try result.get()
  }

  /// Waits for a state.
  func until(_ condition: @Sendable (ModemState) -> Bool) async {
    for await state in await port.changes() where condition(state) { return }
  }

  /// Waits until the SIM was asked so often.
  func untilAsked(_ count: Int) async throws {
    while await backend.challenges < count { try await Task.sleep(for: .milliseconds(2)) }
  }
}

extension ModemPort {
  /// A login up to its challenge: what the last packet led to.
  func answer(_ login: RecordedLogin) async throws -> EAPReply {
    let id = try await beginEAP(EAPLoginRequest(login.method)).id
    return try await answer(login, as: id)
  }

  /// The packets of a login that has begun.
  @discardableResult
  func answer(_ login: RecordedLogin, as id: String) async throws -> EAPReply {
    var last = EAPReply(.unknown)
    for packet in login.server { last = try await answerEAP(packet, of: id) }
    return last
  }
}

/// A gate that opens for the one who waits at it, and for all who come later.
struct Gate: Sendable {
  let opening: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (opening, continuation) = AsyncStream.makeStream() }
  func open() { continuation.finish() }
}
