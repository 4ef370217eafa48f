import ArgumentParser
import ModemAPI

struct UnlockVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock", abstract: "Enter the SIM's PIN, once.",
    discussion: "The PIN is asked for without showing it, or read from standard input. It is never an argument.")

  @Argument(help: "Id, device or interface; not needed for the only modem.")
  var modem: String?

  @OptionGroup var common: CommonOptions

  func run() async throws {
    guard let pin = Terminal.readSecret("PIN: "), (4...8).contains(pin.utf8.count),
      pin.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else {
      Terminal.complain("a PIN has 4 to 8 digits; nothing was sent to the SIM")
      throw ExitStatus.failed.code
    }
    try await Session.run(common) { session in
      let modem = try await session.client.call(ModemInterface.UnlockPIN.self, .init(modem: modem, pin: pin)).modem
      let masked = Masking(reveals: common.reveal).modem(modem)
      if common.json { return Terminal.print(JSONOutput.document(masked)) }
      Terminal.print("\(modem.id): SIM \(modem.sim.state.rawValue)")
    }
  }
}
