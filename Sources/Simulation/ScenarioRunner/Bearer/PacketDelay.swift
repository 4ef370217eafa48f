/// Packets that are under way for a fixed time.
struct PacketDelay {
  struct Packet {
    let due: UInt64
    let direction: BearerGate.Direction
    let bytes: ArraySlice<UInt8>
  }

  /// One way, in nanoseconds.
  let delay: UInt64
  private var packets: [Packet] = []
  private var first = 0

  init(delay: UInt64) { self.delay = delay }

  /// When the next packet arrives.
  var nextDue: UInt64? { first < packets.count ? packets[first].due : nil }

  /// Sends a packet on its way. As all take equally long, they arrive in the order in which they
  /// were sent.
  mutating func add(_ bytes: ArraySlice<UInt8>, _ direction: BearerGate.Direction, at now: UInt64) {
    packets.append(Packet(due: now + delay, direction: direction, bytes: bytes))
  }

  /// The next packet that has arrived by `now`.
  mutating func take(at now: UInt64) -> Packet? {
    guard let due = nextDue, due <= now else { return nil }
    defer {
      first += 1
      if first > 1024 || first == packets.count {
        packets.removeSubrange(..<first)
        first = 0
      }
    }
    return packets[first]
  }
}
