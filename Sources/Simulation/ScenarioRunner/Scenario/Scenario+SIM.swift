import OperatorSimulator
import ModemModel
import ModemSimulator

/// SIMs in a scenario's file.
extension Scenario.SIM {
  /// The members of a SIM.
  static let known = [
    "state", "iccid", "imsi", "numbers", "numberRecords", "mncLength", "pin", "puk", "pinAttempts", "home", "key",
    "opc", "sequence", "responseLength", "gid1",
  ]

  /// Reads a SIM; missing members are as in `Scenario.SIM()`.
  init(_ fields: ScenarioFields) throws {
    self.init()
    try read(members: fields)
  }

  /// Reads the file's own SIM, if it has one.
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
    key = try fields.octets("key", 16...16) ?? key
    opc = try fields.octets("opc", 16...16) ?? opc
    sequence = try fields.octets("sequence", 6...6) ?? sequence
    responseLength = try fields.number("responseLength", 4...8) ?? responseLength
    groupIdentifier = try fields.octets("gid1", 1...20) ?? groupIdentifier
  }

  static func number(_ text: String) -> String? {
    text.first == "+" && String(text.dropFirst()).digits(7...15) != nil ? text : nil
  }

  private static func record(_ text: String) -> String? {
    text.isEmpty || (text.first == "+" ? String(text.dropFirst()) : text).digits(1...20) != nil ? text : nil
  }

  /// What its operator shares with it.
  var subscription: SIMSubscription {
    SIMSubscription(
      imsi: imsi, number: numbers.first, network: home.plmn, key: key, opc: opc, sequence: sequence,
      responseLength: responseLength, groupIdentifier: groupIdentifier)
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
    card.key = key
    card.opc = opc
    card.sequence = sequence
    card.responseLength = responseLength
    card.groupIdentifier = groupIdentifier
    card.condition = state == .notActivated ? .notActivated : state == .failed ? .broken : .working
    return card
  }
}
