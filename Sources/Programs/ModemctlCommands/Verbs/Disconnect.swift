import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl disconnect`
struct Disconnect: Verb {
  static let configuration = CommandConfiguration(commandName: "disconnect", abstract: "Take the data bearer down.")

  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    let reply = try await session.call(
      BearerInterface.Disconnect.self, .init(modem: choice.modem), within: .network)
    try session.show(reply) { Details(groups: [BearerText.details(reply.bearer)]).render(session.paint) }
    return .done
  }
}
