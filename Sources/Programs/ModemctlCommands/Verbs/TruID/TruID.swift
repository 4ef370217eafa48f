import ArgumentParser
import ModemAPI

/// `modemctl truid`
struct TruID: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "truid", abstract: "tru.ID: whose number is it, and was its SIM recently changed?",
    discussion: """
      Uses the configured provider of the kind truID, through an application's backend or at tru.ID itself. \
      Each step is shown when it ends, below its requests over the bearer.
      """,
    subcommands: [TruIDPhone.self, TruIDSubscriber.self, TruIDSIM.self, TruIDCoverage.self, TruIDTraces.self])
}

/// Who makes a check.
struct TruIDWayOption: ParsableArguments {
  @Option(
    name: .customLong("by"),
    help: ArgumentHelp("backend or api, instead of the configured one.", valueName: "way"))
  var way: TruIDInterface.Way?
}

/// What all checks take.
struct TruIDCheckOptions: ParsableArguments {
  @OptionGroup var way: TruIDWayOption

  @Option(help: ArgumentHelp("Your own id of the check; it must not contain personal data.", valueName: "id"))
  var reference: String?

  @OptionGroup var provider: ProviderOption
}

/// The protocol's version.
struct TruIDVersionOption: ParsableArguments {
  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp("v0.1 or v0.2, instead of the configured one.", valueName: "version"))
  var version: String?
}

/// How far back a change of the SIM counts.
struct TruIDPeriodOption: ParsableArguments {
  @Option(
    name: .customLong("period"),
    help: ArgumentHelp("How many minutes back a change counts, 60 to 540000; seven days by default.", valueName: "minutes"))
  var minutes: Int?
}

extension TruIDInterface.Way: ExpressibleByArgument {}
