import ArgumentParser
import ModemAPI
import ModemctlCore
import Varlink

/// `modemctl sim`
struct SIM: Verb {
  static let configuration = CommandConfiguration(
    commandName: "sim", abstract: "The SIM in full: its lock, numbers and network, and the modem's slots.")

  @Argument(help: "The modem's id, device or interface; needed if there are several modems.")
  var modem: String?

  @OptionGroup var common: CommonOptions

  /// The document that `--json` gives.
  struct Document: Codable, Hashable {
    /// Id of the modem.
    var modem: String
    var sim: ModemInterface.SIM
    /// Null if the modem does not report its slots.
    var slots: [ModemInterface.Slot]?
    /// Whether `switch-slot` can change to another one.
    var switchable: Bool
  }

  nonisolated(nonsending) func run(in session: Session) async throws -> ExitStatus {
    var modem = try await session.call(ModemInterface.Get.self, .init(modem: modem), within: .answer).modem
    var slots = try await slots(of: modem.id, session)
    if !common.reveal {
      modem = modem.masked()
      let masked = slots?.slots.map { $0.masked() }
      slots?.slots = masked ?? []
    }
    let document = Document(
      modem: modem.id, sim: modem.sim, slots: slots?.slots, switchable: slots?.switchable ?? false)
    try session.show(document) {
      Details(groups: [SIMText.details(modem)]).render(session.paint)
        + (slots.map { "\n" + SIMText.table($0.slots, session.paint) } ?? "")
    }
    return .done
  }

  /// Nil if the modem does not report them.
  private nonisolated(nonsending) func slots(of modem: String, _ session: Session) async throws -> ModemInterface.Slots
    .Reply?
  {
    do {
      return try await session.call(ModemInterface.Slots.self, .init(modem: modem), within: .network)
    } catch let error as VarlinkError where error.parameters(as: ModemInterface.SlotsNotSupported.self) != nil {
      return nil
    } catch let error as VarlinkError where error.parameters(as: ModemInterface.PortUnavailable.self) != nil {
      // modemd's knowledge of the SIM is worth showing even without the port.
      return nil
    } catch let error as VarlinkError where error.parameters(as: ModemInterface.ModemFailed.self) != nil {
      return nil
    }
  }
}
