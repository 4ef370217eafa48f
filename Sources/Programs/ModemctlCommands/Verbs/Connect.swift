import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl connect`
struct Connect: Verb {
  static let configuration = CommandConfiguration(
    commandName: "connect", abstract: "Bring the data bearer up. The machine's own default route does not change.")

  @Option(help: "The access point name (default: the configured one, else the subscription's own).")
  var apn: String?

  @Option(help: "ipv4, ipv6 or ipv4v6 (default: the configured one, else what the network offers).")
  var ipType: BearerInterface.Connect.Parameters.IpType?

  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    let reply = try await session.call(
      BearerInterface.Connect.self, .init(modem: choice.modem, apn: apn, ipType: ipType), within: .network)
    try session.show(reply) { Details(groups: [BearerText.details(reply.bearer)]).render(session.paint) }
    return .done
  }
}

extension BearerInterface.Connect.Parameters.IpType: ExpressibleByArgument {}
