import AuthCore
import AuthFlows
import BearerStreams
import BoundHTTP
import CAMARACommonalities
import CAMARAFlowService
import CAMARAFlows
import ClockTestSupport
import FirebaseFlowService
import FirebaseFlows
import FlowService
import IPificationFlowService
import IPificationFlows
import JSONTree
import LimitClock
import Logging
import MIRACLFlowService
import MIRACLFlows
import MIRACLTestSupport
import MobileConnectFlowService
import MobileConnectFlows
import ModemAPIServer
import ModemModel
import ModemPort
import ModemService
import NIOPosix
import NetworkAddress
import PortServer
import RedirectChain
import TokenSigning
import TS43FlowService
import TS43Flows
import TruIDFlowService
import TrafficLedger
import TruIDFlows
import Varlink
import Web

/// modemd's services and a port around a modem in memory: nothing leaves the process, and whatever
/// is asked of a network fails at once.
package enum MemoryMachine {
  package static let root = Peer(processID: 1, userID: 0, groupIDs: [0])

  /// The router of modemd with a provider of each kind.
  package static func modemd() -> VarlinkRouter {
    let registry = ModemRegistry()
    registry.update(state, from: Modem(registry: registry))
    let messages = MessageService(registry: registry, now: { now }, clock: .hurried)
    let bearers = BearerService(registry: registry)
    let checks = CheckService(registry: registry, bearers: bearers, now: { now }) { _, _, _ in
      .failed(ChainFailure(.timeout, "there is no network"))
    }
    let authentication = AuthenticationService(
      providers: providers, registry: registry, checks: checks, messages: messages,
      now: { now }, send: { _, _ in .failure(BackendFailure(.connect, "there is no network")) })
    let ledger = TrafficLedger()
    // The modem's interface is not there, so that nothing can be bound to it.
    let streams = BearerStreams(
      registry: registry, bearers: bearers, ledger: ledger,
      dialer: BoundDialer(group: MultiThreadedEventLoopGroup.singleton))
    return ModemAPIRouter.make(
      registry: registry, bearers: bearers, checks: checks, streams: streams, ledger: ledger, messages: messages,
      authentication: authentication,
      providers: [
        TruIDMethods(), IPificationMethods(), MobileConnectMethods(), CAMARAMethods(),
        FirebaseMethods { TruIDBackendSIMCheck($0, named: $1) }, MIRACLMethods(MemoryIdentities()),
        TS43Methods(),
      ], access: AccessPolicy(groupIDs: [], ownUserID: 0), version: "test")
  }

  static let now = Timestamp(milliseconds: 1_790_000_000_000)

  // swift-format-ignore: NeverUseForceUnwrap
  static let state = ModemState(
    id: "modem-0011aabb", device: "/dev/cdc-wdm0", kind: .mbim,
    identity: DeviceIdentity(manufacturer: "Maker", model: "X1", firmware: "1.2", imei: "490154203237518"),
    interface: "wwan0",
    sim: SIMStatus(
      state: .ready, retriesLeft: 3, slot: 1, iccid: ICCID("8949000000000000017"), imsi: IMSI("001010123456789"),
      numbers: [PhoneNumber("+447700900123", source: .subscriberReady)],
      home: Network(PLMN(mcc: "001", mnc: "01")!, name: "Test")),
    registration: Registration(
      state: .home, serving: Network(PLMN(mcc: "001", mnc: "01")!, name: "Test"), technology: .lte, rssi: -73),
    bearer: BearerStatus(since: Timestamp(milliseconds: 0)))

  /// A modem whose bearer is only told to the registry.
  private struct Modem: ModemLink {
    let registry: ModemRegistry
    var name: String { "port-modem-0011aabb" }

    private func set(_ bearer: BearerState) throws -> BearerStatus {
      guard var modem = registry.state(of: name) else { throw ModemError(.removed, "the modem is gone") }
      modem.bearer = BearerStatus(state: bearer, since: Timestamp(milliseconds: 1000))
      registry.update(modem, from: self)
      return modem.bearer
    }

    func connect(_ request: BearerRequest) async throws -> BearerStatus { try set(.up(installed)) }
    func disconnect() async throws -> BearerStatus { try set(.down(nil)) }
    func verifyBearer() async throws -> BearerStatus { try set(.up(installed)) }
    func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState {
      throw ModemError(.pinNotRequired, "ready")
    }
  }

  // swift-format-ignore: NeverUseForceUnwrap
  private static let installed = InstalledBearer(
    settings: BearerSettings(
      ipv4: .init(prefix: IPPrefix(IPAddress("10.64.0.2")!, length: 30)!, gateway: IPAddress("10.64.0.1")!),
      dns: [IPAddress("10.64.0.53")!], mtu: 1430),
    interface: "wwan0", interfaceIndex: 7, table: 1007)

  // swift-format-ignore: NeverUseForceTry
  private static var providers: ProviderSet {
    var providers = ProviderSet()
    let tools = OpenIDTools(random: { Array(repeating: 7, count: $0) }, sha256: { Digest.sha256($0) })
    var truID = TruIDSettings()
    truID.credentials = TruIDCredentials(clientID: "id", clientSecret: Secret("s3cret"))
    add(truID, to: &providers)
    var ipification = IPificationSettings(
      host: try! IPificationHosts.endpoint("stage"), clientID: "client-1", redirectURI: "com.example.app://ip/back")
    ipification.completion = .secret(Secret("s3cret"))
    add(ipification, to: &providers)
    add(TS43Settings(), to: &providers)
    var camara = CAMARASettings(
      CAMARAServer(
        root: try! Endpoint("https://api.operator.example"),
        authorizationEndpoint: try! WebURL("https://auth.operator.example/authorize"),
        tokenEndpoint: try! WebURL("https://auth.operator.example/token"),
        client: OpenIDClient(id: "app-1", .basic(Secret("s3cret"))), tools))
    camara.server.redirect = .intercepted(
      try! RedirectURI("https://app.example/back"), text: "https://app.example/back")
    add(camara, to: &providers)
    let gate = SIMGate(.backend(SIMCheckBackend(try! Endpoint("https://app.example/api"))))
    add(FirebaseSettings(apiKey: Secret("key-1"), gate: gate), to: &providers)
    var mobileConnect = MobileConnectSettings(.issuer(try! Endpoint("https://op.example")), tools) { _, _ in .forged }
    mobileConnect.client = MobileConnectClient(id: "app-1", secret: Secret("s3cret"))
    mobileConnect.redirect = try! MobileConnectRedirect("https://app.example/back")
    mobileConnect.appServer = MobileConnectAppServer(
      root: try! Endpoint("https://shop.example/api"), clientVersion: "modemd-1")
    add(mobileConnect, to: &providers)
    add(MIRACLSettings(api: try! Endpoint("https://api.mpin.example"), project: "project-1"), to: &providers)
    return providers
  }

  private static func add<Settings: ProviderConfiguration>(_ settings: Settings, to providers: inout ProviderSet) {
    providers.add(NamedProvider(name: Settings.kind.lowercased(), networks: nil, settings: settings))
  }
}
