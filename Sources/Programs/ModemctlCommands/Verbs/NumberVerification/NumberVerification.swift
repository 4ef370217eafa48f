import ArgumentParser
import CAMARAAPI
import ModemAPI

/// `modemctl number-verification`
struct NumberVerification: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "number-verification", abstract: "CAMARA Number Verification: whose number the SIM has.",
    discussion: """
      The provider is a file of the kind camara in /etc/modemd/providers. Each step is shown when it ends; the requests over \
      the bearer stand above theirs. A number is masked unless --reveal is given.
      """,
    subcommands: [NumberVerificationVerify.self, NumberVerificationNumber.self])
}

/// `modemctl number-verification verify`
struct NumberVerificationVerify: FlowVerb {
  typealias Method = NumberVerificationInterface.Verify

  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Ask the operator whether a number is that of the SIM.")

  @Argument(help: "In international form, as in +447700900123.")
  var number: String

  @Flag(inversion: .prefixedNo, help: "Send the number's SHA-256 in its place, or the number where that is configured.")
  var hashed: Bool?

  @OptionGroup var provider: ProviderOption
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func parameters() -> Method.Parameters {
    .init(number: number, hashed: hashed, provider: provider.provider, modem: choice.modem)
  }
}

/// `modemctl number-verification device-number`
struct NumberVerificationNumber: FlowVerb {
  typealias Method = NumberVerificationInterface.DevicePhoneNumber

  static let configuration = CommandConfiguration(
    commandName: "device-number", abstract: "Ask the operator for the SIM's number.")

  @OptionGroup var provider: ProviderOption
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func parameters() -> Method.Parameters { .init(provider: provider.provider, modem: choice.modem) }
}

extension NumberVerificationInterface.Verify.Reply: FlowReply {
  var findings: [(String, String?)] { [("x-correlator", correlator)] }
}

extension NumberVerificationInterface.DevicePhoneNumber.Reply: FlowReply {
  var findings: [(String, String?)] { [("SIM's number", number), ("x-correlator", correlator)] }

  func masked() -> Self {
    var reply = self
    reply.number = number.map { Mask.digits($0, readable: 2) }
    return reply
  }
}
