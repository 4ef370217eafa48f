import ArgumentParser
import ModemAPI

/// `modemctl status`
struct Status: Verb {
  static let configuration = CommandConfiguration(abstract: "One modem in full: itself, its SIM, network and bearer.")

  @Argument(help: "Which modem, by id, device or interface; needed where there are several.")
  var modem: String?

  @OptionGroup var common: CommonOptions

  /// The document that `--json` gives.
  struct Document: Codable, Hashable {
    var modem: ModemInterface.Modem
    var bearer: BearerInterface.Bearer
  }

  func run(in session: Session) async throws -> ExitStatus {
    let modem = try await session.call(ModemInterface.Get.self, .init(modem: modem), within: .answer).modem
    let bearer = try await session.call(BearerInterface.Get.self, .init(modem: modem.id), within: .answer).bearer
    let document = Document(modem: common.reveal ? modem : modem.masked(), bearer: bearer)
    try session.show(document) {
      Details(groups: ModemText.details(document.modem) + [BearerText.details(bearer)]).render(session.paint)
    }
    return .done
  }
}
