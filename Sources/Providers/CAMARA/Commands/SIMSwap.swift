import ArgumentParser
import CAMARAAPI
import ModemAPI
import ModemctlCore

/// `modemctl sim-swap`
struct SIMSwap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sim-swap", abstract: "Ask whether or when a number moved to another SIM.",
    discussion: """
      The provider is a file in /etc/modemd/providers, of the kind camara or, for `check`, any that checks SIM changes. Without a \
      number, the question is about the SIM in this machine, which the operator recognises by the bearer.
      """,
    subcommands: [SIMSwapCheck.self, SIMSwapDate.self])
}

/// `modemctl sim-swap check`
struct SIMSwapCheck: FlowVerb {
  typealias Method = SIMSwapInterface.Check

  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Ask whether a number recently moved to another SIM.")

  @OptionGroup var question: SIMSwapQuestion
  @OptionGroup var flow: FlowOptions

  func parameters() -> Method.Parameters {
    .init(
      number: question.number, maximumAgeHours: question.maxAge, provider: flow.provider, modem: flow.modem)
  }
}

/// `modemctl sim-swap retrieve-date`
struct SIMSwapDate: FlowVerb {
  typealias Method = SIMSwapInterface.RetrieveDate

  static let configuration = CommandConfiguration(
    commandName: "retrieve-date", abstract: "Ask when a number moved to another SIM, and whether that was recent.")

  @OptionGroup var question: SIMSwapQuestion
  @OptionGroup var flow: FlowOptions

  func parameters() -> Method.Parameters {
    .init(
      number: question.number, maximumAgeHours: question.maxAge, provider: flow.provider, modem: flow.modem)
  }
}

/// What both verbs ask about.
struct SIMSwapQuestion: ParsableArguments {
  @Argument(help: "In international form, as in +447700900123 (default: the SIM in this machine).")
  var number: String?

  @Option(help: ArgumentHelp("How many hours back a change counts, 1 to 2400 (default: 240).", valueName: "hours"))
  var maxAge: Int?
}

extension SIMSwapInterface.Check.Reply: FlowReply {
  package var findings: [(String, String?)] {
    [("changed at", changedAt), ("period", periodHours.map { "\($0) h" })]
  }
}

extension SIMSwapInterface.RetrieveDate.Reply: FlowReply {
  package var findings: [(String, String?)] {
    [("changed at", changedAt), ("watched", monitoredDays.map { "\($0) days" })]
  }
}
