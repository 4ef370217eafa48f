import ArgumentParser
import ModemctlCore

/// `modemctl provider check`
struct ProviderCheck: Verb {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check providers without cost.",
    discussion: """
      Tells what the file says and what is missing in it, whether the provider's service accepts the credentials, and \
      whether the SIM's operator is served. Only requests that cost nothing are sent; where a kind has none, it says so. \
      The question about the operator may bring the bearer up.
      """)

  @Argument(help: "The provider's name; without it, all.")
  var name: String?

  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    try await ProviderReport(session: session).check(name.map { [$0] }, modem: choice.modem)
  }
}
