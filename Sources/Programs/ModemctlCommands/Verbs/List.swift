import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl list`
struct List: Verb {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "Modems, their SIMs and networks.")

  @OptionGroup var common: CommonOptions

  nonisolated(nonsending) func run(in session: Session) async throws -> ExitStatus {
    var reply = try await session.call(ModemInterface.List.self, .init(), within: .answer)
    if !common.reveal { reply.modems = reply.modems.map { $0.masked() } }
    if reply.modems.isEmpty, !common.json {
      throw ModemctlError(.noModem, "there is no modem; plug one in, and look at `systemctl status 'modemd-port@*'`")
    }
    try session.show(reply) { ModemText.table(reply.modems, session.paint) }
    return .done
  }
}
