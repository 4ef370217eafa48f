import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl provider list`
struct ProviderList: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the providers with networks, abilities and state.")

  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    let reply = try await session.call(VerifyInterface.Providers.self, .init(), within: .answer)
    try session.show(reply) { ProviderText.table(reply, session.paint) }
    return .done
  }
}
