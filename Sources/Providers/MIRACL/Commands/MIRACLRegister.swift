import ArgumentParser
import MIRACLAPI
import ModemAPI
import ModemctlCore

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
      The user is verified by a mail, whose link or code is asked for; by modemd itself if it is the project's backend; by the link of a verification \
      that was made before; or by the quick code of another device. After Ctrl-C, the same command goes on where it stopped: for an hour \
      after the mail, and for 10 minutes after the verification.
      """)

  @Argument(help: ArgumentHelp("The user's name in the project, usually a mail address.", valueName: "user"))
  var user: String

  @Option(help: ArgumentHelp("How to verify the user.", valueName: "way"))
  var by = Way.mail

  @Option(help: ArgumentHelp("A file with the link of a verification, or with a quick code.", valueName: "path"))
  var proofFile: String?

  @Flag(help: "Begin anew, with another mail, even if an earlier registration of the user is not finished.")
  var anew = false

  @OptionGroup var website: MIRACLLinkArgument
  @OptionGroup var pin: MIRACLPINOption
  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    .init(
      user: user, verification: verification, proof: try proof(), link: try website.text(),
      anew: anew ? true : nil, provider: flow.provider, modem: flow.modem)
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
      throw ModemctlError(.usage, "--proof-file is only for --by link and --by code")
    case (.link, nil), (.code, nil):
      throw ModemctlError(.usage, "give the \(by.rawValue) in a file that only you can read, with --proof-file")
    case (.link, let path?), (.code, let path?):
      return try ArgumentFile.word(path, for: "the file of the \(by.rawValue)")
    }
  }

  func respond(to reply: Method.Reply, in session: Session) async throws { try await session.answer(reply, pin: pin) }
}
