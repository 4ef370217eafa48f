/// Events that nobody has read yet: each kind once, in the order of arrival.
///
/// Except for a dropped bearer, an event only means that something must be read again, and one
/// reading covers all earlier events.
public struct PendingEvents: Sendable {
  private var waiting: [ModemEvent] = []
  /// How many events were dropped as already pending.
  public private(set) var coalesced = 0

  public init() {}

  public var count: Int { waiting.count }

  /// Adds an event, unless one of its kind already waits. Of two dropped bearers, the first one's
  /// cause is kept.
  public mutating func add(_ event: ModemEvent) {
    if waiting.contains(where: { $0.isSameNews(as: event) }) {
      coalesced += 1
    } else {
      waiting.append(event)
    }
  }

  /// Takes the oldest; nil when there is none.
  public mutating func take() -> ModemEvent? { waiting.isEmpty ? nil : waiting.removeFirst() }
}

extension ModemEvent {
  func isSameNews(as other: ModemEvent) -> Bool {
    if case .bearerDropped = self, case .bearerDropped = other { return true }
    return self == other
  }
}
