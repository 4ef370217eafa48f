import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl bearer`
struct Bearer: Verb {
  static let configuration = CommandConfiguration(
    abstract: "The data bearer: state, cause, access point, addresses, and when it is tried again.")

  @Argument(help: "The modem's id, device or interface; needed if there are several modems.")
  var modem: String?

  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    let reply = try await session.call(BearerInterface.Get.self, .init(modem: modem), within: .answer)
    try session.show(reply) { Details(groups: [BearerText.details(reply.bearer)]).render(session.paint) }
    return .done
  }
}
