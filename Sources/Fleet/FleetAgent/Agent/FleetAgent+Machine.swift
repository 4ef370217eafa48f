import DeviceAPI
import FleetSettings
import JSONTree
import LimitClock
import MetricsAPI
import ModemAPI

extension FleetAgent {
  /// How long after modemd's return a modem that it has not named is still believed in.
  private static let settling = Duration.seconds(60)
  /// Modems that are told of. A machine has fewer.
  private static let mostModems = 64

  func take(_ change: MachineChange) {
    let now = clocks.waits.now
    switch change {
    case .present(let version):
      presence = .present(version: version)
      unseen = Set(modems.keys)
      settleDue = now + Self.settling
      machineStands(nil)
    case .absent(let reason):
      let isNew = if case .absent = presence { false } else { true }
      presence = .absent(reason)
      settleDue = nil
      if isNew { logger.notice("modemd does not answer: \(reason)") }
      machineStands("modemd does not answer: \(discretion(reason))")
    case .modem(let modem): take(modem, now)
    case .removed(let id): remove(id, now)
    case .bearer(let bearer): take(bearer, now)
    case .budgets(let budgets): take(budgets, now)
    }
    flush()
  }

  private func machineStands(_ alarm: String?) {
    let now = clocks.waits.now
    alarms.update(.init(kind: .modemdAbsent, about: nil), alarm, time: clocks.now(), now: now)
    board.set("status", statusBody(.online), now: now)
    board.set("about", aboutBody, now: now)
  }

  private func take(_ modem: ModemInterface.Modem, _ now: LimitClock.Instant) {
    guard modems[modem.id] != nil || modems.count < Self.mostModems else { return }
    let isNew = modems.updateValue(modem, forKey: modem.id) == nil
    unseen.remove(modem.id)
    let name = discretion.name(modem.id)
    board.set(
      "modem/\(name)/state", discretion.body(modem, numbers: numbers), quiet: Discretion.quiet, now: now)
    if isNew { board.set("about", aboutBody, now: now) }
    watch(modem, name, now)
  }

  private func watch(_ modem: ModemInterface.Modem, _ name: String, _ now: LimitClock.Instant) {
    let sim = modem.sim.state
    let locked: String? =
      switch sim {
      case .pinRequired: "the SIM waits for its PIN"
      case .pukRequired: "the SIM is blocked and waits for its PUK"
      default: nil
      }
    let registered: Set<String> = ["home", "roaming", "partner"]
    let registration = modem.registration
    let isAway = sim == .ready && !registered.contains(registration.state.rawValue)
    let why = registration.cause.map { ": \(discretion($0.text))" } ?? ""
    alarm(.simLocked, name, locked, now)
    alarm(.simAbsent, name, sim == .absent ? "there is no SIM" : nil, now)
    alarm(.notRegistered, name, isAway ? "the modem is \(registration.state.rawValue)\(why)" : nil, now)
    alarm(.modemFault, name, modem.fault.map { discretion($0.cause) }, now)
  }

  private func alarm(_ kind: AlarmWatch.Kind, _ about: String, _ text: String?, _ now: LimitClock.Instant) {
    alarms.update(.init(kind: kind, about: about), text, time: clocks.now(), now: now)
  }

  private func take(_ bearer: BearerInterface.Bearer, _ now: LimitClock.Instant) {
    guard bearers[bearer.modem] != nil || bearers.count < Self.mostModems else { return }
    let before = bearers.updateValue(bearer, forKey: bearer.modem)
    let name = discretion.name(bearer.modem)
    board.set("modem/\(name)/bearer", discretion.body(bearer), now: now)
    let isWanted = bearer.nextAttempt != nil || bearer.state == .failed || (bearer.failures ?? 0) > 0
    let cause = bearer.cause.map { ": \(discretion($0.text))" } ?? ""
    alarm(
      .bearerDown, name, bearer.state != .up && isWanted ? "the bearer is \(bearer.state.rawValue)\(cause)" : nil, now)
    alarm(
      .trafficSilent, name,
      bearer.state == .up && bearer.traffic == .silent
        ? bearer.trafficText.map { discretion($0) } ?? "no DNS server of the bearer answers" : nil, now)
    if let before { tellChange(from: before, to: bearer, name) }
  }

  /// Comings and goings are events; the steps in between are not.
  private func tellChange(from before: BearerInterface.Bearer, to bearer: BearerInterface.Bearer, _ name: String) {
    let word: String? =
      switch (before.state, bearer.state) {
      case (.up, .up): before.since == bearer.since ? nil : "up"
      case (_, .up): "up"
      case (.up, _): "down"
      case (.failed, .failed): before.since == bearer.since ? nil : "failed"
      case (_, .failed): "failed"
      default: nil
      }
    guard let word else { return }
    tell(
      "bearer",
      JSONValue.fields([
        "bearer": .string(word), "modem": .string(name), "state": .string(bearer.state.rawValue),
        "since": .string(bearer.since), "cause": bearer.cause.map { discretion(JSONValue(wire: $0)) },
      ]))
  }

  private func take(_ budgets: [UsageInterface.Budget], _ now: LimitClock.Instant) {
    ownBudgets = BudgetWatch.texts(budgets)
    tellBudgets(now)
  }

  /// Budgets of all users, by the entries of modemd's settings, as its figures have them.
  func watchBudgets(_ figures: [MetricsInterface.List.Reply]) {
    allBudgets = BudgetWatch.texts(figures)
    tellBudgets(clocks.waits.now)
  }

  private func tellBudgets(_ now: LimitClock.Instant) {
    let texts = ownBudgets.merging(allBudgets) { $1 }
    alarms.keep(.budgetNearlyUsed, only: Set(texts.keys))
    for (name, text) in texts { alarm(.budgetNearlyUsed, name, text, now) }
  }

  private func remove(_ id: String, _ now: LimitClock.Instant) {
    modems[id] = nil
    bearers[id] = nil
    unseen.remove(id)
    let name = discretion.name(id)
    alarms.forget(about: name)
    for topic in ["modem/\(name)/state", "modem/\(name)/bearer"] { board.clear(topic, now: now) }
    board.set("about", aboutBody, now: now)
  }

  /// modemd has had the time to tell of all its modems.
  func settle(_ now: LimitClock.Instant) {
    settleDue = nil
    for id in unseen { remove(id, now) }
    board.settle(now: now)
  }

  /// What the settings want of numbers, if the fleet has a key for it.
  var numbers: FleetSettings.Numbers {
    settings.numbers == .hashed && fleetKey == nil ? .none : settings.numbers
  }

  /// Raises and clears the alarms' topics.
  func tellAlarms(_ now: LimitClock.Instant) {
    alarms.raise(now)
    let bodies = alarms.bodies
    for topic in board.names where topic.hasPrefix("alarm/") && bodies[topic] == nil { board.clear(topic, now: now) }
    for (topic, body) in bodies { board.set(topic, body, now: now) }
  }
}
