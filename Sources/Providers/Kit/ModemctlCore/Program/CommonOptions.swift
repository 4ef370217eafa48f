import ArgumentParser

/// What every verb takes.
struct CommonOptions: ParsableArguments {
  @Flag(help: "For programs: JSON in place of tables; one document, or one for each line where there are several.")
  var json = false

  @Flag(help: "Show numbers and secrets, which are masked otherwise.")
  var reveal = false

  @Option(
    help: ArgumentHelp(
      "modemd's socket (default: MODEMD_SOCKET, else /run/modemd/org.modemd).", valueName: "path"))
  var socket: String?
}

/// Names a modem where there are several.
struct ModemOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Which modem, by id, device or interface; needed where there are several.", valueName: "modem"))
  var modem: String?
}
