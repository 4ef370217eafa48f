import ArgumentParser
import IPificationAPI
import ModemAPI

/// `modemctl ipification`
struct IPification: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ipification", abstract: "IPification: coverage, authorization codes, and verified numbers.",
    discussion: """
      The provider is a file of the kind ipification in /etc/modemd/providers. Each step is shown when it ends; the requests \
      over the bearer stand above theirs. Codes, links and numbers are masked unless --reveal is given.
      """,
    subcommands: [IPificationCoverage.self, IPificationAuthorize.self, IPificationVerify.self])
}

/// `modemctl ipification coverage`
struct IPificationCoverage: FlowVerb {
  typealias Method = IPificationInterface.Coverage

  static let configuration = CommandConfiguration(
    commandName: "coverage", abstract: "Ask whether the provider serves the operator of the bearer's address.")

  @Argument(help: "Ask too whether the number is that operator's; in international form, as in +447700900123.")
  var number: String?

  @Option(help: "Ask about an address in place of the bearer's, by this machine's own network.")
  var address: String?

  @OptionGroup var provider: ProviderOption
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func parameters() -> Method.Parameters {
    .init(number: number, address: address, provider: provider.provider, modem: choice.modem)
  }
}

/// `modemctl ipification authorize`
struct IPificationAuthorize: FlowVerb {
  typealias Method = IPificationInterface.Authorize

  static let configuration = CommandConfiguration(
    commandName: "authorize", abstract: "Get an authorization code over the bearer, for your own backend.",
    discussion: "A code is used once, and soon too old: give it to the backend at once. --reveal shows it.")

  @OptionGroup var request: IPificationRequestOptions
  @OptionGroup var provider: ProviderOption
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func parameters() throws -> Method.Parameters {
    .init(
      number: request.number, scope: request.scopes, state: request.state, nonce: request.nonce,
      locales: request.locales, channels: request.channels, requestObject: try request.requestObject(),
      provider: provider.provider, modem: choice.modem)
  }
}

/// `modemctl ipification verify`
struct IPificationVerify: FlowVerb {
  typealias Method = IPificationInterface.Verify

  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Ask whether a number is that of the SIM.",
    discussion: """
      Coverage, authorization over the bearer, and its exchange: by this machine where the provider's file has a client \
      secret, else by the application's backend that it names.
      """)

  @OptionGroup var request: IPificationRequestOptions

  @Option(
    help: ArgumentHelp("The mobile_id of an earlier answer: another one now is a changed SIM.", valueName: "hash"))
  var earlierMobileID: String?

  @OptionGroup var provider: ProviderOption
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func parameters() throws -> Method.Parameters {
    .init(
      number: request.number, scope: request.scopes, state: request.state, nonce: request.nonce,
      locales: request.locales, channels: request.channels, requestObject: try request.requestObject(),
      earlierMobileID: earlierMobileID, provider: provider.provider, modem: choice.modem)
  }
}
