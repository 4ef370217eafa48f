import ModemModel

/// What changed in the modem, for the protocols to indicate.
enum ModemEvent: Hashable, Sendable {
  case sim, radio, registration, packetService, signal
  case sessionUp(SessionOwner)
  case sessionDown(PDNSession, SessionEnd)
  case addresses(SessionOwner)
  case messageStored(UInt32)
  case messagePassedOn([UInt8], transaction: UInt32)
  case messageStoreFull
}

/// The modem without its protocols: SIM, radio, registration, packet service, sessions, and planned
/// faults.
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
  private(set) var cards: CardSlots
  private var falseAbsences: Int
  var sessions: [PDNSession] = []
  var lastHandle: UInt32 = 0x8000_0000
  var faults: [SimulatedFault]
  var authentication: SimulatedAuthentication
  /// How many challenges the modem's cards were given.
  var challenges = 0
  /// How long the card takes for what it is asked in this command.
  var cardDelay: Duration?
  var messages: MessageStore
  /// Serial number of the SIM whose messages they are.
  var messageOwner: String?
  var lastMessageTransaction: UInt32 = 0
  /// The transactions of messages that the host has acknowledged.
  var acknowledgedMessages: [UInt32] = []
  private(set) var counts: [ModemOperation: Int] = [:]
  private var events: [ModemEvent] = []

  init(_ configuration: SimulatedModemConfiguration) {
    self.configuration = configuration
    network = configuration.network
    wantsAttach = configuration.attachesByItself
    falseAbsences = configuration.falseAbsences
    cards = CardSlots([configuration.sim] + configuration.otherSIMs, active: configuration.activeSlot - 1)
    faults = configuration.faults
    authentication = configuration.authentication
    messages = MessageStore(capacity: max(configuration.messageCapacity, 0))
    if case .ready(let card) = cards.current { messageOwner = card.sim.iccid }
    for pdu in configuration.messages { _ = messages.add(pdu) }
  }

  /// The slot in use.
  var slot: Slot { cards.current }

  /// The card, once it has been read.
  var card: SIMCard? {
    if case .ready(let card) = slot { card } else { nil }
  }

  /// The card if it needs neither PIN nor PUK.
  var openCard: SIMCard? { card.flatMap { $0.lock == .open && $0.sim.condition == .working ? $0 : nil } }

  /// Where the modem is registered now.
  var registration: Registration {
    guard isRadioOn, let card = openCard else { return Registration(state: .deregistered) }
    var registration = Registration(state: network.state)
    if network.state.allowsData || network.state == .denied {
      registration.serving = network.serving ?? card.sim.home
      registration.technology = network.technology
    }
    registration.rssi = network.rssi
    if registration.technology != nil { registration.referenceSignal = network.servingSignal }
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

  /// Changes the card slot, with all consequences.
  mutating func setSlot(_ new: Slot) {
    follow { $0.cards.current = new }
    forgetMessagesOfAnotherSIM()
    emit(.sim)
  }

  /// Whether the modem denies having a SIM once more.
  mutating func takesFalseAbsence() -> Bool {
    guard falseAbsences > 0 else { return false }
    falseAbsences -= 1
    return true
  }

  /// As the modem would be without a card.
  var withoutCard: ModemEngine {
    var engine = self
    engine.cards.current = .empty
    return engine
  }

  /// Selects another slot, from 0, with all consequences.
  mutating func useSlot(_ index: Int) {
    follow { $0.cards.use(index) }
    forgetMessagesOfAnotherSIM()
    emit(.sim)
  }

  /// Asks something of the card that leaves its PIN as it is; nil without a card.
  mutating func useCard<Result>(_ body: (inout SIMCard) -> Result) -> Result? {
    guard case .ready(var card) = slot else { return nil }
    let result = body(&card)
    cards.current = .ready(card)
    return result
  }

  /// Gives a PIN command to the card; nil without one.
  mutating func withCard(_ command: (inout SIMCard) -> SIMCard.Outcome) -> SIMCard.Outcome? {
    guard case .ready(var card) = slot else { return nil }
    let before = card.lock
    let outcome = command(&card)
    follow { $0.cards.current = .ready(card) }
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

  /// Counts a command, and returns its fault.
  mutating func begin(_ operation: ModemOperation) -> SimulatedFault.Action? {
    counts[operation, default: 0] += 1
    return faults.take(operation)
  }
}
