import ArgumentParser
import CAMARAAPI
import ModemAPI
import ModemctlCore

/// The verbs of CAMARA's interfaces.
package enum CAMARAVerbs: ProviderVerbs {
  package static var verbs: [any ParsableCommand.Type] { [NumberVerification.self, SIMSwap.self] }
}

/// `modemctl number-verification`
struct NumberVerification: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "number-verification", abstract: "CAMARA Number Verification: whose number the SIM has.",
    discussion: """
      The provider is a file of the kind camara in /etc/modemd/providers. \(FlowHelp.steps) A number is masked \
      unless --reveal is given.
      """,
    subcommands: [NumberVerificationVerify.self, NumberVerificationNumber.self])
}

/// `modemctl number-verification verify`
struct NumberVerificationVerify: FlowVerb {
  typealias Method = NumberVerificationInterface.Verify

  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Ask the operator whether a number is that of the SIM.")

  @OptionGroup var subscriber: NumberArgument

  @Flag(
    inversion: .prefixedNo,
    help: "Send the number's SHA-256 or, with --no-hashed, the number itself, whatever is configured.")
  var hashed: Bool?

  @OptionGroup var flow: FlowOptions

  func parameters() -> Method.Parameters {
    .init(number: subscriber.number, hashed: hashed, provider: flow.provider, modem: flow.modem)
  }
}

/// `modemctl number-verification device-number`
struct NumberVerificationNumber: FlowVerb {
  typealias Method = NumberVerificationInterface.DevicePhoneNumber

  static let configuration = CommandConfiguration(
    commandName: "device-number", abstract: "Ask the operator for the SIM's number.")

  @OptionGroup var flow: FlowOptions

  func parameters() -> Method.Parameters { .init(provider: flow.provider, modem: flow.modem) }
}

extension NumberVerificationInterface.Verify.Reply: ServerAnswerReply {
  package var findings: [(String, String?)] { [("x-correlator", correlator), serverFinding] }
}

extension NumberVerificationInterface.DevicePhoneNumber.Reply: ServerAnswerReply {
  package var findings: [(String, String?)] { [("SIM's number", number), ("x-correlator", correlator), serverFinding] }

  package func masked() -> Self {
    var reply = withMaskedAnswer()
    reply.number = number.map { Mask.number($0) }
    return reply
  }
}
