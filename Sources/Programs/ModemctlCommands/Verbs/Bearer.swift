import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl bearer`
struct Bearer: Verb {
  static let configuration = CommandConfiguration(
    commandName: "bearer",
    abstract: "The data bearer: state, cause, access point, addresses, and when it is tried again.")

  @Argument(help: "The modem's id, device or interface; needed if there are several modems.")
  var modem: String?

  @OptionGroup var common: CommonOptions

  nonisolated(nonsending) func run(in session: Session) async throws -> ExitStatus {
    let reply = try await session.call(BearerInterface.Get.self, .init(modem: modem), within: .answer)
    let usage = common.json ? nil : await session.usage(of: reply.bearer.modem)
    try session.show(reply) { Details(groups: [BearerText.details(reply.bearer, usage: usage)]).render(session.paint) }
    return .done
  }
}

extension Session {
  /// What went over a modem's bearer; nil if this user may not see it, or the service is an older
  /// one.
  nonisolated(nonsending) func usage(of modem: String) async -> UsageInterface.Get.Reply? {
    try? await call(UsageInterface.Get.self, .init(modem: modem), within: .answer)
  }
}
