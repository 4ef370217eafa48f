import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl verify`
struct Verify: FlowVerb {
  typealias Method = VerifyInterface.Number

  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Ask whether a number is that of the SIM.",
    discussion: """
      Asks the configured providers that are meant for the SIM's network, in order, until one can tell. `modemctl providers` lists what is configured. \
      The operator recognises the SIM by its bearer (--route bearer), or the SIM answers its operator over any network, with the bearer left as it is (--route network). \
      \(FlowHelp.steps)
      """)

  @OptionGroup var subscriber: NumberArgument

  @Option(help: "Which providers are asked: any, bearer or network. By default, what modemd.json says.")
  var route: VerifyInterface.Number.Parameters.Route?

  @OptionGroup var flow: FlowOptions

  func parameters() -> VerifyInterface.Number.Parameters {
    .init(number: subscriber.number, provider: flow.provider, modem: flow.modem, route: route)
  }
}

extension VerifyInterface.Number.Parameters.Route: ExpressibleByArgument {}

extension VerifyInterface.Number.Reply: ServerAnswerReply {}
