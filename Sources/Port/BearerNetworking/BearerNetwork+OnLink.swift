import ModemModel
import NetworkAddress
import Rtnetlink

/// Addresses that the modem leaves to the link.
extension BearerNetwork {
  package func obtain(_ settings: BearerSettings, on interface: String) async throws -> BearerSettings {
    let client = try openLink(settings, on: interface)
    do {
      return try await firstAddress(from: client)
    } catch {
      // Unless another call has taken over the link in the meantime.
      if isCurrent(client, on: interface) { try? cleanUp(interface: interface) }
      throw error
    }
  }

  package func changes(of bearer: InstalledBearer) async -> AsyncStream<BearerSettings> {
    let client: LinkClient
    if let present = linkClients[bearer.interface] {
      client = present
    } else {
      guard bearer.settings.onLink != .nothing, isCurrent(bearer),
        let new = try? makeLinkClient(bearer.settings, interface: bearer.interface)
      else { return AsyncStream { $0.finish() } }
      linkClients[bearer.interface] = new
      guard (try? await new.start()) != nil else { return AsyncStream { $0.finish() } }
      client = new
    }
    let changes = await client.changes()
    return AsyncStream { continuation in
      let relay = Task {
        for await settings in changes where settings != bearer.settings { continuation.yield(settings) }
        continuation.finish()
      }
      continuation.onTermination = { _ in relay.cancel() }
    }
  }

  /// Brings the link up, closed for everything except the requests for its addresses, and makes the
  /// client that sends them.
  private func openLink(_ settings: BearerSettings, on interface: String) throws -> LinkClient {
    try speaking("ask for addresses on \(interface)") { kernel in
      let link = try Self.existingLink(interface, kernel)
      try Self.refuseHostUplink(link, kernel)
      _ = try applyGuarded(
        BearerSettings(mtu: settings.mtu), to: link, families: try Self.families(kernel), isAdopted: false, kernel
      ) { try apply($0, to: $1, kernel) }
    }
    let client: LinkClient
    do {
      client = try makeLinkClient(settings, interface: interface)
    } catch {
      try? cleanUp(interface: interface)
      throw error
    }
    forgetLinkClient(of: interface)
    linkClients[interface] = client
    return client
  }

  private func makeLinkClient(_ settings: BearerSettings, interface: String) throws -> LinkClient {
    // The kernel would put a default route into the main table beside the host's own.
    guard !settings.onLink.usesAdvertisements || files.acceptsAdvertisements(interface) == 0 else {
      throw ModemError(
        .networking,
        "no router advertisement is requested on \(interface), because the kernel would take a default route from it: "
          + "net.ipv6.conf.\(interface).accept_ra cannot be set to 0")
    }
    let link = try speaking("ask for addresses on \(interface)") { try Self.existingLink(interface, $0) }
    let isEthernet = link.type == Self.ethernet
    // If the link has none, use a locally administered address that stays the same.
    let index = UInt32(link.index).networkBytes
    let hardware = link.hardwareAddress.count == 6 ? link.hardwareAddress : [0x02, 0x4d] + index
    return LinkClient(
      settings,
      .init(
        openSocket: { [openPacketSocket] kind in try openPacketSocket(kind, link.index, isEthernet) },
        clock: leaseClock,
        hardwareAddress: hardware,
        // Neither has the global bit, nor is a small number that a router may have.
        interfaceID: .random(in: .min ... .max) & ~(1 << 57) | 1 << 40))
  }

  private func firstAddress(from client: LinkClient) async throws -> BearerSettings {
    let changes = await client.changes()
    do {
      try await client.start()
    } catch {
      throw ModemError(.networking, "addresses cannot be asked for on the link", cause: "\(error)")
    }
    return try await withThrowingTaskGroup(of: BearerSettings?.self) { group in
      group.addTask { await changes.first { $0.hasAddress } }
      group.addTask { [clock, patience] in
        try await clock.pause(for: patience)
        return nil
      }
      defer { group.cancelAll() }
      guard let settings = try await group.next() ?? nil else {
        throw ModemError(
          .noAddress,
          "the modem gave no address, and neither DHCP nor a router answered on the link; check the APN and IP type")
      }
      return settings
    }
  }

  func forgetLinkClient(of interface: String) {
    guard let client = linkClients.removeValue(forKey: interface) else { return }
    Task { await client.stop() }
  }

  private func isCurrent(_ client: LinkClient, on interface: String) -> Bool { linkClients[interface] === client }

  /// ARPHRD_ETHER.
  static let ethernet: UInt16 = 1
}
