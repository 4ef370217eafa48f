import ArgumentParser
import ModemAPI

struct ConnectVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "connect", abstract: "Bring the data bearer up. The machine's own default route stays as it is.")

  enum IPType: String, ExpressibleByArgument, CaseIterable {
    case ipv4, ipv6, ipv4v6
  }

  @Argument(help: "Id, device or interface; not needed for the only modem.")
  var modem: String?

  @Option(help: "The access point name; without it the configured one, else the subscription's default.")
  var apn: String?

  @Option(help: "Address families to ask for.")
  var ipType: IPType?

  @OptionGroup var common: CommonOptions

  func run() async throws {
    try await Session.run(common) { session in
      let bearer = try await session.client.call(
        BearerInterface.Connect.self,
        .init(modem: modem, apn: apn, ipType: ipType.flatMap { .init(rawValue: $0.rawValue) })
      ).bearer
      if common.json { return Terminal.print(JSONOutput.document(bearer)) }
      for line in ModemText.bearer(bearer) { Terminal.print(line) }
    }
  }
}
