import ArgumentParser
import ModemAPI

struct ListVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "Modems, their SIMs and networks.")

  @OptionGroup var common: CommonOptions

  func run() async throws {
    try await Session.run(common) { session in
      let masking = Masking(reveals: common.reveal)
      let modems = try await session.client.call(ModemInterface.List.self, .init()).modems.map(masking.modem)
      if common.json { return Terminal.print(JSONOutput.document(ModemInterface.List.Reply(modems: modems))) }
      guard !modems.isEmpty else {
        return Terminal.complain("there is no modem; plug one in, and look at `systemctl status 'modemd-port@*'`")
      }
      var bearers: [String: BearerInterface.Bearer] = [:]
      for modem in modems {
        bearers[modem.id] = try await session.client.call(BearerInterface.Get.self, .init(modem: modem.id)).bearer
      }
      for line in ModemText.list(modems, bearers: bearers) { Terminal.print(line) }
    }
  }
}
