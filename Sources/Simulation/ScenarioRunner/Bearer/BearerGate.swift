import ModemSimulator
import NetworkAddress
import Synchronization

/// Lets packets through between modem and network while a session is up, and only for the addresses that it was given.
package final class BearerGate: Sendable {
  /// What went through and what did not.
  package struct Count: Hashable, Sendable {
    package var passed = 0
    package var dropped = 0
  }

  private struct State {
    var addresses: Set<IPAddress> = []
    var links: [SimulatedLink] = []
    /// Whether modem and host mean the same by a packet, and nobody has silenced the bearer.
    var isReadable = true
    var isSilenced = false
    var count = Count()
  }

  private let state = Mutex(State())

  package init() {}

  /// The session is up: packets from and to these addresses pass.
  package func open(for addresses: Set<IPAddress>) { state.withLock { $0.addresses = addresses } }

  /// These bearers are up, and the link gives out those of their addresses that the modem leaves to it.
  ///
  /// - Parameter isReadable: whether the modem takes bare IP packets, which is what the host's device carries.
  func follow(_ bearers: [SimulatedBearer], isReadable: Bool) {
    state.withLock { state in
      state.addresses = Set(bearers.flatMap { [$0.ipv4, $0.ipv6].compactMap { $0?.prefix.address } })
      state.links = bearers.map { SimulatedLink($0) }
      state.isReadable = isReadable
    }
  }

  /// Loses every packet from now on while the session stays, or lets them pass again.
  package func silence(_ isSilenced: Bool) { state.withLock { $0.isSilenced = isSilenced } }

  /// What the link itself answers to a packet of the host; nil where it is for the network.
  func answer(to packet: [UInt8]) -> [UInt8]? {
    state.withLock { state in
      guard state.isReadable, !state.isSilenced else { return nil }
      return state.links.lazy.compactMap { $0.answer(to: packet) }.first
    }
  }

  /// The session is down: nothing passes, and what is under way is lost.
  package func close() { state.withLock { $0.addresses = [] } }

  /// Packets since the start.
  package var count: Count { state.withLock { $0.count } }

  enum Direction { case up, down }

  /// Whether a packet may pass; it is counted.
  func admits(_ packet: some RandomAccessCollection<UInt8>, _ direction: Direction) -> Bool {
    let head = IPPacket(packet)
    return state.withLock { state in
      let isKnown = Self.address(head, direction).map(state.addresses.contains) ?? false
      let isAdmitted = isKnown && state.isReadable && !state.isSilenced
      if isAdmitted { state.count.passed += 1 } else { state.count.dropped += 1 }
      return isAdmitted
    }
  }

  /// Whether a packet that was admitted when it entered may still leave.
  func stillAdmits(_ packet: some RandomAccessCollection<UInt8>, _ direction: Direction) -> Bool {
    let address = Self.address(IPPacket(packet), direction)
    return state.withLock { state in
      !state.isSilenced && (address.map(state.addresses.contains) ?? false)
    }
  }

  private static func address(_ packet: IPPacket?, _ direction: Direction) -> IPAddress? {
    direction == .up ? packet?.source : packet?.destination
  }
}
