import ArgumentParser
import MIRACLAPI
import ModemAPI
import ModemctlCore

/// `modemctl miracl login`
struct MIRACLLogIn: FlowVerb {
  typealias Method = MIRACLInterface.Login

  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Log in at a website by its QR code, or get a token for an application's backend.",
    discussion: """
      Without a link it gets a token (JWT), which --reveal shows and --save-token saves. A few wrong PINs revoke the identity, and the user must \
      register again.
      """)

  @OptionGroup var website: MIRACLLinkArgument
  @OptionGroup var user: MIRACLUserOption

  @Option(help: ArgumentHelp("Save the token in this file, readable only by you.", valueName: "path"))
  var saveToken: String?

  @OptionGroup var pin: MIRACLPINOption
  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    .init(link: try website.text(), user: user.user, provider: flow.provider, modem: flow.modem)
  }

  func respond(to reply: Method.Reply, in session: Session) async throws { try await session.answer(reply, pin: pin) }

  func finish(_ reply: Method.Reply, in session: Session) throws {
    if let saveToken, let token = reply.token { try ArgumentFile.write(token + "\n", to: saveToken) }
  }
}

/// `modemctl miracl quick-code`
struct MIRACLQuickCode: FlowVerb {
  typealias Method = MIRACLInterface.QuickCode

  static let configuration = CommandConfiguration(
    commandName: "quick-code", abstract: "Get a code that registers another device of a user.",
    discussion: "The code is shown with --reveal. On the other device: `modemctl miracl register USER --by code`.")

  @OptionGroup var user: MIRACLUserOption
  @OptionGroup var pin: MIRACLPINOption
  @OptionGroup var flow: FlowOptions

  func parameters() -> Method.Parameters {
    .init(user: user.user, provider: flow.provider, modem: flow.modem)
  }

  func respond(to reply: Method.Reply, in session: Session) async throws { try await session.answer(reply, pin: pin) }
}
