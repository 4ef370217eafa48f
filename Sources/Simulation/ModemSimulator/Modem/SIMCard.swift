import ModemModel

/// A SIM in use: its data, the state of its PIN (3GPP TS 31.101, 9.5), the challenges that it has
/// accepted, and its logical channels.
struct SIMCard: Sendable {
  /// What the SIM requires before it can be used.
  enum Lock: Hashable, Sendable {
    case open, pin, puk, blocked
  }

  /// How a PIN command went.
  enum Outcome: Hashable, Sendable {
    case done
    /// The code is wrong; the lock and the attempts left are read from the card.
    case wrong
    /// This code is not required now.
    case notRequired
    /// The lock does not accept this code.
    case disabled
    /// The lock does not take this code.
    case blocked
  }

  let sim: SimulatedSIM
  private(set) var pin: String
  private(set) var isPINEnabled: Bool
  private(set) var isVerified = false
  private(set) var pinAttempts: Int
  private(set) var pukAttempts: Int
  var sequences: SequenceNumbers
  /// Those that the host has opened.
  var channels: [LogicalChannel] = []
  /// What GET RESPONSE fetches on the basic channel.
  var basicPending: [UInt8] = []

  init(_ sim: SimulatedSIM) {
    self.sim = sim
    pin = sim.pin ?? "0000"
    isPINEnabled = sim.pin != nil
    pinAttempts = sim.pinAttempts - sim.wrongPINs
    pukAttempts = sim.pukAttempts
    sequences = SequenceNumbers(upTo: sim.sequence)
  }

  var lock: Lock {
    if pukAttempts <= 0 { return .blocked }
    if pinAttempts <= 0 { return .puk }
    return isPINEnabled && !isVerified ? .pin : .open
  }

  mutating func verify(_ code: String) -> Outcome {
    guard lock != .puk, lock != .blocked else { return .blocked }
    guard isPINEnabled else { return .disabled }
    guard !isVerified else { return .notRequired }
    return present(code)
  }

  mutating func unblock(puk: String, newPIN: String) -> Outcome {
    guard lock != .blocked else { return .blocked }
    guard lock == .puk else { return .notRequired }
    guard puk == sim.puk else {
      pukAttempts -= 1
      return .wrong
    }
    pin = newPIN
    pinAttempts = sim.pinAttempts
    pukAttempts = sim.pukAttempts
    isPINEnabled = true
    isVerified = true
    return .done
  }

  mutating func setPIN(enabled: Bool, code: String) -> Outcome {
    guard lock != .puk, lock != .blocked else { return .blocked }
    guard enabled != isPINEnabled else { return enabled ? .notRequired : .disabled }
    let outcome = present(code)
    if outcome == .done { isPINEnabled = enabled }
    return outcome
  }

  mutating func change(from old: String, to new: String) -> Outcome {
    guard lock != .puk, lock != .blocked else { return .blocked }
    guard isPINEnabled else { return .disabled }
    let outcome = present(old)
    if outcome == .done { pin = new }
    return outcome
  }

  /// Asks for the PIN again, as after a power cycle, switching it on where it was off.
  mutating func relock(pin newPIN: String) {
    pin = newPIN
    isPINEnabled = true
    isVerified = false
    pinAttempts = sim.pinAttempts
    pukAttempts = sim.pukAttempts
  }

  /// The attempts and the accepted challenges stay as they are.
  mutating func losePower() {
    isVerified = false
    closeChannels()
  }

  /// Takes many later challenges for accepted: those of another device with the same SIM.
  mutating func moveAhead() { sequences.moveAhead() }

  private mutating func present(_ code: String) -> Outcome {
    guard code == pin else {
      pinAttempts -= 1
      isVerified = false
      return .wrong
    }
    pinAttempts = sim.pinAttempts
    isVerified = true
    return .done
  }
}
