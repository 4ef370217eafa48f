import ArgumentParser
import ModemAPI

struct StatusVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "status", abstract: "One modem in full.")

  @Argument(help: "Id, device or interface; not needed for the only modem.")
  var modem: String?

  @OptionGroup var common: CommonOptions

  /// What `--json` prints.
  struct Document: Encodable {
    let modem: ModemInterface.Modem
    let bearer: BearerInterface.Bearer
  }

  func run() async throws {
    try await Session.run(common) { session in
      let modem = try await session.client.call(ModemInterface.Get.self, .init(modem: modem)).modem
      let bearer = try await session.client.call(BearerInterface.Get.self, .init(modem: modem.id)).bearer
      let masked = Masking(reveals: common.reveal).modem(modem)
      if common.json { return Terminal.print(JSONOutput.document(Document(modem: masked, bearer: bearer))) }
      for line in ModemText.status(masked, bearer: bearer) { Terminal.print(line) }
    }
  }
}
