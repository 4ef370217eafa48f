import ArgumentParser
import IPificationAPI
import ModemAPI
import ModemctlCore

/// IPification's verbs.
package enum IPificationVerbs: ProviderVerbs {
  package static var verbs: [any ParsableCommand.Type] { [IPification.self] }
}

/// `modemctl ipification`
struct IPification: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ipification", abstract: "IPification: coverage, authorization codes, and verified numbers.",
    discussion: """
      The provider is a file of the kind ipification in /etc/modemd/providers. \(FlowHelp.steps) Links, \
      tokens and numbers are masked unless --reveal is given.
      """,
    subcommands: [IPificationCoverage.self, IPificationAuthorize.self, IPificationVerify.self])
}

/// `modemctl ipification coverage`
struct IPificationCoverage: FlowVerb {
  typealias Method = IPificationInterface.Coverage

  static let configuration = CommandConfiguration(
    commandName: "coverage", abstract: "Ask whether the provider serves the operator of the bearer's address.")

  @Argument(help: "Also ask whether this number is that operator's; in international form, as in +447700900123.")
  var number: String?

  @Option(help: "Ask about this address instead of the bearer's, over the machine's own network.")
  var address: String?

  @OptionGroup var flow: FlowOptions

  func parameters() -> Method.Parameters {
    .init(number: number, address: address, provider: flow.provider, modem: flow.modem)
  }
}

/// `modemctl ipification authorize`
struct IPificationAuthorize: FlowVerb {
  typealias Method = IPificationInterface.Authorize

  static let configuration = CommandConfiguration(
    commandName: "authorize", abstract: "Get an authorization code over the bearer, for your own backend.",
    discussion: "A code works once and expires soon: give it to the backend at once.")

  @OptionGroup var request: IPificationRequestOptions
  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    .init(
      number: request.number, scope: request.scopes, state: request.state, nonce: request.nonce,
      locales: request.locales, channels: request.channels, requestObject: try request.requestObject(),
      provider: flow.provider, modem: flow.modem)
  }
}

/// `modemctl ipification verify`
struct IPificationVerify: FlowVerb {
  typealias Method = IPificationInterface.Verify

  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Ask whether a number is that of the SIM.",
    discussion: """
      Checks the coverage, gets a code over the bearer, and has it exchanged: by modemd if the provider's file has a client \
      secret, else by the application's backend that the file names.
      """)

  @OptionGroup var request: IPificationRequestOptions

  @Option(
    help: ArgumentHelp("The mobile_id of an earlier answer; if it differs now, the SIM was changed.", valueName: "hash")
  )
  var earlierMobileID: String?

  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    .init(
      number: request.number, scope: request.scopes, state: request.state, nonce: request.nonce,
      locales: request.locales, channels: request.channels, requestObject: try request.requestObject(),
      earlierMobileID: earlierMobileID, provider: flow.provider, modem: flow.modem)
  }
}
