import ArgumentParser
import MIRACLAPI
import ModemAPI
import ModemctlCore

/// `modemctl miracl session`
struct MIRACLSession: FlowVerb {
  typealias Method = MIRACLInterface.GetSession

  static let configuration = CommandConfiguration(
    commandName: "session", abstract: "Show what a website's QR code is about.")

  @OptionGroup var website: MIRACLLinkArgument
  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    guard let link = try website.text() else {
      throw ModemctlError(.usage, "give the text of the website's QR code, or an image of it with --qr")
    }
    return .init(link: link, provider: flow.provider, modem: flow.modem)
  }
}

/// `modemctl miracl abort`
struct MIRACLAbort: FlowVerb {
  typealias Method = MIRACLInterface.AbortSession

  static let configuration = CommandConfiguration(
    commandName: "abort", abstract: "Tell a website that nobody will log in, or sign.")

  @OptionGroup var website: MIRACLLinkArgument

  @Option(help: ArgumentHelp("The id of a signing session of the older kind, instead of a link.", valueName: "id"))
  var signingSession: String?

  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    let link = try website.text()
    guard (link == nil) != (signingSession == nil) else {
      throw ModemctlError(.usage, "give a link or --signing-session, but not both")
    }
    return .init(
      link: link, signingSession: signingSession, provider: flow.provider, modem: flow.modem)
  }
}
