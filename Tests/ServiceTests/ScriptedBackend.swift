import ModemModel
import NetworkAddress
import Synchronization

/// A modem in memory that answers what a test scripted and remembers what it was asked.
actor ScriptedBackend: ModemBackend {
  nonisolated let kind = ModemProtocol.mbim
  nonisolated let events: AsyncStream<ModemEvent>
  private nonisolated let said: AsyncStream<ModemEvent>.Continuation

  var sim = SIMStatus(
    state: .ready, iccid: ICCID("8944110012345678901"), imsi: IMSI("234150123456789"),
    numbers: [PhoneNumber("+447700900123", source: .subscriberReady)],
    home: Network(PLMN(mcc: "234", mnc: "15")!, name: "Example"))
  var registrationAnswer = Registration(state: .home, serving: Network(PLMN(mcc: "234", mnc: "15")!), technology: .lte)
  var connectAnswer: Result<BearerSettings, ModemError> = .success(ScriptedBackend.settings)
  /// While set, `connect` waits for it to end.
  var connectGate: AsyncStream<Void>?
  /// While set, `disconnect` waits for it to end, or for the port's.
  var disconnectGate: AsyncStream<Void>?
  var provisioned: [AccessPoint] = []
  /// The only access point that is not refused with cause 27; nil for every one.
  var acceptsOnly: String?
  var settingsError: ModemError?
  /// Why the control port cannot be opened.
  var openError: ModemError?
  /// What the SIM answers to a challenge.
  var card: @Sendable (AKAChallenge) async throws -> AKAAnswer = { _ in .refused }
  var group: Result<[UInt8]?, ModemError> = .success(nil)
  /// While set, a switch of the slot waits for it to end.
  var slotGate: AsyncStream<Void>?
  private(set) var calls: [String] = []
  nonisolated let messageStore = ScriptedMessageStore()

  static let settings = BearerSettings(
    ipv4: .init(prefix: IPPrefix(IPAddress("10.64.0.2")!, length: 30)!), dns: [IPAddress("10.64.0.53")!], mtu: 1430)

  init() { (events, said) = AsyncStream.makeStream(of: ModemEvent.self) }

  nonisolated func say(_ event: ModemEvent) {
    said.yield(event)
    if event == .removed { said.finish() }
  }

  func change(_ body: @Sendable (isolated ScriptedBackend) -> Void) { body(self) }

  func open() async throws {
    calls.append("open")
    if let openError { throw openError }
  }
  func close() async {
    calls.append("close")
    said.finish()
  }
  func identity() async throws -> DeviceIdentity {
    DeviceIdentity(manufacturer: "Example", model: "E1", firmware: "1.0", imei: "490154203237518")
  }
  func simStatus() async throws -> SIMStatus { sim }
  func registration() async throws -> Registration { registrationAnswer }
  func unlock(with pin: PIN) async throws {
    calls.append("unlock")
    guard sim.state == .pinRequired else { throw ModemError(.pinNotRequired, sim.state.rawValue) }
    guard pin.revealed == "1234" else {
      sim.retriesLeft = (sim.retriesLeft ?? 3) - 1
      throw ModemError(.wrongPIN, "refused", retriesLeft: sim.retriesLeft)
    }
    sim.state = .ready
  }
  func negotiateLinkFormat() async throws -> LinkFormat { .rawIP }
  func attach() async throws { calls.append("attach") }
  func connect(_ request: BearerRequest) async throws -> BearerSettings {
    calls.append("connect \(request.apn ?? "-") \(request.ipType.rawValue)")
    if let connectGate { for await _ in connectGate {} }
    try Task.checkCancellation()
    if let acceptsOnly, request.apn != acceptsOnly {
      throw ModemError(.refused, "refused", networkCause: .session(27))
    }
    return try connectAnswer.get()
  }
  func provisionedAccessPoints() async throws -> [AccessPoint] { provisioned }
  func settings() async throws -> BearerSettings {
    if let settingsError { throw settingsError }
    return try connectAnswer.get()
  }
  func disconnect() async throws {
    calls.append("disconnect")
    if let disconnectGate { for await _ in disconnectGate {} }
  }
  func switchSlot(to slot: Int) async throws {
    calls.append("slot \(slot)")
    if let slotGate { for await _ in slotGate {} }
  }
  func authenticate(_ challenge: AKAChallenge) async throws -> AKAAnswer {
    calls.append("authenticate")
    return try await card(challenge)
  }
  func groupIdentifier() async throws -> [UInt8]? {
    calls.append("group identifier")
    return try group.get()
  }
  /// How often the SIM was asked to answer a challenge.
  var challenges: Int { calls.count { $0 == "authenticate" } }
}

/// The kernel's part in memory.
actor ScriptedInstaller: BearerInstaller {
  private(set) var installed: [InstalledBearer] = []
  private(set) var cleanedUp: [String] = []
  var damage: String?
  var diagnosis: String?
  private nonisolated let watchers = Mutex<[AsyncStream<String>.Continuation]>([])

  func setDamage(_ text: String?) { damage = text }
  func setDiagnosis(_ text: String?) { diagnosis = text }
  func diagnose(_ bearer: InstalledBearer, format: LinkFormat) async -> String? { diagnosis }
  nonisolated func lose(_ text: String) {
    for watcher in watchers.withLock(\.self) { watcher.yield(text) }
  }

  func cleanUp(interface: String) async throws { cleanedUp.append(interface) }
  func setRawIP(interface: String) async throws {}
  func install(_ settings: BearerSettings, on interface: String) async throws -> InstalledBearer {
    let bearer = InstalledBearer(settings: settings, interface: interface, interfaceIndex: 7, table: 7307)
    installed = [bearer]
    return bearer
  }
  func remove(_ bearer: InstalledBearer) async throws { installed.removeAll { $0 == bearer } }
  func verify(_ bearer: InstalledBearer) async throws {
    if let damage { throw ModemError(.networking, damage) }
  }
  nonisolated func losses(of bearer: InstalledBearer) -> AsyncStream<String> {
    AsyncStream { watcher in watchers.withLock { $0.append(watcher) } }
  }
}
