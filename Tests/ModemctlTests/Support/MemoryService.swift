import AuthFlows
import BearerStreams
import BoundHTTP
import CAMARAFlowService
import FirebaseFlowService
import FlowService
import Glibc
import IPificationFlowService
import Logging
import MIRACLFlowService
import MobileConnectFlowService
import ModemAPI
import ModemAPIServer
import ModemModel
import ModemService
import NIOPosix
import NetworkAddress
import NumberRecyclingFlowService
import RedirectChain
import Synchronization
import TS43FlowService
import Testing
import TrafficLedger
import TruIDFlowService
import Varlink
import MIRACLFlows
import TruIDFlows

@testable import ModemctlCommands

/// modemd's own server and services on a socket, around modems that exist in memory only.
struct MemoryService: Sendable {
  let path: String
  let registry: ModemRegistry
  let messages: MessageService
  let bearers: BearerService
  let ledger: TrafficLedger
  let server: VarlinkServer

  /// Runs `body` with a service that has these modems.
  static func run(
    modems: [ModemState] = [.sample()], flows: FlowLimits = FlowLimits(), access: AccessPolicy? = nil,
    chain: @escaping CheckService.ChainRunner = { _, _, _ in .failed(ChainFailure(.timeout, "no chain was given")) },
    authentication: (providers: ProviderSet, send: AuthenticationService.HostSend)? = nil,
    identities: (any MIRACLIdentityStore)? = nil,
    prepareNames: @escaping CheckService.NamePreparer = { url, _, _, _ in [.init(host: url.host, isResolved: true)] },
    _ body: (MemoryService) async throws -> Void
  ) async throws {
    var template = Array("/tmp/modemctl-test-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
    let folder = String(cString: try #require(made))
    defer { rmdir(folder) }
    let registry = ModemRegistry()
    for modem in modems { registry.update(modem, from: MemoryModem(id: modem.id, registry: registry)) }
    let messages = MessageService(registry: registry, now: { Timestamp(milliseconds: 1_700_000_060_000) })
    let bearers = BearerService(registry: registry, defaults: .init(flows: flows))
    let checks = CheckService(
      registry: registry, bearers: bearers, now: { Timestamp(milliseconds: 1_700_000_000_000) },
      prepareNames: prepareNames, runChain: chain)
    let clock = Mutex<Int64>(1_700_000_000_000)
    let ledger = TrafficLedger()
    // Modems in memory have no interface, so that nothing can be bound to it.
    let streams = BearerStreams(
      registry: registry, bearers: bearers, ledger: ledger,
      dialer: BoundDialer(group: MultiThreadedEventLoopGroup.singleton))
    let router = ModemAPIRouter.make(
      registry: registry, bearers: bearers, checks: checks, streams: streams, ledger: ledger, messages: messages,
      authentication: authentication.map { parts in
        AuthenticationService(
          providers: parts.providers, registry: registry, checks: checks, messages: messages,
          // Each look at it is a second later.
          now: {
            clock.withLock { time in
              time += 1000
              return Timestamp(milliseconds: time)
            }
          }, send: parts.send)
      },
      providers: [
        TruIDMethods(), IPificationMethods(), MobileConnectMethods(), CAMARAMethods(),
        NumberRecyclingMethods(), TS43Methods(),
        FirebaseMethods { TruIDBackendSIMCheck($0, named: $1) },
      ] + (identities.map { [MIRACLMethods($0)] } ?? []),
      access: access ?? AccessPolicy(groupIDs: [], ownUserID: geteuid()), version: "test")
    let server = try await VarlinkServer.start(
      router, at: .path("\(folder)/socket", mode: 0o600), on: MultiThreadedEventLoopGroup.singleton,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    do {
      try await body(
        MemoryService(
          path: "\(folder)/socket", registry: registry, messages: messages, bearers: bearers, ledger: ledger,
          server: server))
    } catch {
      await server.close()
      throw error
    }
    await server.close()
  }

  /// Runs modemctl against this service, found by its environment.
  func modemctl(_ arguments: String..., secret: String? = nil) async -> Run {
    let recorder = RecordingConsole()
    let status = await Modemctl.run(
      arguments, on: recorder.console(secret: secret, variables: ["MODEMD_SOCKET": path]))
    return Run(status: Ending(rawValue: status), output: recorder.output, messages: recorder.messages)
  }
}

/// A modem whose bearer is only told to the registry.
struct MemoryModem: ModemLink {
  let id: String
  let registry: ModemRegistry

  var name: String { "port-\(id)" }

  private func set(_ state: BearerState, apn: String? = nil) throws -> BearerStatus {
    guard var modem = registry.state(of: name) else { throw ModemError(.removed, "the modem is gone") }
    try checkPort(modem)
    if modem.sim.state == .pinRequired {
      throw ModemError(.simLocked, "the SIM waits for its PIN")
    }
    modem.bearer = BearerStatus(state: state, apn: apn ?? modem.bearer.apn, since: Timestamp(milliseconds: 1000))
    registry.update(modem, from: self)
    return modem.bearer
  }

  /// As a port that does not answer.
  func checkPort(_ modem: ModemState) throws {
    if let fault = modem.fault { throw ServiceError(.portUnavailable, fault.cause) }
  }

  func connect(_ request: BearerRequest) async throws -> BearerStatus { try set(.up(.sample), apn: request.apn) }
  func disconnect() async throws -> BearerStatus { try set(.down(nil)) }
  func verifyBearer() async throws -> BearerStatus { try set(.up(.sample)) }

  func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState {
    guard var modem = registry.state(of: name) else { throw ModemError(.removed, "the modem is gone") }
    try checkPort(modem)
    guard modem.sim.state == .pinRequired else { throw ModemError(.pinNotRequired, "ready") }
    guard mayBeLast || modem.sim.retriesLeft != 1 else {
      throw ModemError(.lastAttempt, "1 attempt is left", retriesLeft: 1)
    }
    guard pin.revealed == "1234" else { throw ModemError(.wrongPIN, "the SIM refused the PIN", retriesLeft: 2) }
    modem.sim.state = .ready
    registry.update(modem, from: self)
    return modem
  }
}

extension ModemState {
  static func sample(_ id: String = "modem-0011aabb", sim: SIMStatus.State = .ready) -> ModemState {
    ModemState(
      id: id, device: "/dev/cdc-wdm0", kind: .mbim,
      identity: DeviceIdentity(manufacturer: "Maker", model: "X1", firmware: "1.2", imei: "490154203237518"),
      interface: "wwan0",
      sim: SIMStatus(
        state: sim, retriesLeft: 3, slot: 1, iccid: ICCID("8949000000000000017"), imsi: IMSI("001010123456789"),
        numbers: [PhoneNumber("+447700900123", source: .subscriberReady)],
        home: Network(PLMN(mcc: "001", mnc: "01")!, name: "Test")),
      registration: Registration(
        state: .home, serving: Network(PLMN(mcc: "001", mnc: "01")!, name: "Test"), technology: .lte, rssi: -73),
      bearer: BearerStatus(since: Timestamp(milliseconds: 0)))
  }
}

extension InstalledBearer {
  static var sample: InstalledBearer {
    InstalledBearer(
      settings: BearerSettings(
        ipv4: .init(prefix: IPPrefix(IPAddress("10.64.0.2")!, length: 30)!, gateway: IPAddress("10.64.0.1")!),
        dns: [IPAddress("10.64.0.53")!], mtu: 1430),
      interface: "wwan0", interfaceIndex: 7, table: 1007)
  }
}

/// Digits that must never be shown unless they are asked for.
let personalData = ["447700900123", "001010123456789", "8949000000000000017", "490154203237518"]
