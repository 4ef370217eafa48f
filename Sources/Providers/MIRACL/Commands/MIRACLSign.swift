import ArgumentParser
import JSONTree
import MIRACLAPI
import ModemAPI
import ModemctlCore

/// `modemctl miracl sign`
struct MIRACLSign: FlowVerb {
  typealias Method = MIRACLInterface.Sign

  static let configuration = CommandConfiguration(
    commandName: "sign", abstract: "Sign a document's hash, or what a website needs signed.",
    discussion: """
      With a link the website gets the signature. With --hash it is saved with --save, or shown with --reveal; `sha256sum FILE` gives a hash.
      """)

  @OptionGroup var website: MIRACLLinkArgument

  @Option(help: ArgumentHelp("The document's hash: 16 to 64 bytes in hexadecimal digits.", valueName: "digits"))
  var hash: String?

  @Option(help: ArgumentHelp("The id of a signing session of the older kind, instead of a link.", valueName: "id"))
  var signingSession: String?

  @Option(help: ArgumentHelp("Save the signature in this file as JSON, readable only by you.", valueName: "path"))
  var save: String?

  @OptionGroup var user: MIRACLUserOption
  @OptionGroup var pin: MIRACLPINOption
  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    let link = try website.text()
    guard [hash, link, signingSession].compactMap(\.self).count == 1 else {
      throw ModemctlError(.usage, "give a link, --hash or --signing-session, and only one of them")
    }
    return .init(
      hash: hash, link: link, signingSession: signingSession, user: user.user, provider: flow.provider,
      modem: flow.modem)
  }

  func respond(to reply: Method.Reply, in session: Session) async throws { try await session.answer(reply, pin: pin) }

  func finish(_ reply: Method.Reply, in session: Session) throws {
    if let save, let signature = reply.signature { try ArgumentFile.write(signature.document.text + "\n", to: save) }
  }
}

/// `modemctl miracl verify-signature`
struct MIRACLVerifySignature: FlowVerb {
  typealias Method = MIRACLInterface.VerifySignature

  static let configuration = CommandConfiguration(
    commandName: "verify-signature", abstract: "Ask MIRACL to verify a saved signature.",
    discussion: "modemd needs the credentials of the project's own backend for it.")

  @Argument(help: ArgumentHelp("The file that `sign --save` wrote.", valueName: "path"))
  var signature: String

  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    guard let document = JSONValue(parsing: try ArgumentFile.read(signature, for: "the signature")),
      case .object = document
    else { throw ModemctlError(.usage, "\(signature) holds no signature; write it with `modemctl miracl sign --save`") }
    return .init(signature: document, provider: flow.provider, modem: flow.modem)
  }
}
