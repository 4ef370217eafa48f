import OperatorSimulator
import ModemModel
import ModemSimulator

extension Scenario {
  /// The short messages of a scenario.
  package struct Messages: Sendable {
    /// How many the modem's store takes.
    package var capacity = 20
    /// Whether the modem passes messages on and stores none.
    package var passesOn = false
    /// Those that are there when the modem is switched on, as PDUs.
    package var present: [[UInt8]] = []

    func configure(_ configuration: inout SimulatedModemConfiguration) {
      configuration.messageCapacity = capacity
      configuration.passesMessagesOn = passesOn
      configuration.messages = present
    }

    mutating func read(_ file: ScenarioFields) throws {
      guard let fields = try file.fields("messages", known: ["capacity", "passOn", "present"]) else { return }
      capacity = try fields.number("capacity", 0...255) ?? capacity
      passesOn = try fields.word("passOn", Answer.self).map { $0 == .yes } ?? passesOn
      present =
        try fields.list("present", known: ["from", "text", "class", "pdu"])?.enumerated()
        .flatMap { try Self.pdus($0.element, reference: UInt8(truncatingIfNeeded: $0.offset + 1)) } ?? present
    }

    private enum Answer: String, CaseIterable { case yes, no }

    private static func pdus(_ fields: ScenarioFields, reference: UInt8) throws -> [[UInt8]] {
      let hex = "hexadecimal digits, the service centre's address first,"
      if let pdu = try fields.text("pdu", hex, { MessagePDU(hex: $0) }) { return [pdu.octets] }
      guard let text = try fields.text("text", "text", { $0 }) else { throw fields.missing("text", "text, or `pdu`,") }
      let from = try fields.text("from", "text", { $0 }) ?? "+4915150000000"
      let message = SimulatedMessage(
        from: from, text: text, messageClass: try fields.number("class", 1...3), reference: reference)
      do {
        return try message.pdus()
      } catch {
        throw fields.missing("from", "a number or at most 11 characters of the GSM alphabet")
      }
    }
  }
}
