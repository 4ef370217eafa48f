import LimitClock
import ModemModel
import NetworkAddress
import Rtnetlink

/// Asks on one link, over DHCP and by router advertisements, for the settings that the modem did
/// not give. It does so while the bearer is up.
actor LinkClient {
  /// How the client reaches its link.
  struct Dependencies: Sendable {
    var openSocket: @Sendable (PacketKind) throws -> any PacketSocket
    /// Also advances while the machine sleeps, as leases do.
    var clock: LimitClock
    /// Six bytes: the link's own address or a made-up one.
    var hardwareAddress: [UInt8]
    /// The low half of the IPv6 address if the network gave none.
    var interfaceID: UInt64
  }

  private let given: BearerSettings
  private let dependencies: Dependencies
  private var dhcp: DHCPClient
  private var autoconfiguration: Autoconfiguration
  private var sockets: [PacketKind: any PacketSocket] = [:]
  private var readers: [Task<Void, Never>] = []
  private var waits: [PacketKind: Task<Void, Never>] = [:]
  private var watchers: [Int: AsyncStream<BearerSettings>.Continuation] = [:]
  private var nextWatcher = 0
  private var isStopped = false

  /// - Parameter given: the modem's settings; `onLink` lists what to ask for.
  init(_ given: BearerSettings, _ dependencies: Dependencies) {
    self.given = given
    self.dependencies = dependencies
    dhcp = DHCPClient(hardwareAddress: dependencies.hardwareAddress)
    autoconfiguration = Autoconfiguration(interfaceID: given.onLink.interfaceID ?? dependencies.interfaceID)
  }

  /// The settings that the modem and the link have given so far.
  var settings: BearerSettings {
    var settings = given
    let lease = dhcp.lease
    settings.ipv4 = given.ipv4 ?? lease?.assignment
    settings.ipv6 = given.ipv6 ?? autoconfiguration.assignment
    for server in (lease?.dns ?? []) + autoconfiguration.dns where !settings.dns.contains(server) {
      settings.dns.append(server)
    }
    settings.mtu = given.mtu ?? [lease?.mtu, autoconfiguration.mtu].compactMap { $0 }.min()
    return settings
  }

  /// Starts to ask. Throws `NetlinkError` if no socket can be opened.
  func start() throws {
    if given.onLink.usesDHCP { try listen(.dhcp) }
    if given.onLink.usesAdvertisements { try listen(.advertisements) }
    if given.onLink.usesDHCP { perform(dhcp.begin()) }
    if given.onLink.usesAdvertisements { perform(autoconfiguration.begin()) }
  }

  /// The settings now and after each change, until `stop`.
  func changes() -> AsyncStream<BearerSettings> {
    let (stream, continuation) = AsyncStream.makeStream(of: BearerSettings.self, bufferingPolicy: .bufferingNewest(8))
    guard !isStopped else {
      continuation.finish()
      return stream
    }
    nextWatcher += 1
    watchers[nextWatcher] = continuation
    continuation.onTermination = { [weak self, nextWatcher] _ in Task { await self?.forget(nextWatcher) } }
    continuation.yield(settings)
    return stream
  }

  private func forget(_ watcher: Int) { watchers[watcher] = nil }

  /// Stops asking.
  func stop() {
    isStopped = true
    for socket in sockets.values { socket.close() }
    for task in readers + Array(waits.values) { task.cancel() }
    for watcher in watchers.values { watcher.finish() }
    sockets = [:]
    waits = [:]
    watchers = [:]
  }

  private func listen(_ kind: PacketKind) throws {
    let socket = try dependencies.openSocket(kind)
    sockets[kind] = socket
    readers.append(Task { [weak self] in for await packet in socket.packets { await self?.received(packet, kind) } })
  }

  private func received(_ packet: [UInt8], _ kind: PacketKind) {
    guard !isStopped else { return }
    switch kind {
    case .dhcp:
      guard let message = DHCPPacket.unwrap(packet).flatMap({ DHCPMessage($0) }) else { return }
      perform(dhcp.received(message))
    case .advertisements:
      guard let advertisement = RouterAdvertisement(packet) else { return }
      perform(autoconfiguration.received(advertisement))
    }
  }

  private func waited(_ kind: PacketKind) {
    guard !isStopped else { return }
    switch kind {
    case .dhcp: perform(dhcp.waited())
    case .advertisements: perform(autoconfiguration.waited())
    }
  }

  private func perform(_ actions: [DHCPClient.Action]) {
    for action in actions {
      switch action {
      case .send(let message, let source, let destination):
        send(DHCPPacket.wrap(message.encoded, from: source, to: destination), .dhcp)
      case .wait(let time): wait(time, .dhcp)
      case .changed: tell()
      }
    }
    if case .bound(let lease) = dhcp.state, lease.renewal == nil { waits[.dhcp]?.cancel() }
  }

  private func perform(_ actions: [Autoconfiguration.Action]) {
    for action in actions {
      switch action {
      case .solicit:
        // The kernel has no link-local address on this link. Without one, the question has no
        // source address.
        let source = given.onLink.interfaceID.map { IPv6Address(high: 0xfe80_0000_0000_0000, low: $0) }
        send(RouterSolicitation.packet(from: source ?? IPv6Address(high: 0, low: 0)), .advertisements)
      case .wait(let time): wait(time, .advertisements)
      case .changed: tell()
      }
    }
  }

  private func tell() {
    let settings = settings
    for watcher in watchers.values { watcher.yield(settings) }
  }

  /// An unsent packet is lost, as on any link, and sent again.
  private func send(_ packet: [UInt8], _ kind: PacketKind) { try? sockets[kind]?.send(packet) }

  private func wait(_ time: Duration, _ kind: PacketKind) {
    waits[kind]?.cancel()
    waits[kind] = Task { [weak self, dependencies] in
      guard (try? await dependencies.clock.pause(for: time)) != nil, !Task.isCancelled else { return }
      await self?.waited(kind)
    }
  }
}
