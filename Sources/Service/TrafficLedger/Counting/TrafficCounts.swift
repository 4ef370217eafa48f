/// Bytes and connections. No number from outside can overflow them.
package struct TrafficCounts: Hashable, Codable, Sendable {
  /// Bytes that went out, without the headers of IP and TCP.
  package var sent = 0
  /// Bytes that came in, without the headers of IP and TCP.
  package var received = 0
  /// Of both together: while roaming.
  package var roaming = 0
  package var connections = 0

  package init(sent: Int = 0, received: Int = 0, roaming: Int = 0, connections: Int = 0) {
    self.sent = sent
    self.received = received
    self.roaming = roaming
    self.connections = connections
  }

  package var bytes: Int { sent.plus(received) }

  package static func += (one: inout TrafficCounts, other: TrafficCounts) {
    one.sent = one.sent.plus(other.sent)
    one.received = one.received.plus(other.received)
    one.roaming = one.roaming.plus(other.roaming)
    one.connections = one.connections.plus(other.connections)
  }
}

extension Int {
  /// The sum, at most the largest number.
  func plus(_ other: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? (other < 0 ? .min : .max) : sum
  }
}

/// Whose bytes, over which modem, and what for.
package struct TrafficKey: Hashable, Sendable {
  package var modem: String
  /// Nil for what modemd does for itself.
  package var user: UInt32?
  package var purpose: TrafficPurpose

  package init(modem: String, user: UInt32?, purpose: TrafficPurpose) {
    self.modem = modem
    self.user = user
    self.purpose = purpose
  }
}
