import BearerStreams
import BoundHTTP
import Glibc
import ModemModel
import ModemService
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NetworkAddress
import TrafficLedger

/// A port whose bearer is `wwan0` of a test's network, and which does as the test says.
final class SocketPort: ModemLink {
  private struct State {
    var installed: InstalledBearer
    var verifications = 0
    var connects = 0
    var ended: [UInt64] = []
    var reports: [AsyncThrowingStream<BearerSockets, any Error>.Continuation] = []
  }

  let name = "port-0"
  var messages: (any MessageLink)? { nil }
  private let registry: ModemRegistry
  private let state: NIOLockedValueBox<State>

  init(_ registry: ModemRegistry, _ bearer: InstalledBearer) {
    self.registry = registry
    state = NIOLockedValueBox(State(installed: bearer))
    tell(.down(nil))
  }

  var connects: Int { state.withLockedValue { $0.connects } }
  /// Cookies of the sockets that somebody wanted destroyed.
  var ended: [UInt64] { state.withLockedValue { $0.ended } }
  var watches: Int { state.withLockedValue { $0.reports.count } }

  @discardableResult
  func tell(_ bearer: BearerState) -> BearerStatus {
    var modem = ModemState(
      id: "modem-0011aabb", device: "/dev/cdc-wdm0", kind: .mbim, interface: "wwan0",
      bearer: BearerStatus(state: bearer, apn: nil, since: .now()))
    modem.registration.state = .home
    registry.update(modem, from: self)
    return modem.bearer
  }

  /// The network gives the bearer other addresses.
  func renumber(to settings: BearerSettings) {
    let bearer = state.withLockedValue { state in
      state.installed.settings = settings
      return state.installed
    }
    tell(.up(bearer))
  }

  func report(_ sockets: BearerSockets) {
    for reader in state.withLockedValue({ $0.reports }) { reader.yield(sockets) }
  }

  func connect(_ request: BearerRequest) async throws -> BearerStatus {
    let bearer = state.withLockedValue { state in
      state.connects += 1
      return state.installed
    }
    return tell(.up(bearer))
  }

  func disconnect() async throws -> BearerStatus { tell(.down(nil)) }

  func verifyBearer() async throws -> BearerStatus {
    registry.state(of: name)?.bearer ?? BearerStatus(state: .down(nil), apn: nil, since: .now())
  }

  func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState {
    throw ModemError(.pinNotRequired, "ready")
  }

  func watchSockets(every interval: Duration) -> AsyncThrowingStream<BearerSockets, any Error> {
    let (stream, reader) = AsyncThrowingStream.makeStream(of: BearerSockets.self)
    state.withLockedValue { $0.reports.append(reader) }
    return stream
  }

  func endSocket(cookie: UInt64) async throws { state.withLockedValue { $0.ended.append(cookie) } }
}

/// Programs' connections over `wwan0` of a test's network: a server at the far end, the bearer's
/// DNS server, and modemd's services.
struct SocketWorld: Sendable {
  static let user = Caller(userID: 1000)
  static let v4 = TestNetwork.sources.v4
  static let v6 = TestNetwork.sources.v6
  static let names: [String: [String]] = [
    "a.example": ["2001:db8:1::1", "198.51.100.1"], "four.example": ["198.51.100.1"], "six.example": ["2001:db8:1::1"],
    "own.example": [TestNetwork.ownAddress, "127.0.0.1", "::1", TestNetwork.sources.v4],
    "ipv4only.arpa": ["64:ff9b::c000:aa"], "synthetic.example": ["64:ff9b::c633:6401"],
  ]

  let network: TestNetwork
  let dns: TestDNS
  let server: PeerServer
  let registry = ModemRegistry()
  let bearers: BearerService
  let port: SocketPort
  let ledger: TrafficLedger
  let streams: BearerStreams
  let dialer: BoundDialer

  static func make(
    sources: [String] = [v4, v6], policy: TrafficPolicy = TrafficPolicy(),
    limits: ConnectionLimits = ConnectionLimits(),
    names: @escaping TestDNS.Answering = TestDNS.table(names)
  ) async throws -> SocketWorld {
    let network = try await TestNetwork.make()
    let dns = try await TestDNS.start(
      on: TestNetwork.dnsServer, port: 53, group: network.operatorSide.group, names)
    let server = try await PeerServer.start(on: "::", port: 7, group: network.operatorSide.group)
    return try SocketWorld(network, dns, server, sources, policy, limits)
  }

  private init(
    _ network: TestNetwork, _ dns: TestDNS, _ server: PeerServer, _ sources: [String], _ policy: TrafficPolicy,
    _ limits: ConnectionLimits
  ) throws {
    (self.network, self.dns, self.server) = (network, dns, server)
    bearers = BearerService(registry: registry)
    port = SocketPort(
      registry,
      InstalledBearer(
        settings: Self.settings(sources), interface: "wwan0", interfaceIndex: network.index, table: 1000))
    ledger = TrafficLedger(policy: policy)
    var options = BoundDialer.Options()
    (options.dns, options.connecting) = (.patient, .patient)
    dialer = BoundDialer(group: network.device.group, options: options)
    streams = BearerStreams(registry: registry, bearers: bearers, ledger: ledger, dialer: dialer, limits: limits)
  }

  static func settings(_ sources: [String]) -> BearerSettings {
    var settings = BearerSettings(dns: [IPAddress(TestNetwork.dnsServer)!])
    for source in sources.compactMap({ IPAddress($0) }) {
      let assignment = BearerSettings.Assignment(
        prefix: IPPrefix(source, length: source.bytes.count == 4 ? 30 : 64)!)
      if source.bytes.count == 4 { settings.ipv4 = assignment } else { settings.ipv6 = assignment }
    }
    return settings
  }

  func open(_ host: String, port: Int = 7, limit: Duration = .seconds(30)) async throws -> BearerStream {
    try await streams.open(
      StreamRequest(host: host, port: port, purpose: .streams, limit: limit), for: Self.user)
  }

  func socket(
    to host: String?, port: Int = 7, isDatagram: Bool = false, limit: Duration = .seconds(30)
  ) async throws -> OpenedSocket {
    try await streams.openSocket(
      SocketRequest(to: host.map { .init(host: $0, port: port) }, isDatagram: isDatagram, limit: limit),
      for: Self.user)
  }

  /// A stream, spliced with one end of a pair of Unix sockets; the other end is the test's.
  func spliced(
    _ host: String = "four.example", early: String = ""
  ) async throws -> (ProgramEnd, EventLoopFuture<ChannelSplice.End>) {
    let stream = try await open(host)
    let (program, near) = try await ProgramEnd.make()
    let end = try await near.eventLoop.submit {
      ChannelSplice.start(near, early: ByteBuffer(string: early), with: stream)
    }.get()
    return (program, end)
  }

  func stop() async {
    await server.stop()
    await dns.stop()
    await network.stop()
  }
}
