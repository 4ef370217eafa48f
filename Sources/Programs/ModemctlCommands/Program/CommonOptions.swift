import ArgumentParser

/// What every verb takes.
struct CommonOptions: ParsableArguments {
  @Flag(help: "For programs: JSON instead of tables; one document, or one per line if there are several.")
  var json = false

  @Flag(help: "Show numbers and secrets, which are masked by default.")
  var reveal = false

  @Option(
    help: ArgumentHelp(
      "modemd's socket (default: MODEMD_SOCKET, else /run/modemd/org.modemd).", valueName: "path"))
  var socket: String?
}

/// Selects a modem if there are several.
struct ModemOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Which modem, by id, device or interface; required if there are several.", valueName: "modem"))
  var modem: String?
}
