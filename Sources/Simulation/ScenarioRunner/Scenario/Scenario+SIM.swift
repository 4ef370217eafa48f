import OperatorSimulator
import ModemModel
import ModemSimulator

/// SIMs in a scenario's file.
extension Scenario.SIM {
  /// The members of a SIM.
  static let known = [
    "state", "iccid", "imsi", "numbers", "numberRecords", "mncLength", "pin", "puk", "pinAttempts", "home",
  ]

  /// Reads a SIM; what is left out is as in `Scenario.SIM()`.
  init(_ fields: ScenarioFields) throws {
    self.init()
    try read(members: fields)
  }

  /// Reads the file's own SIM, where it has one.
  mutating func read(_ file: ScenarioFields) throws {
    if let fields = try file.fields("sim", known: Self.known) { try read(members: fields) }
  }

  private mutating func read(members fields: ScenarioFields) throws {
    state = try fields.word("state", State.self) ?? state
    iccid = try fields.text("iccid", "18 to 20 digits", { $0.digits(18...20) }) ?? iccid
    imsi = try fields.text("imsi", "14 or 15 digits", { $0.digits(14...15) }) ?? imsi
    numbers = try fields.texts("numbers", "+ and 7 to 15 digits", Self.number) ?? numbers
    numberRecords =
      try fields.texts("numberRecords", "digits, 20 at most, with or without +, or empty", Self.record) ?? numberRecords
    mncLength = try fields.number("mncLength", 0...3) ?? mncLength
    pin = try fields.text("pin", "4 to 8 digits", { $0.digits(4...8) }) ?? pin
    puk = try fields.text("puk", "8 digits", { $0.digits(8...8) }) ?? puk
    pinAttempts = try fields.number("pinAttempts", 1...3) ?? pinAttempts
    home = try fields.network("home") ?? home
  }

  static func number(_ text: String) -> String? {
    text.first == "+" && String(text.dropFirst()).digits(7...15) != nil ? text : nil
  }

  private static func record(_ text: String) -> String? {
    text.isEmpty || (text.first == "+" ? String(text.dropFirst()) : text).digits(1...20) != nil ? text : nil
  }

  /// The card in the slot; nil for an empty one.
  var card: SimulatedSIM? {
    guard state != .absent else { return nil }
    var card = SimulatedSIM()
    card.iccid = iccid
    card.imsi = imsi
    card.numbers = numbers
    card.numberRecords = numberRecords
    card.mncLength = mncLength
    card.home = home
    card.puk = puk
    card.pin = state == .pinRequired || state == .pukRequired ? pin : nil
    card.wrongPINs = state == .pukRequired ? card.pinAttempts : card.pinAttempts - pinAttempts
    card.condition = state == .notActivated ? .notActivated : state == .failed ? .broken : .working
    return card
  }
}
