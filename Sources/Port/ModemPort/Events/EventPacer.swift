import ModemModel

/// How often a port looks into one kind of news. Between two looks news of that kind waits, and is looked into once at the end.
public struct EventPace: Sendable {
  public var signal: Duration
  public var registration: Duration
  public var sim: Duration
  public var settings: Duration

  public init(
    signal: Duration = .seconds(1), registration: Duration = .milliseconds(250), sim: Duration = .milliseconds(250),
    settings: Duration = .milliseconds(250)
  ) {
    self.signal = signal
    self.registration = registration
    self.sim = sim
    self.settings = settings
  }

  /// Everything is looked into at once.
  public static let immediate = EventPace(signal: .zero, registration: .zero, sim: .zero, settings: .zero)

  /// How long one kind rests; nil for what must not wait: a bearer, or the port, that is gone.
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

/// Decides when news is looked into, without a clock: it says how long a kind is to rest, and is told when the rest is over.
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
