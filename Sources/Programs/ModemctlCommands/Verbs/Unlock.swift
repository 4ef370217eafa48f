import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl unlock`
struct Unlock: Verb {
  static let configuration = CommandConfiguration(
    commandName: "unlock", abstract: "Enter the SIM's PIN.",
    discussion: """
      You are asked for the PIN on the terminal, which does not show it. Without a terminal it is read from standard input, or from a \
      credential of a systemd unit. It is never an argument. A refused PIN is not tried again, because a few wrong PINs lock the SIM. \
      Only root may unlock, and the groups that access.table names for org.modemd.Modem.UnlockPIN. The last attempt takes root and \
      --last-attempt.
      """)

  @Option(help: ArgumentHelp("Read the PIN from this credential of the unit.", valueName: "name"))
  var credential: String?

  @Flag(
    help:
      "Enter the PIN even if this may be the last attempt: a wrong PIN then blocks the SIM until its PUK is entered.")
  var lastAttempt = false

  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    let folder = session.console.variable("CREDENTIALS_DIRECTORY")
    let given = try credential.map { try CredentialEntry.read($0, in: folder) }
    guard let pin = try given ?? session.console.readSecret("PIN: ") else {
      throw ModemctlError(.usage, "no PIN was given; type it, or write it to standard input")
    }
    // A text that cannot be a PIN must not use an attempt.
    guard (4...8).contains(pin.utf8.count), pin.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw ModemctlError(.usage, "a PIN has 4 to 8 digits; this was not sent to the SIM")
    }
    var reply = try await session.call(
      ModemInterface.UnlockPIN.self, .init(modem: choice.modem, pin: pin, lastAttempt: lastAttempt ? true : nil),
      within: .network)
    if !common.reveal { reply.modem = reply.modem.masked() }
    try session.show(reply) {
      "\(reply.modem.id): SIM \(ModemText.words(reply.modem.sim.state))\n"
    }
    return .done
  }
}
