import ArgumentParser

/// What every verb takes.
package struct CommonOptions: ParsableArguments {
  @Flag(help: "For programs: JSON in place of tables; one document, or one for each line where there are several.")
  package var json = false

  @Flag(help: "Show numbers and secrets, which are masked otherwise.")
  package var reveal = false

  @Option(
    help: ArgumentHelp(
      "modemd's socket (default: MODEMD_SOCKET, else /run/modemd/org.modemd).", valueName: "path"))
  package var socket: String?

  package init() {}
}

/// Names a modem where there are several.
package struct ModemOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Which modem, by id, device or interface; needed where there are several.", valueName: "modem"))
  package var modem: String?

  package init() {}
}

/// The number that a verb asks about.
package struct NumberArgument: ParsableArguments {
  @Argument(help: "In international form, as in +447700900123.")
  package var number: String

  package init() {}
}

/// What every verb of a provider takes: whom it asks, over which modem, and how the answer is shown.
package struct FlowOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Which configured provider; needed where several are for this SIM.", valueName: "name"))
  package var provider: String?

  @OptionGroup private var choice: ModemOption
  @OptionGroup package var common: CommonOptions

  /// The modem that is named, nil for the only one.
  package var modem: String? { choice.modem }

  package init() {}
}
