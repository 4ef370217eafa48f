import ArgumentParser
import MobileConnectAPI
import ModemAPI

/// `modemctl mobile-connect login`
struct MobileConnectLogin: FlowVerb {
  typealias Method = MobileConnectInterface.Login

  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Sign the SIM's user in.",
    discussion: """
      Where the provider's file names an app's server, the bearer's address, network and number are sent there, and the redirects \
      that come back are performed over the bearer to their end. Else modemctl does it all: discovery, authorization, tokens, and the \
      validation of the ID token. --local does so in any case.
      """)

  @Flag(help: "Sign in here, although there is an app's server.")
  var local = false

  @Option(
    help: ArgumentHelp("userinfo or premiuminfo: what to ask of the operator with the token.", valueName: "kind"))
  var information: MobileConnectInterface.Login.Parameters.Information?

  @Option(help: ArgumentHelp("Save the tokens there, readable for you alone.", valueName: "path"))
  var saveTokens: String?

  @OptionGroup var request: MobileConnectRequestOptions
  @OptionGroup var whose: MobileConnectWhoseOptions
  @OptionGroup var provider: ProviderOption
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func parameters() throws -> Method.Parameters {
    .init(
      request: try request.request(), information: information, appServer: local ? false : nil,
      whose: try whose.whose(), provider: provider.provider, modem: choice.modem)
  }

  func finish(_ reply: Method.Reply, in session: Session) throws {
    try MobileConnectTokenFile.save(reply.tokens, to: saveTokens)
    try MobileConnectPage.show(reply.page, in: session)
  }
}

extension MobileConnectInterface.Login.Parameters.Information: ExpressibleByArgument {}

/// `modemctl mobile-connect authorize`
struct MobileConnectAuthorize: FlowVerb {
  typealias Method = MobileConnectInterface.Authorize

  static let configuration = CommandConfiguration(
    commandName: "authorize", abstract: "Get an authorization code over the bearer, for your own backend.",
    discussion: "A code is used once, and soon too old: give it to the backend at once. --reveal shows it.")

  @OptionGroup var request: MobileConnectRequestOptions
  @OptionGroup var whose: MobileConnectWhoseOptions
  @OptionGroup var provider: ProviderOption
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func parameters() throws -> Method.Parameters {
    .init(
      request: try request.request(), whose: try whose.whose(), provider: provider.provider, modem: choice.modem)
  }

  func finish(_ reply: Method.Reply, in session: Session) throws {
    try MobileConnectPage.show(reply.page, in: session)
  }
}

/// `modemctl mobile-connect ask`
struct MobileConnectAsk: FlowVerb {
  typealias Method = MobileConnectInterface.AskAtHandset

  static let configuration = CommandConfiguration(
    commandName: "ask", abstract: "Have the operator ask the user at the handset, and wait for the answer.",
    discussion: "The server-initiated mode: nothing is redirected, and nothing goes over the bearer.")

  @Option(help: ArgumentHelp("Save the tokens there, readable for you alone.", valueName: "path"))
  var saveTokens: String?

  @OptionGroup var request: MobileConnectRequestOptions
  @OptionGroup var whose: MobileConnectWhoseOptions
  @OptionGroup var provider: ProviderOption
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func parameters() throws -> Method.Parameters {
    .init(
      request: try request.request(), whose: try whose.whose(), provider: provider.provider, modem: choice.modem)
  }

  func finish(_ reply: Method.Reply, in session: Session) throws {
    try MobileConnectTokenFile.save(reply.tokens, to: saveTokens)
  }
}
