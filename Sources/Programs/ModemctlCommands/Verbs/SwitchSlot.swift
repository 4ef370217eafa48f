import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl switch-slot`
struct SwitchSlot: Verb {
  static let configuration = CommandConfiguration(
    commandName: "switch-slot", abstract: "Make the modem use the SIM in another slot.",
    discussion: """
      `modemctl sim` shows the slots. The bearer must be down. Most modems read the new SIM for some seconds before it is \
      ready, and some go away and come back.
      """)

  @Argument(help: "The slot's number, from 1.")
  var slot: Int

  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard (1...255).contains(slot) else { throw ValidationError("the slot is a number from 1") }
  }

  func run(in session: Session) async throws -> ExitStatus {
    var reply = try await session.call(
      ModemInterface.SwitchSlot.self, .init(modem: choice.modem, slot: slot), within: .network)
    if !common.reveal { reply.modem = reply.modem.masked() }
    try session.show(reply) {
      "\(reply.modem.id): slot \(slot), SIM \(ModemText.words(reply.modem.sim.state))\n"
    }
    return .done
  }
}
