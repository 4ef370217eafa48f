import ModemModel
import NetworkAddress

/// The kernel's part of a port's bearer, whichever way the modem is shared: the interface itself, a session's link over it, or
/// what another program has set up.
public actor PortNetwork: BearerInstaller {
  /// What carries the bearer.
  public enum Carrier: Sendable {
    /// The modem's interface is modemd's alone.
    case interface
    /// A link for one session over the modem's interface.
    case session(Int, SessionLink)
    /// Another program's; the closure says which interface that is. Throws `ModemError`.
    case adopted(@Sendable () async throws -> String)
  }

  private struct OwnLink {
    let session: Int
    let kind: SessionLink
    let parent: String
  }

  private let network: BearerNetwork
  private let kinds: @Sendable (String) -> SessionLink?
  private var carrier = Carrier.interface
  /// The links that this value has made, by name.
  private var links: [String: OwnLink] = [:]
  /// The sessions whose links an earlier run left: they are modemd's own.
  public private(set) var leftSessions: Set<Int> = []

  /// - Parameter kinds: how an interface carries sessions side by side; nil where it does not.
  public init(_ network: BearerNetwork, kinds: @escaping @Sendable (String) -> SessionLink? = { _ in nil }) {
    self.network = network
    self.kinds = kinds
  }

  /// Chooses what carries bearers from now on; one that is installed stays as it is.
  public func use(_ carrier: Carrier) { self.carrier = carrier }

  public func cleanUp(interface: String) async throws {
    for left in try await network.leftLinks(over: interface) {
      leftSessions.insert(left.session)
      try await network.cleanUp(interface: left.name)
      if let kind = kinds(interface) {
        try await network.deleteLink(left.name, of: left.session, kind, over: interface)
      }
    }
    try await network.cleanUp(interface: interface)
  }

  /// Not of an interface that another program has set up.
  public func setRawIP(interface: String) async throws {
    if case .adopted = carrier { return }
    try await network.setRawIP(interface: interface)
  }

  /// Not of an interface that another program has set up.
  public func setLinkFormat(_ format: LinkFormat, interface: String) async throws {
    if case .adopted = carrier { return }
    try await network.setLinkFormat(format, interface: interface)
  }

  public func obtain(_ settings: BearerSettings, on interface: String) async throws -> BearerSettings {
    switch carrier {
    case .interface: return try await network.obtain(settings, on: interface)
    case .adopted:
      throw ModemError(.noAddress, "the bearer of the other program has no address; let that program connect it anew")
    case .session(let session, let kind):
      let name = try await link(of: session, kind, over: interface)
      do {
        return try await network.obtain(settings, on: name)
      } catch {
        try? await takeAway(name)
        throw error
      }
    }
  }

  public func changes(of bearer: InstalledBearer) async -> AsyncStream<BearerSettings> {
    await network.changes(of: bearer)
  }

  public func diagnose(_ bearer: InstalledBearer, format: LinkFormat) async -> String? {
    await network.diagnose(bearer, format: format)
  }

  /// The link for a session: the one that addresses were asked for on, or a new one.
  private func link(of session: Int, _ kind: SessionLink, over interface: String) async throws -> String {
    if let present = links.first(where: { $0.value.session == session && $0.value.parent == interface }) {
      return present.key
    }
    let name = try await network.makeLink(of: session, kind, over: interface)
    links[name] = OwnLink(session: session, kind: kind, parent: interface)
    return name
  }

  public func install(_ settings: BearerSettings, on interface: String) async throws -> InstalledBearer {
    if links[interface] != nil { return try await network.install(settings, on: interface) }
    switch carrier {
    case .interface: return try await network.install(settings, on: interface)
    case .adopted(let used): return try await network.adopt(settings, on: try await used())
    case .session(let session, let kind):
      let name = try await link(of: session, kind, over: interface)
      do {
        return try await network.install(settings, on: name)
      } catch {
        try? await takeAway(name)
        throw error
      }
    }
  }

  public func remove(_ bearer: InstalledBearer) async throws {
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
  }

  public func verify(_ bearer: InstalledBearer) async throws { try await network.verify(bearer) }

  public nonisolated func losses(of bearer: InstalledBearer) -> AsyncStream<String> { network.losses(of: bearer) }

  /// Whether an interface can carry sessions side by side: by its driver, and by the kernel's kinds of links.
  public func carriesSessions(_ interface: String) async -> Bool {
    guard let kind = kinds(interface) else { return false }
    return await network.canMake(kind)
  }

  /// The addresses of an interface.
  public func addresses(of interface: String) async throws -> [IPPrefix] {
    try await network.addresses(of: interface)
  }
}
