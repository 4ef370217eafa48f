import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl verify`
struct Verify: FlowVerb {
  typealias Method = VerifyInterface.Number

  static let configuration = CommandConfiguration(
    abstract: "Ask whether a number is that of the SIM.",
    discussion: """
      Asks the configured providers that are meant for the SIM's network, in order, until one can tell. `modemctl providers` lists what is configured. \
      \(FlowHelp.steps)
      """)

  @OptionGroup var subscriber: NumberArgument

  @OptionGroup var flow: FlowOptions

  func parameters() -> VerifyInterface.Number.Parameters {
    .init(number: subscriber.number, provider: flow.provider, modem: flow.modem)
  }
}

extension VerifyInterface.Number.Reply: ServerAnswerReply {}
