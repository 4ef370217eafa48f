import ModemModel
import NetworkAddress

/// The kernel's part of a port's bearer, for every way of sharing the modem: the interface itself,
/// a session's link over it, or an interface that another program set up.
package actor PortNetwork: BearerInstaller {
  /// What carries the bearer.
  package enum Carrier: Sendable {
    /// The modem's interface, used only by modemd; if packets are multiplexed, a link over it.
    case interface
    /// A link for one session over the modem's interface or of its WWAN class device.
    case session(Int, SessionLink)
    /// Another program's; the closure returns the interface's name. Throws `ModemError`.
    case adopted(@Sendable () async throws -> String)
  }

  private struct OwnLink {
    let session: Int
    let kind: SessionLink
    let parent: String
    let room: Int?
    /// Whether to restore the parent when the link is gone.
    let ownsParent: Bool
  }

  /// A link that should exist.
  private struct WantedLink {
    let session: Int
    let kind: SessionLink
    let ownsParent: Bool
  }

  private let network: BearerNetwork
  private let kinds: @Sendable (String) -> SessionLink?
  private var carrier = Carrier.interface
  /// What was agreed with the modem; nil if packets carry no multiplexing id.
  private var multiplexing: Multiplexing?
  /// The links that this value made, by name.
  private var links: [String: OwnLink] = [:]
  /// The sessions whose links an earlier run left. They belong to modemd.
  package private(set) var leftSessions: Set<Int> = []

  /// - Parameter kinds: how an interface carries several sessions; nil if it does not.
  package init(_ network: BearerNetwork, kinds: @escaping @Sendable (String) -> SessionLink? = { _ in nil }) {
    self.network = network
    self.kinds = kinds
  }

  /// Chooses what carries bearers from now on. An installed bearer does not change.
  package func use(_ carrier: Carrier) { self.carrier = carrier }

  package func cleanUp(interface: String) async throws {
    let kind = kinds(interface)
    for left in try await network.leftLinks(over: interface, kind) {
      leftSessions.insert(left.session)
      try await network.cleanUp(interface: left.name)
      if let kind {
        try await network.deleteLink(left.name, of: left.session, kind, over: interface)
      }
    }
    if case .wwan(let device) = kind {
      for used in try await network.usedLinks(of: device) { try await network.cleanUp(interface: used) }
    }
    try await network.cleanUp(interface: interface)
  }

  /// Does not apply to an interface that another program set up.
  package func setRawIP(interface: String) async throws {
    if case .adopted = carrier { return }
    try await network.setRawIP(interface: interface)
  }

  /// Does not apply to an interface that another program set up.
  package func setLinkFormat(_ format: LinkFormat, interface: String) async throws {
    if case .adopted = carrier { return }
    multiplexing = if case .multiplexed(let agreed) = format { agreed } else { nil }
    _ = try wantedLink(over: interface)
    try await network.setLinkFormat(format, interface: interface)
  }

  package func obtain(_ settings: BearerSettings, on interface: String) async throws -> BearerSettings {
    if case .adopted = carrier {
      throw ModemError(.noAddress, "the bearer of the other program has no address; let that program connect it again")
    }
    guard let wanted = try wantedLink(over: interface) else {
      return try await network.obtain(settings, on: interface)
    }
    let link = try await link(wanted, over: interface)
    do {
      return try await network.obtain(settings, on: link.name)
    } catch {
      try? await takeAway(link.name)
      throw error
    }
  }

  /// The link that a bearer needs; nil for a bearer that uses an interface.
  private func wantedLink(over interface: String) throws -> WantedLink? {
    switch carrier {
    case .adopted: return nil
    case .session(let session, let kind): return WantedLink(session: session, kind: kind, ownsParent: false)
    case .interface:
      guard let multiplexing else { return nil }
      guard let kind = kinds(interface) else {
        throw ModemError(
          .networking,
          "the modem sends several packets in one transfer (QMAP), and the driver of \(interface) does not split them; "
            + "choose another USB mode or firmware for the modem")
      }
      return WantedLink(session: multiplexing.id, kind: kind, ownsParent: true)
    }
  }

  package func changes(of bearer: InstalledBearer) async -> AsyncStream<BearerSettings> {
    await network.changes(of: bearer)
  }

  package func diagnose(_ bearer: InstalledBearer, format: LinkFormat) async -> String? {
    await network.diagnose(bearer, format: format)
  }

  /// The link for a session: the one on which addresses were requested, or a new one.
  private func link(_ wanted: WantedLink, over interface: String) async throws -> UsableLink {
    if let present = links.first(where: { $0.value.session == wanted.session && $0.value.parent == interface }) {
      return UsableLink(name: present.key, room: present.value.room)
    }
    let link = try await network.makeLink(
      of: wanted.session, wanted.kind, over: interface, multiplexing: multiplexing, ownsInterface: wanted.ownsParent)
    links[link.name] = OwnLink(
      session: wanted.session, kind: wanted.kind, parent: interface, room: link.room, ownsParent: wanted.ownsParent)
    return link
  }

  package func install(_ settings: BearerSettings, on interface: String) async throws -> InstalledBearer {
    if let link = links[interface] { return try await network.install(settings.within(link.room), on: interface) }
    if case .adopted(let used) = carrier { return try await network.adopt(settings, on: try await used()) }
    guard let wanted = try wantedLink(over: interface) else {
      return try await network.install(settings, on: interface)
    }
    let link = try await link(wanted, over: interface)
    do {
      return try await network.install(settings.within(link.room), on: link.name)
    } catch {
      try? await takeAway(link.name)
      throw error
    }
  }

  package func remove(_ bearer: InstalledBearer) async throws {
    do {
      try await network.remove(bearer)
    } catch {
      try? await takeAway(bearer.interface)
      throw error
    }
    try await takeAway(bearer.interface)
  }

  private func takeAway(_ name: String) async throws {
    guard let link = links.removeValue(forKey: name) else { return }
    try await network.deleteLink(name, of: link.session, link.kind, over: link.parent)
    if link.ownsParent { try await network.restore(link.parent) }
  }

  package func verify(_ bearer: InstalledBearer) async throws { try await network.verify(bearer) }

  package nonisolated func losses(of bearer: InstalledBearer) -> AsyncStream<String> { network.losses(of: bearer) }

  /// Whether an interface can carry several sessions. Its driver and the kernel's kinds of links
  /// decide.
  package func carriesSessions(_ interface: String) async -> Bool {
    guard let kind = kinds(interface) else { return false }
    return await network.canMake(kind)
  }

  /// The lowest multiplexing id that no link over an interface has.
  package func freeID(over interface: String) async throws -> Int { try await network.freeID(over: interface) }

  /// The addresses of an interface.
  package func addresses(of interface: String) async throws -> [IPPrefix] {
    try await network.addresses(of: interface)
  }
}

extension PortNetwork: BearerSocketAccess {
  package func sockets(over bearer: InstalledBearer, limit: Int) async throws -> BearerSocketList {
    try await network.sockets(over: bearer, limit: limit)
  }

  package func endedSockets(over bearer: InstalledBearer) async throws -> AsyncStream<BearerSockets.Socket> {
    try await network.endedSockets(over: bearer)
  }

  package func endSocket(_ cookie: UInt64, over bearer: InstalledBearer) async throws -> SocketEnding {
    try await network.endSocket(cookie, over: bearer)
  }
}

extension BearerSettings {
  /// With an MTU that fits a link of this room.
  fileprivate func within(_ room: Int?) -> BearerSettings {
    guard let room, let mtu, mtu > room else { return self }
    var settings = self
    settings.mtu = room
    return settings
  }
}
