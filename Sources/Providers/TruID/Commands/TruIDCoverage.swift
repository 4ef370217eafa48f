import ArgumentParser
import ModemAPI
import ModemctlCore
import TruIDAPI

/// `modemctl truid coverage`
struct TruIDCoverage: FlowVerb {
  typealias Method = TruIDInterface.Coverage

  static let configuration = CommandConfiguration(
    commandName: "coverage", abstract: "Ask whether tru.ID serves the SIM's operator.",
    discussion: """
      Without an address or a country, the request goes over the bearer, and tru.ID looks at its source address.
      """)

  @Option(help: ArgumentHelp("Ask about this IPv4 or IPv6 address instead.", valueName: "address"))
  var address: String?

  @Option(help: ArgumentHelp("Ask about a country instead, as in GB or 44.", valueName: "code"))
  var country: String?

  @Option(
    help: ArgumentHelp("The product that must be available: phoneCheck or subscriberCheck.", valueName: "product"))
  var product: TruIDInterface.Coverage.Parameters.Product?

  @OptionGroup var way: TruIDWayOption
  @OptionGroup var flow: FlowOptions

  func parameters() -> TruIDInterface.Coverage.Parameters {
    .init(
      address: address, country: country, product: product, way: way.way, provider: flow.provider,
      modem: flow.modem)
  }
}

extension TruIDInterface.Coverage.Parameters.Product: ExpressibleByArgument {}

/// `modemctl truid traces`
struct TruIDTraces: FlowVerb {
  typealias Method = TruIDInterface.Traces

  static let configuration = CommandConfiguration(
    commandName: "traces", abstract: "Show what tru.ID wrote down while it handled a check.",
    discussion: "tru.ID keeps traces for seven days. Numbers and tokens in them are masked unless --reveal is given.")

  @Argument(help: "tru.ID's id of the check, which the verb that made the check shows.")
  var check: String

  @Option(help: ArgumentHelp("phoneCheck, subscriberCheck or simCheck.", valueName: "kind"))
  var kind = TruIDInterface.Traces.Parameters.Kind.subscriberCheck

  @Option(help: ArgumentHelp("Show only this trace.", valueName: "id"))
  var trace: String?

  @OptionGroup var version: TruIDVersionOption
  @OptionGroup var flow: FlowOptions

  func parameters() -> TruIDInterface.Traces.Parameters {
    .init(
      check: check, kind: kind, version: version.version, trace: trace, provider: flow.provider,
      modem: flow.modem)
  }
}

extension TruIDInterface.Traces.Parameters.Kind: ExpressibleByArgument {}
