import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl sms delete`
struct SMSDelete: Verb {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete messages with all their parts, from the modem's store too.")

  @Argument(help: "The messages' ids, as `modemctl sms list` shows them.")
  var ids: [String]

  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  /// The document that `--json` gives.
  struct Document: Codable, Hashable {
    var deleted: [String]
  }

  func run(in session: Session) async throws -> ExitStatus {
    for id in ids {
      _ = try await session.callMessages(
        MessagesInterface.Delete.self, .init(modem: choice.modem, id: id), within: .network)
    }
    try session.show(Document(deleted: ids)) { ids.map { "\($0) deleted\n" }.joined() }
    return .done
  }
}
