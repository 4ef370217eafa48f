import ArgumentParser

/// What every verb takes.
package struct CommonOptions: ParsableArguments {
  @Flag(help: "JSON instead of tables, for programs: each document is one line.")
  package var json = false

  @Flag(help: "Show numbers and secrets, which are masked otherwise.")
  package var reveal = false

  @Option(
    help: ArgumentHelp(
      "modemd's socket (default: MODEMD_SOCKET, else /run/modemd/org.modemd).", valueName: "path"))
  package var socket: String?

  package init() {}
}

/// Ties a call to a trace of the caller's own.
package struct TraceOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The trace that this call belongs to, as in W3C Trace Context (default: a new one).", valueName: "traceparent"))
  package var traceparent: String?

  package init() {}
}

/// Names a modem where there are several.
package struct ModemOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("The modem's id, device or interface; needed if there are several modems.", valueName: "modem"))
  package var modem: String?

  package init() {}
}

/// What every verb of a provider takes: whom it asks, over which modem, and how the answer is
/// shown.
package struct FlowOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The provider's name; needed if several providers are configured for this SIM.", valueName: "name"))
  package var provider: String?

  @OptionGroup package var trace: TraceOption
  @OptionGroup private var choice: ModemOption
  @OptionGroup package var common: CommonOptions

  /// The modem named, or nil for the only one.
  package var modem: String? { choice.modem }

  package init() {}
}
