import ArgumentParser
import MIRACLAPI
import ModemAPI

/// `modemctl miracl register`
struct MIRACLRegister: FlowVerb {
  typealias Method = MIRACLInterface.Register

  /// How a user is verified.
  enum Way: String, ExpressibleByArgument, CaseIterable {
    case mail, backend, link, code
  }

  static let configuration = CommandConfiguration(
    commandName: "register", abstract: "Register a user, with a PIN that you choose.",
    discussion: """
      The user is verified by a mail, whose link or code is asked for; by modemd itself where it is the project's backend; by a link of a verification that \
      is there already; or by the quick code of another device.
      """)

  @Argument(help: ArgumentHelp("The user's name at the project, most often a mail address.", valueName: "user"))
  var user: String

  @Option(help: ArgumentHelp("How the user is verified.", valueName: "way"))
  var by = Way.mail

  @Option(help: ArgumentHelp("A file with the link of a verification, or with a quick code.", valueName: "path"))
  var proofFile: String?

  @OptionGroup var website: MIRACLLinkArgument
  @OptionGroup var pin: MIRACLPINOption
  @OptionGroup var provider: ProviderOption
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func parameters() throws -> Method.Parameters {
    .init(
      user: user, verification: verification, proof: try proof(), link: try website.text(),
      provider: provider.provider, modem: choice.modem)
  }

  private var verification: Method.Parameters.Verification {
    switch by {
    case .mail: .mail
    case .backend: .backend
    case .link: .link
    case .code: .activation
    }
  }

  private func proof() throws -> String? {
    switch (by, proofFile) {
    case (.mail, nil), (.backend, nil): return nil
    case (.mail, _?), (.backend, _?):
      throw ModemctlError(.usage, "--proof-file goes with --by link and --by code alone")
    case (.link, nil), (.code, nil):
      throw ModemctlError(.usage, "give the \(by.rawValue) in a file that is yours alone, with --proof-file")
    case (.link, let path?), (.code, let path?):
      let text = String(decoding: try ArgumentFile.read(path, for: "the file of the \(by.rawValue)"), as: UTF8.self)
      return text.filter { !$0.isWhitespace }
    }
  }

  func respond(to reply: Method.Reply, in session: Session) async throws { try await session.answer(reply, pin: pin) }
}
