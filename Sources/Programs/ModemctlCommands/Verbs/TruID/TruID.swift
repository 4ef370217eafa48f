import ArgumentParser
import ModemAPI
import TruIDAPI

/// `modemctl truid`
struct TruID: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "truid", abstract: "tru.ID: whose number is it, and was its SIM changed lately?",
    discussion: """
      Asks the configured provider of the kind truID, through an application's backend or at tru.ID itself. Each step is \
      shown when it ends; the requests over the bearer stand above theirs.
      """,
    subcommands: [TruIDPhone.self, TruIDSubscriber.self, TruIDSIM.self, TruIDCoverage.self, TruIDTraces.self])
}

/// Who makes a check.
struct TruIDWayOption: ParsableArguments {
  @Option(
    name: .customLong("by"),
    help: ArgumentHelp("backend or api, in place of what is configured.", valueName: "way"))
  var way: TruIDInterface.Way?
}

/// What all checks take.
struct TruIDCheckOptions: ParsableArguments {
  @OptionGroup var way: TruIDWayOption

  @Option(help: ArgumentHelp("Your own id of the check; it must not be personal.", valueName: "id"))
  var reference: String?

  @OptionGroup var provider: ProviderOption
}

/// The protocol's version.
struct TruIDVersionOption: ParsableArguments {
  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp("v0.1 or v0.2, in place of what is configured.", valueName: "version"))
  var version: String?
}

/// How far back a change of the SIM counts.
struct TruIDPeriodOption: ParsableArguments {
  @Option(
    name: .customLong("period"),
    help: ArgumentHelp("Minutes that are looked back, 60 to 540000; seven days if left out.", valueName: "minutes"))
  var minutes: Int?
}

extension TruIDInterface.Way: ExpressibleByArgument {}
