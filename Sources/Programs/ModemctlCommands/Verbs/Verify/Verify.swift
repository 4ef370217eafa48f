import ArgumentParser
import ModemAPI

/// `modemctl verify`
struct Verify: FlowVerb {
  typealias Method = VerifyInterface.Number

  static let configuration = CommandConfiguration(
    abstract: "Ask whether a number is that of the SIM.",
    discussion: """
      Asks the configured providers that serve the SIM's network, in order, until one gives an answer. Each \
      step is shown when it ends, below its requests over the bearer. `modemctl providers` lists the \
      configured providers.
      """)

  @Argument(help: "In international form, as in +447700900123.")
  var number: String

  @OptionGroup var provider: ProviderOption
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func parameters() -> VerifyInterface.Number.Parameters {
    .init(number: number, provider: provider.provider, modem: choice.modem)
  }
}

/// Selects a provider if there are several.
struct ProviderOption: ParsableArguments {
  @Option(help: ArgumentHelp("Which configured provider; required if several serve this SIM.", valueName: "name"))
  var provider: String?
}
