import ArgumentParser

/// `modemctl fleet`
struct Fleet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet", abstract: "This machine in a fleet: modemd-fleet and its broker.",
    discussion: """
      modemd-fleet shows this machine's modems to an MQTT 5 broker, and carries out the commands that this machine \
      allows. `join`, `check` and `leave` need root.
      """,
    subcommands: [FleetStatus.self, FleetJoin.self, FleetCheck.self, FleetLeave.self])
}
