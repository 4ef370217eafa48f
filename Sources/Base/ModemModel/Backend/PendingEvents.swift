/// What a modem said and nobody has read yet: each kind of news once, in the order of arrival.
///
/// But for a dropped bearer an event only says that something is to be asked anew, and asking once answers all that came before.
public struct PendingEvents: Sendable {
  private var waiting: [ModemEvent] = []
  /// How many events were taken for said already.
  public private(set) var coalesced = 0

  public init() {}

  public var count: Int { waiting.count }

  /// Adds an event, unless one of its kind waits already. Of two dropped bearers the first one's cause is kept.
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
