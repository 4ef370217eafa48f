import LimitClock
import ModemModel
import NetworkAddress

/// A modem that ModemManager controls. All data about it comes from ModemManager's properties, and
/// its bearer is used as it is. Nothing is sent to the modem, and nothing of ModemManager's is
/// changed.
package actor FollowBackend: ModemBackend {
  package nonisolated let kind: ModemProtocol
  package nonisolated let events: AsyncStream<ModemEvent>
  nonisolated let said: AsyncStream<ModemEvent>.Continuation

  let port: String
  private let bus: ModemManagerBus
  private let addresses: @Sendable (String) async throws -> [IPPrefix]
  var state = State.unopened

  /// The state of a follower.
  enum State {
    case unopened
    /// `bearer` is the path of the bearer in use.
    case following(ManagedModem, bearer: String?)
    case ended
  }

  private var watch: Task<Void, Never>?
  /// When the bearer in use was lost. The program that had it may be about to connect again.
  var lastLoss: LimitClock.Instant?
  let clock: LimitClock

  /// Prepares to follow; nothing is requested yet.
  ///
  /// - Parameters:
  ///   - port: name of the control port, as in `cdc-wdm0`.
  ///   - addresses: the kernel's addresses of a network interface.
  package init(
    _ kind: ModemProtocol, port: String, on bus: ModemManagerBus, clock: LimitClock = .machine,
    addresses: @escaping @Sendable (String) async throws -> [IPPrefix]
  ) {
    self.kind = kind
    self.port = port
    self.bus = bus
    self.addresses = addresses
    self.clock = clock
    (events, said) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
  }

  /// Finds the modem among ModemManager's. Throws `deviceUnavailable` while it is not there.
  package func open() async throws {
    guard case .unopened = state else {
      throw ModemError(.deviceUnavailable, "open: a backend can only be opened once; make a new one")
    }
    let view = await bus.view()
    guard view.isRunning else {
      end()
      throw ModemError(
        .deviceUnavailable, "follow: ModemManager does not run; start it, or set `sharing` to another way")
    }
    guard let modem = view.modem(withPort: port) else {
      end()
      throw ModemError(
        .deviceUnavailable, "follow: ModemManager does not have the modem of \(port); see `mmcli -L`")
    }
    state = .following(modem, bearer: nil)
    watch = Task { [weak self, bus] in
      for await view in await bus.views() {
        guard let self else { return }
        await self.see(view)
      }
    }
  }

  /// Stops following. ModemManager's bearer stays as it is.
  package func close() async { end() }

  func end() {
    state = .ended
    watch?.cancel()
    said.finish()
  }

  /// The last known state of the modem.
  func modem(for name: String) throws -> ManagedModem {
    guard case .following(let modem, _) = state else {
      throw ModemError(.deviceUnavailable, "\(name): ModemManager has released the modem, or left the bus")
    }
    return modem
  }

  // MARK: Answers

  package func identity() async throws -> DeviceIdentity { try modem(for: "identity").identity }
  package func simStatus() async throws -> SIMStatus { try modem(for: "SIM").sim }
  package func registration() async throws -> Registration { try modem(for: "registration").registration }

  package func unlock(with pin: PIN) async throws {
    throw ModemError(
      .notSupported, "ModemManager has the modem: enter the PIN there, with NetworkManager or `mmcli --sim … --pin`")
  }

  package func authenticate(_ challenge: AKAChallenge) async throws -> AKAAnswer {
    throw ModemError(
      .notSupported,
      "SIM authentication: ModemManager has the modem and passes nothing to its SIM; set `sharing` to share or own")
  }

  /// The program that set up the interface has decided that.
  package func negotiateLinkFormat() async throws -> LinkFormat { .ethernet }

  package func attach() async throws {}

  // MARK: The bearer

  /// How long ModemManager may take to connect.
  private static let connectPatience = Duration.seconds(30)
  /// How long the program that connected the bearer may take to reconnect after a loss.
  private static let lossPatience = Duration.seconds(5)

  /// Uses ModemManager's connected bearer, and waits for one while ModemManager connects. Throws
  /// `notConnected` if there is none, and `busy` if it uses another access point than the requested
  /// one.
  package func connect(_ request: BearerRequest) async throws -> BearerSettings {
    await waitWhileConnecting()
    let modem = try modem(for: "connect")
    guard let bearer = modem.connectedBearer else {
      throw ModemError(
        .notConnected,
        "ModemManager has no connected bearer on this modem; connect with NetworkManager or `mmcli --simple-connect`")
    }
    if let wanted = request.apn, let apn = bearer.apn, wanted.lowercased() != apn.lowercased() {
      throw ModemError(
        .busy, "ModemManager's bearer uses another access point than the requested one; change it in ModemManager")
    }
    let settings = try await settings(of: bearer)
    guard case .following(let now, _) = state, now.connectedBearer?.path == bearer.path else {
      throw ModemError(.notConnected, "ModemManager disconnected its bearer meanwhile; try again")
    }
    state = .following(now, bearer: bearer.path)
    return settings
  }

  /// Waits while ModemManager is connecting a bearer, or has just lost one.
  private func waitWhileConnecting() async {
    let end = clock.now + Self.connectPatience
    while case .following(let modem, _) = state, modem.connectedBearer == nil {
      let limit = modem.isConnecting ? end : min(lastLoss.map { $0 + Self.lossPatience } ?? clock.now, end)
      guard limit > clock.now, !Task.isCancelled else { return }
      let views = await bus.views()
      await withTaskGroup(of: Void.self) { group in
        group.addTask { [port] in
          for await view in views {
            guard let now = view.modem(withPort: port), now.connectedBearer == nil,
              now.isConnecting == modem.isConnecting
            else { return }
          }
        }
        group.addTask { [clock] in try? await clock.sleep(until: limit) }
        await group.next()
        group.cancelAll()
      }
      // The watch will report it to `see` too, perhaps later.
      see(await bus.view(within: .zero))
    }
  }

  package func settings() async throws -> BearerSettings {
    try await settings(of: try usedBearer())
  }

  /// Leaves ModemManager's bearer to ModemManager.
  package func disconnect() async throws {
    if case .following(let modem, _) = state { state = .following(modem, bearer: nil) }
  }

  /// The interface of the bearer in use. Throws `notConnected` without one.
  package func bearerInterface() throws -> String {
    guard let interface = try usedBearer().interface else {
      throw ModemError(.notConnected, "ModemManager does not report the interface of its bearer")
    }
    return interface
  }

  private func usedBearer() throws -> ManagedBearer {
    guard case .following(let modem, let path?) = state, let bearer = modem.bearers.first(where: { $0.path == path }),
      bearer.isConnected
    else { throw ModemError(.notConnected, "ModemManager's bearer is not in use; connect first") }
    return bearer
  }

  /// ModemManager's settings, and the addresses that the interface got by itself.
  private func settings(of bearer: ManagedBearer) async throws -> BearerSettings {
    var settings = bearer.settings
    guard let interface = bearer.interface else { return settings }
    let present = try await addresses(interface)
    if bearer.ipv4 == .dynamic, let prefix = present.first(where: { $0.address.isIPv4 }) {
      settings.ipv4 = .init(prefix: prefix)
    }
    if bearer.ipv6 == .dynamic, let prefix = present.first(where: { !$0.address.isIPv4 && !$0.address.isLinkLocal }) {
      settings.ipv6 = .init(prefix: prefix)
    }
    return settings
  }
}

extension IPAddress {
  fileprivate var isIPv4: Bool { if case .v4 = self { true } else { false } }
}
