import NetworkAddress
import Synchronization

/// Lets packets through between modem and network while a session is up, and only for the addresses that it was given.
public final class BearerGate: Sendable {
  /// What went through and what did not.
  public struct Count: Hashable, Sendable {
    public var passed = 0
    public var dropped = 0
  }

  private struct State {
    var addresses: Set<IPAddress> = []
    var count = Count()
  }

  private let state = Mutex(State())

  public init() {}

  /// The session is up: packets from and to these addresses pass.
  public func open(for addresses: Set<IPAddress>) { state.withLock { $0.addresses = addresses } }

  /// The session is down: nothing passes, and what is under way is lost.
  public func close() { state.withLock { $0.addresses = [] } }

  /// Packets since the start.
  public var count: Count { state.withLock { $0.count } }

  enum Direction { case up, down }

  /// Whether a packet may pass; it is counted.
  func admits(_ packet: some RandomAccessCollection<UInt8>, _ direction: Direction) -> Bool {
    let head = IPPacket(packet)
    return state.withLock { state in
      let isAdmitted = Self.address(head, direction).map(state.addresses.contains) ?? false
      if isAdmitted { state.count.passed += 1 } else { state.count.dropped += 1 }
      return isAdmitted
    }
  }

  /// Whether a packet that was admitted when it entered may still leave.
  func stillAdmits(_ packet: some RandomAccessCollection<UInt8>, _ direction: Direction) -> Bool {
    let address = Self.address(IPPacket(packet), direction)
    return state.withLock { state in address.map(state.addresses.contains) ?? false }
  }

  private static func address(_ packet: IPPacket?, _ direction: Direction) -> IPAddress? {
    direction == .up ? packet?.source : packet?.destination
  }
}
