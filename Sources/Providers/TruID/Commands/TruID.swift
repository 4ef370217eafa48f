import ArgumentParser
import ModemAPI
import ModemctlCore
import TruIDAPI

/// tru.ID's verbs.
package enum TruIDVerbs: ProviderVerbs {
  package static var verbs: [any ParsableCommand.Type] { [TruID.self] }
}

/// `modemctl truid`
struct TruID: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "truid", abstract: "tru.ID: whose number is it, and was its SIM recently changed?",
    discussion: """
      Asks the configured provider of the kind truID, through an application's backend or at tru.ID itself. \(FlowHelp.steps)
      """,
    subcommands: [TruIDPhone.self, TruIDSubscriber.self, TruIDSIM.self, TruIDCoverage.self, TruIDTraces.self])
}

/// Who makes a check.
struct TruIDWayOption: ParsableArguments {
  @Option(
    name: .customLong("by"),
    help: ArgumentHelp("backend or api, instead of the configured way.", valueName: "way"))
  var way: TruIDInterface.Way?
}

/// What all checks take.
struct TruIDCheckOptions: ParsableArguments {
  @OptionGroup var way: TruIDWayOption

  @Option(help: ArgumentHelp("Your own id for the check; it must not contain personal data.", valueName: "id"))
  var reference: String?
}

/// The protocol's version.
struct TruIDVersionOption: ParsableArguments {
  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp("v0.1 or v0.2, instead of the configured version.", valueName: "version"))
  var version: String?
}

/// How far back a change of the SIM counts.
struct TruIDPeriodOption: ParsableArguments {
  @Option(
    name: .customLong("period"),
    help: ArgumentHelp(
      "How many minutes ago a change still counts, 60 to 540000 (default: seven days).", valueName: "minutes"))
  var minutes: Int?
}

extension TruIDInterface.Way: ExpressibleByArgument {}
