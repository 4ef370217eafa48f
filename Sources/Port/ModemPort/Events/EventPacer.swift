import ModemModel

/// How often a port reacts to one kind of event. In between, events of that kind wait, and are
/// handled once at the end.
package struct EventPace: Sendable {
  package var signal: Duration
  package var registration: Duration
  package var sim: Duration
  package var settings: Duration

  package init(
    signal: Duration = .seconds(1), registration: Duration = .milliseconds(250), sim: Duration = .milliseconds(250),
    settings: Duration = .milliseconds(250)
  ) {
    self.signal = signal
    self.registration = registration
    self.sim = sim
    self.settings = settings
  }

  /// Every event is handled at once.
  package static let immediate = EventPace(signal: .zero, registration: .zero, sim: .zero, settings: .zero)

  /// The minimum interval for one kind; nil for events that must not wait: a lost bearer or port.
  func rest(after event: ModemEvent) -> Duration? {
    let rest: Duration? =
      switch event {
      case .signalChanged: signal
      case .registrationChanged: registration
      case .simChanged: sim
      case .settingsChanged: settings
      default: nil
      }
    return rest.flatMap { $0 > .zero ? $0 : nil }
  }
}

/// Decides when to handle events, without a clock: it returns how long a kind must rest, and is
/// told when that time is over.
struct EventPacer: Sendable {
  enum Action: Hashable, Sendable {
    case deliver(ModemEvent)
    /// Call `rested` after this time.
    case rest(ModemEvent, Duration)
  }

  private let pace: EventPace
  private var resting: Set<ModemEvent> = []
  private var held: Set<ModemEvent> = []

  init(_ pace: EventPace) { self.pace = pace }

  mutating func receive(_ event: ModemEvent) -> [Action] {
    guard let rest = pace.rest(after: event) else { return [.deliver(event)] }
    guard resting.insert(event).inserted else {
      held.insert(event)
      return []
    }
    return [.deliver(event), .rest(event, rest)]
  }

  mutating func rested(_ event: ModemEvent) -> [Action] {
    resting.remove(event)
    return held.remove(event) == nil ? [] : receive(event)
  }
}
