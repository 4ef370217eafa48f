import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl providers`
struct Providers: Verb {
  static let configuration = CommandConfiguration(
    commandName: "providers", abstract: "List the configured providers, and the files that cannot be used.",
    discussion: "Each is a file in /etc/modemd/providers. `modemctl provider` adds, checks and removes them.")

  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    let reply = try await session.call(VerifyInterface.Providers.self, .init(), within: .answer)
    try session.show(reply) { ProviderText.table(reply, session.paint) }
    return .done
  }
}
