import ArgumentParser
import MobileConnectAPI
import ModemAPI

/// `modemctl mobile-connect`
struct MobileConnect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mobile-connect", abstract: "Mobile Connect: the operator's word for who the SIM's user is.",
    discussion: """
      The provider is a file of the kind mobileConnect in /etc/modemd/providers. Each step is shown when it ends; the requests \
      over the bearer stand above theirs. Numbers, codes, tokens and what identifies a person are masked unless --reveal is given.
      """,
    subcommands: [
      MobileConnectDiscover.self, MobileConnectLogin.self, MobileConnectAuthorize.self, MobileConnectValidate.self,
      MobileConnectAsk.self, MobileConnectUserInfo.self, MobileConnectIdentity.self, MobileConnectRefresh.self,
      MobileConnectRevoke.self,
    ])
}

/// `modemctl mobile-connect discover`
struct MobileConnectDiscover: FlowVerb {
  typealias Method = MobileConnectInterface.Discover

  static let configuration = CommandConfiguration(
    commandName: "discover", abstract: "Find the SIM's operator and its endpoints.",
    discussion: """
      Where a person has to select the operator, the page's URL is shown: open it in a browser, save the URL that the browser comes \
      back to, and give its file with --callback.
      """)

  @OptionGroup var whose: MobileConnectWhoseOptions
  @OptionGroup var provider: ProviderOption
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func parameters() throws -> Method.Parameters {
    .init(whose: try whose.whose(), provider: provider.provider, modem: choice.modem)
  }

  func finish(_ reply: Method.Reply, in session: Session) throws {
    try MobileConnectPage.show(reply.page, in: session)
  }
}

/// `modemctl mobile-connect validate`
struct MobileConnectValidate: FlowVerb {
  typealias Method = MobileConnectInterface.Validate

  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Ask the operator whether a number is that of the SIM.")

  @Argument(help: ArgumentHelp("In international form, as in +447700900123.", valueName: "number"))
  var validated: String

  @Option(help: ArgumentHelp("plain or plus, in place of what is configured.", valueName: "form"))
  var form: MobileConnectInterface.Validate.Parameters.Form?

  @OptionGroup var whose: MobileConnectWhoseOptions
  @OptionGroup var provider: ProviderOption
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func parameters() throws -> Method.Parameters {
    .init(
      number: validated, form: form, whose: try whose.whose(), provider: provider.provider, modem: choice.modem)
  }

  func finish(_ reply: Method.Reply, in session: Session) throws {
    try MobileConnectPage.show(reply.page, in: session)
  }
}

extension MobileConnectInterface.Validate.Parameters.Form: ExpressibleByArgument {}

/// The page where a person has to answer. It is what was asked for, so that it is shown whole.
enum MobileConnectPage {
  static func show(_ page: String?, in session: Session) throws {
    guard let page, !session.options.json else { return }
    try session.console.write("\npage  \(MessageRendering.visible(page))\n")
  }
}
