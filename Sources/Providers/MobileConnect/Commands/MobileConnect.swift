import ArgumentParser
import MobileConnectAPI
import ModemAPI
import ModemctlCore

/// Mobile Connect's verbs.
package enum MobileConnectVerbs: ProviderVerbs {
  package static var verbs: [any ParsableCommand.Type] { [MobileConnect.self] }
}

/// `modemctl mobile-connect`
struct MobileConnect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mobile-connect", abstract: "Mobile Connect: the operator says who the SIM's user is.",
    discussion: """
      The provider is a file of the kind mobileConnect in /etc/modemd/providers. \(FlowHelp.steps) Numbers, \
      tokens and what identifies a person are masked unless --reveal is given.
      """,
    subcommands: [
      MobileConnectDiscover.self, MobileConnectLogin.self, MobileConnectAuthorize.self, MobileConnectExchange.self,
      MobileConnectValidate.self,
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
      If a person has to select the operator, the URL of a page is shown. Open it in a browser, save the URL to which the browser \
      returns in a file, and name the file with --callback.
      """)

  @OptionGroup var whose: MobileConnectWhoseOptions
  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    .init(whose: try whose.whose(), provider: flow.provider, modem: flow.modem)
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

  @Option(help: ArgumentHelp("plain or plus, instead of the configured form.", valueName: "form"))
  var form: MobileConnectInterface.Validate.Parameters.Form?

  @OptionGroup var whose: MobileConnectWhoseOptions
  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    .init(
      number: validated, form: form, whose: try whose.whose(), provider: flow.provider, modem: flow.modem)
  }

  func finish(_ reply: Method.Reply, in session: Session) throws {
    try MobileConnectPage.show(reply.page, in: session)
  }
}

extension MobileConnectInterface.Validate.Parameters.Form: ExpressibleByArgument {}

/// The page where a person must answer. It is the requested result, so it is shown unmasked.
enum MobileConnectPage {
  static func show(_ page: String?, in session: Session) throws {
    guard let page, !session.options.json else { return }
    try session.console.write("\npage  \(ForeignText.visible(page))\n")
  }
}
