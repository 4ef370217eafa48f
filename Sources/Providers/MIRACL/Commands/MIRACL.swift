import MIRACLAPI
import ArgumentParser
import ModemAPI
import ModemctlCore
import Varlink

/// MIRACL's verbs and the meanings of its errors.
package enum MIRACLVerbs: ProviderVerbs {
  package static var verbs: [any ParsableCommand.Type] { [MIRACL.self] }

  package static func explain(_ error: VarlinkError) -> ModemctlError? {
    if error.parameters(as: MIRACLInterface.NoSuchIdentity.self) != nil {
      return ModemctlError(
        .usage, "this user is not registered on this machine; `modemctl miracl identities --reveal` lists those who are"
      )
    }
    return error.parameters(as: MIRACLInterface.StoreFailed.self).map { ModemctlError(.failed, $0.text) }
  }
}

/// `modemctl miracl`
struct MIRACL: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "miracl", abstract: "Register at MIRACL Trust, log in at its websites with a PIN, and sign.",
    discussion: """
      The provider is a file in /etc/modemd/providers, of the kind miracl. modemd keeps what belongs to a registered user. You are asked for the PIN \
      each time, on the terminal, which does not show it. Without a terminal it is a line of standard input, or a credential of a systemd unit. It is \
      never an argument.
      """,
    subcommands: [
      MIRACLRegister.self,
      MIRACLLogIn.self,
      MIRACLSign.self,
      MIRACLIdentities.self,
      MIRACLForget.self,
      MIRACLSession.self,
      MIRACLAbort.self,
      MIRACLQuickCode.self,
      MIRACLVerifySignature.self,
    ])
}

/// A website's session, given by the content of its QR code.
struct MIRACLLinkArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The text of the website's QR code, as in https://mcl.mpin.io/mobile-login/#….", valueName: "link"))
  var link: String?

  @Option(
    help: ArgumentHelp(
      "An image of the QR code (PNG, JPEG, GIF, BMP or PNM) instead of its text; needs zbar.", valueName: "image"))
  var qr: String?

  /// The content of the QR code; nil if none is given.
  ///
  /// - Throws: `ModemctlError` for an image without one, and for text together with an image.
  func text() throws -> String? {
    guard let qr else { return link }
    guard link == nil else { throw ModemctlError(.usage, "give the QR code's text or --qr, but not both") }
    return try QRImage.text(of: qr)
  }
}

/// Which user it is.
struct MIRACLUserOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The registered user's name; needed if there are several users and the website names none.", valueName: "name"))
  var user: String?
}

/// Where the PIN is from.
struct MIRACLPINOption: ParsableArguments {
  @Option(help: ArgumentHelp("Read the PIN from this credential of the unit.", valueName: "credential"))
  var pinFrom: String?
}
