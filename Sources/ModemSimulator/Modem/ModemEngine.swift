import ModemModel

/// What changed in the modem, for the protocols to indicate.
enum ModemEvent: Hashable, Sendable {
  case sim, radio, registration, packetService, signal
  case sessionUp(SessionOwner)
  case sessionDown(PDNSession, SessionEnd)
  case addresses(SessionOwner)
}

/// The modem without its protocols: SIM, radio, registration, packet service, sessions, and what is to go wrong.
struct ModemEngine: Sendable {
  /// The card slot.
  enum Slot: Sendable {
    case empty
    /// The card was just put in and is being read.
    case initialising(SIMCard)
    case ready(SIMCard)
  }

  var configuration: SimulatedModemConfiguration
  var network: SimulatedNetwork
  var isRadioOn = true
  var wantsAttach: Bool
  private(set) var slot: Slot
  var sessions: [PDNSession] = []
  var lastHandle: UInt32 = 0x8000_0000
  var faults: [SimulatedFault]
  private(set) var counts: [ModemOperation: Int] = [:]
  private var events: [ModemEvent] = []

  init(_ configuration: SimulatedModemConfiguration) {
    self.configuration = configuration
    network = configuration.network
    wantsAttach = configuration.attachesByItself
    slot = configuration.sim.map { .ready(SIMCard($0)) } ?? .empty
    faults = configuration.faults
  }

  /// The card, once it has been read.
  var card: SIMCard? {
    if case .ready(let card) = slot { card } else { nil }
  }

  /// The card while neither PIN nor PUK stands before it.
  var openCard: SIMCard? { card.flatMap { $0.lock == .open ? $0 : nil } }

  /// Where the modem is registered now.
  var registration: Registration {
    guard isRadioOn, let card = openCard else { return Registration(state: .deregistered) }
    var registration = Registration(state: network.state)
    if network.state.allowsData || network.state == .denied {
      registration.serving = network.serving ?? card.sim.home
      registration.technology = network.technology
    }
    registration.rssi = network.rssi
    if network.state == .denied { registration.cause = .registration(network.denialCause) }
    return registration
  }

  var isAttached: Bool { wantsAttach && registration.state.allowsData }

  var rssi: Int? { isRadioOn ? network.rssi : nil }

  // MARK: Changes

  mutating func emit(_ event: ModemEvent) { events.append(event) }

  mutating func takeEvents() -> [ModemEvent] {
    defer { events = [] }
    return events
  }

  /// Changes the card slot, and what follows from it.
  mutating func setSlot(_ new: Slot) {
    follow { $0.slot = new }
    emit(.sim)
  }

  /// Gives a PIN command to the card; nil without one.
  mutating func withCard(_ command: (inout SIMCard) -> SIMCard.Outcome) -> SIMCard.Outcome? {
    guard case .ready(var card) = slot else { return nil }
    let before = card.lock
    let outcome = command(&card)
    follow { $0.slot = .ready(card) }
    if card.lock != before { emit(.sim) }
    return outcome
  }

  /// Makes a change and indicates what it means for registration, attachment and sessions.
  mutating func follow(_ change: (inout ModemEngine) -> Void) {
    let (before, wasAttached) = (registration, isAttached)
    change(&self)
    if registration.state != before.state || registration.serving != before.serving
      || registration.technology != before.technology
    {
      emit(.registration)
    }
    if isAttached != wasAttached { emit(.packetService) }
    if !isAttached { endSessions(.serviceLost) { _ in true } }
  }

  // MARK: Faults

  /// Counts a command, and says what is to go wrong with it.
  mutating func begin(_ operation: ModemOperation) -> SimulatedFault.Action? {
    counts[operation, default: 0] += 1
    guard let index = faults.firstIndex(where: { $0.operation == operation && $0.times != 0 }) else { return nil }
    if let times = faults[index].times { faults[index].times = times - 1 }
    return faults[index].action
  }
}
