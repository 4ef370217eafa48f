import ArgumentParser
import ModemAPI

struct DisconnectVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "disconnect", abstract: "Take the data bearer down.")

  @Argument(help: "Id, device or interface; not needed for the only modem.")
  var modem: String?

  @OptionGroup var common: CommonOptions

  func run() async throws {
    try await Session.run(common) { session in
      let bearer = try await session.client.call(BearerInterface.Disconnect.self, .init(modem: modem)).bearer
      if common.json { return Terminal.print(JSONOutput.document(bearer)) }
      for line in ModemText.bearer(bearer) { Terminal.print(line) }
    }
  }
}
