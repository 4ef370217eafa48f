import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl providers`
struct Providers: Verb {
  static let configuration = CommandConfiguration(
    abstract: "List the providers that modemd is configured for.",
    discussion: "Each is a file in /etc/modemd/providers; modemd reads them when it starts.")

  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    let reply = try await session.call(VerifyInterface.Providers.self, .init(), within: .answer)
    try session.show(reply) {
      guard !reply.providers.isEmpty else { return "no provider is configured\n" }
      let rows = reply.providers.map { [Cell($0.name), Cell($0.kind)] }
      return TableLayout.render([.init("NAME"), .init("KIND")], rows, session.paint)
    }
    return .done
  }
}
