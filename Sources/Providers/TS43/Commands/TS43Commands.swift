import ArgumentParser
import ModemAPI
import ModemctlCore
import TS43API

/// The verbs of GSMA TS.43.
package enum TS43Verbs: ProviderVerbs {
  package static var verbs: [any ParsableCommand.Type] { [TS43.self] }
}

/// `modemctl ts43`
struct TS43: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ts43", abstract: "GSMA TS.43: the SIM proves its number over any network.",
    discussion: """
      The provider is a file of the kind ts43 in /etc/modemd/providers. The SIM answers a challenge of its operator, and no \
      bearer is needed. Each step is shown when it ends. Numbers and ids are masked unless --reveal is given.
      """,
    subcommands: [TS43Verify.self, TS43Number.self, TS43Subscriber.self, TS43Token.self])
}

/// `modemctl ts43 verify`
struct TS43Verify: FlowVerb {
  typealias Method = TS43Interface.Verify

  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Ask the operator whether a number is that of the SIM.",
    discussion: "The operator is told the number and answers yes or no. This machine does not learn the SIM's number.")

  @OptionGroup var subscriber: NumberArgument
  @OptionGroup var flow: FlowOptions

  func parameters() -> Method.Parameters {
    .init(number: subscriber.number, provider: flow.provider, modem: flow.modem)
  }
}

/// `modemctl ts43 number`
struct TS43Number: FlowVerb {
  typealias Method = TS43Interface.PhoneNumber

  static let configuration = CommandConfiguration(
    commandName: "number", abstract: "Ask the operator for the SIM's number.",
    discussion: "The number on the SIM is shown beside it: what was once written on the card may be another number.")

  @OptionGroup var flow: FlowOptions

  func parameters() -> Method.Parameters { .init(provider: flow.provider, modem: flow.modem) }
}

/// `modemctl ts43 subscriber`
struct TS43Subscriber: FlowVerb {
  typealias Method = TS43Interface.SubscriberInfo

  static let configuration = CommandConfiguration(
    commandName: "subscriber", abstract: "Ask what the operator has about the SIM's subscription.")

  @OptionGroup var flow: FlowOptions

  func parameters() -> Method.Parameters { .init(provider: flow.provider, modem: flow.modem) }
}

/// `modemctl ts43 token`
struct TS43Token: FlowVerb {
  typealias Method = TS43Interface.TemporaryToken

  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Get a token for one operation of your own server.",
    discussion: """
      The token is shown in full: whoever has it may ask the operator in the SIM's name, once, within minutes. Give it to \
      the server at once, with MCC, MNC and GID1, which tell the server whom to ask. modemd does not keep it. Only root \
      may call this until the access table names a group beside org.modemd.TS43.TemporaryToken.
      """)

  @Argument(help: "What the server may do with the token: phoneNumber or verify.")
  var operation: TS43Interface.TemporaryToken.Parameters.Operation

  @OptionGroup var flow: FlowOptions

  func parameters() -> Method.Parameters {
    .init(operation: operation, provider: flow.provider, modem: flow.modem)
  }
}

extension TS43Interface.TemporaryToken.Parameters.Operation: ExpressibleByArgument {}
