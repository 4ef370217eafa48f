import ModemModel
import Rtnetlink

/// Watching what was installed.
extension BearerNetwork {
  /// Yields one sentence each time that the kernel's part of the bearer is lost: the link vanished
  /// or went down, or an address, route or rule was removed. It ends when the bearer is removed or
  /// replaced, or cannot be watched.
  package nonisolated func losses(of bearer: InstalledBearer) -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let socket: any NetlinkSocket
    do {
      socket = try openSocket(NetlinkGroup.allCases)
    } catch {
      continuation.yield("the bearer on \(bearer.interface) cannot be watched: \(error)")
      continuation.finish()
      return stream
    }
    // Without a packet filter, the bearer has nothing in it.
    let filter = try? guarding?.openFilterSocket(true)
    let events = Self.merged([socket, filter].compactMap { $0 }.map { NetlinkMonitor.events(on: $0) })
    let watch = Task { [weak self] in
      var wasWhole = true
      // Something may have been lost between the installation and the first event.
      var isConcerned = true
      var iterator = events.makeAsyncIterator()
      while let self, await self.isCurrent(bearer) {
        if isConcerned {
          let difference = await self.loss(of: bearer)
          if let difference, wasWhole {
            await self.endSockets(over: bearer)
            continuation.yield(difference)
          }
          wasWhole = difference == nil
        }
        guard let event = await iterator.next() else { break }
        isConcerned = event.concerns(bearer, isInVRF: await self.shields[bearer.interface]?.vrf != nil)
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in
      watch.cancel()
      socket.close()
      filter?.close()
    }
    return stream
  }

  /// The events of several streams; it ends as soon as one of them does.
  private static func merged(_ streams: [AsyncStream<NetlinkEvent>]) -> AsyncStream<NetlinkEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: NetlinkEvent.self)
    let relays = streams.map { events in
      Task {
        for await event in events { continuation.yield(event) }
        continuation.finish()
      }
    }
    continuation.onTermination = { _ in for relay in relays { relay.cancel() } }
    return stream
  }

  private func loss(of bearer: InstalledBearer) -> String? {
    // The bearer may have been removed or replaced since the event.
    guard isCurrent(bearer) else { return nil }
    do {
      return try difference(of: bearer)
    } catch {
      return "the bearer on \(bearer.interface) cannot be watched: \(error)"
    }
  }
}

extension NetlinkEvent {
  /// Whether the event may concern this bearer. In a VRF, that includes the device's own link and
  /// the rule for all VRFs.
  func concerns(_ bearer: InstalledBearer, isInVRF: Bool) -> Bool {
    switch self {
    case .link(let index, _): isInVRF || index == bearer.interfaceIndex
    case .address(let index): index == bearer.interfaceIndex
    case .route(let table): table == UInt32(bearer.table)
    case .rule(let table): table == UInt32(bearer.table) || isInVRF && table == 0
    case .filter(let table): table == BearerShield.filterName(for: bearer.interface)
    case .resync: true
    }
  }
}
