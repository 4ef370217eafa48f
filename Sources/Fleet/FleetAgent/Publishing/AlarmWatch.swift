import JSONTree
import LimitClock
import ModemModel

/// What somebody must act on, and since when. An alarm is raised when its condition has held for a
/// while, so that a passing disturbance wakes nobody.
struct AlarmWatch: Sendable {
  enum Kind: String, CaseIterable, Hashable, Sendable {
    case modemdAbsent, bearerDown, simLocked, simAbsent, notRegistered, modemFault, trafficSilent, budgetNearlyUsed,
      certificateExpires

    /// How long its condition must hold.
    var hold: Duration {
      switch self {
      case .bearerDown: .seconds(300)
      case .modemdAbsent, .notRegistered: .seconds(120)
      case .modemFault, .trafficSilent, .simAbsent: .seconds(60)
      case .simLocked, .budgetNearlyUsed, .certificateExpires: .zero
      }
    }
  }

  struct Key: Hashable, Sendable {
    let kind: Kind
    /// The modem's name in the fleet, or the budget's; nil for the machine.
    let about: String?

    /// The last level of the topic.
    var name: String { about.map { "\(kind.rawValue).\($0)" } ?? kind.rawValue }
  }

  struct Alarm: Hashable, Sendable {
    var text: String
    let since: Timestamp
    let raises: LimitClock.Instant
    var isRaised = false
  }

  private(set) var alarms: [Key: Alarm] = [:]

  /// Tells whether a condition holds.
  mutating func update(_ key: Key, _ text: String?, time: Timestamp, now: LimitClock.Instant) {
    guard let text else {
      alarms[key] = nil
      return
    }
    alarms[key, default: Alarm(text: text, since: time, raises: now + key.kind.hold)].text = text
  }

  /// Conditions about something that went away hold no more.
  mutating func forget(about: String) { alarms = alarms.filter { $0.key.about != about } }

  /// Conditions of a kind other than these hold no more: for conditions that are told together.
  mutating func keep(_ kind: Kind, only abouts: Set<String>) {
    alarms = alarms.filter { $0.key.kind != kind || $0.key.about.map(abouts.contains) ?? true }
  }

  /// When the next one is raised.
  var deadline: LimitClock.Instant? { alarms.values.filter { !$0.isRaised }.map(\.raises).min() }

  /// Raises those whose time has come.
  mutating func raise(_ now: LimitClock.Instant) {
    for key in alarms.keys { if let alarm = alarms[key], alarm.raises <= now { alarms[key]?.isRaised = true } }
  }

  /// Topics of the raised alarms, with what they say.
  var bodies: [String: [String: JSONValue]] {
    var bodies: [String: [String: JSONValue]] = [:]
    for (key, alarm) in alarms where alarm.isRaised {
      let modem = key.kind == .budgetNearlyUsed ? nil : key.about
      bodies["alarm/\(key.name)"] = JSONValue.fields([
        "alarm": .string(key.kind.rawValue), "modem": modem.json,
        "budget": key.kind == .budgetNearlyUsed ? key.about.json : nil,
        "since": .string(alarm.since.description), "text": .string(alarm.text),
      ])
    }
    return bodies
  }
}
