import ModemAPI

/// The output of `watch`: each modem and bearer whenever it differs from what was last shown.
struct WatchLog: Sendable {
  enum Event: Sendable {
    /// Changes are reported from now on.
    case ready
    case modem(Change, ModemInterface.Modem)
    case bearer(BearerInterface.Bearer)
    /// The bearer of this modem is no longer watched.
    case bearerUnwatched(modem: String)
  }

  enum Change: String, Codable, Sendable {
    case present, added, changed, removed

    init(_ change: ModemInterface.Watch.Reply.Change) {
      switch change {
      case .ready: self = .present
      case .added: self = .added
      // For an unknown change, the modem is shown in its present state.
      case .changed, .other: self = .changed
      case .removed: self = .removed
      }
    }
  }

  /// One line, and its document for `--json`.
  struct Entry: Codable, Hashable, Sendable {
    var change: Change
    var modem: ModemInterface.Modem?
    var bearer: BearerInterface.Bearer?

    var text: String {
      if let modem { return "\(modem.id)  \(change.rawValue): \(ModemText.summary(modem))" }
      if let bearer { return "\(bearer.modem)  \(change.rawValue): \(BearerText.summary(bearer))" }
      return change.rawValue
    }
  }

  private let reveals: Bool
  private var modems: [String: ModemInterface.Modem] = [:]
  private var bearers: [String: BearerInterface.Bearer] = [:]
  private var watched: Set<String> = []

  init(reveals: Bool) { self.reveals = reveals }

  /// The modem whose bearer must be watched from now on; nil if it already is, or there is none.
  mutating func newBearer(in event: Event) -> String? {
    switch event {
    case .modem(let change, let modem):
      change != .removed && watched.insert(modem.id).inserted ? modem.id : nil
    case .bearerUnwatched(let modem):
      watched.remove(modem).flatMap { _ in nil }
    case .ready, .bearer: nil
    }
  }

  /// The news in an event; nil if there is none.
  mutating func entry(for event: Event) -> Entry? {
    switch event {
    case .modem(.removed, let modem):
      modems[modem.id] = nil
      return Entry(change: .removed, modem: reveals ? modem : modem.masked())
    case .modem(let change, let modem):
      guard modems.updateValue(modem, forKey: modem.id) != modem else { return nil }
      return Entry(change: change, modem: reveals ? modem : modem.masked())
    case .bearer(let bearer):
      let old = bearers.updateValue(bearer, forKey: bearer.modem)
      return old == bearer ? nil : Entry(change: old == nil ? .present : .changed, bearer: bearer)
    case .bearerUnwatched(let modem):
      bearers[modem] = nil
      return nil
    case .ready:
      return nil
    }
  }
}
