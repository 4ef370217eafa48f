import ArgumentParser
import ModemAPI
import ModemctlCore
import Varlink

/// `modemctl status`
struct Status: Verb {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "The service on one screen; or one modem in full: itself, its SIM, network and bearer.")

  @Argument(help: "The modem's id, device or interface; without it, the service and every modem in short.")
  var modem: String?

  @OptionGroup var common: CommonOptions

  /// A modem with its bearer, as in `--json`.
  struct Document: Codable, Hashable {
    var modem: ModemInterface.Modem
    var bearer: BearerInterface.Bearer
  }

  /// The service in `--json`.
  struct Overview: Codable, Hashable {
    struct Service: Codable, Hashable {
      var product: String
      var version: String
      var socket: String
    }
    var service: Service
    var modems: [Document]
    /// Null if this user may not see them, or the service is an older one.
    var providers: VerifyInterface.Providers.Reply?
  }

  nonisolated(nonsending) func run(in session: Session) async throws -> ExitStatus {
    guard let modem else { return try await overview(in: session) }
    let found = try await session.call(ModemInterface.Get.self, .init(modem: modem), within: .answer).modem
    let document = try await document(found, in: session)
    let usage = common.json ? nil : await session.usage(of: found.id)
    try session.show(document) {
      Details(groups: ModemText.details(document.modem) + [BearerText.details(document.bearer, usage: usage)])
        .render(session.paint)
    }
    return .done
  }

  private nonisolated(nonsending) func overview(in session: Session) async throws -> ExitStatus {
    let information = try await session.call(GetInfo.self, .init(), within: .answer)
    let modems = try await session.call(ModemInterface.List.self, .init(), within: .answer).modems
    var documents: [Document] = []
    for modem in modems {
      do {
        documents.append(try await document(modem, in: session))
      } catch let error as VarlinkError where error.parameters(as: ModemInterface.NoSuchModem.self) != nil {
        // It was unplugged meanwhile.
      }
    }
    let overview = Overview(
      service: .init(product: information.product, version: information.version, socket: session.socket),
      modems: documents,
      providers: try? await session.call(VerifyInterface.Providers.self, .init(), within: .answer))
    var usage: [String: UsageInterface.Get.Reply] = [:]
    if !common.json { for modem in modems { usage[modem.id] = await session.usage(of: modem.id) } }
    try session.show(overview) { [usage] in OverviewText.details(overview, usage).render(session.paint) }
    if documents.isEmpty, !common.json {
      throw ModemctlError(.noModem, "there is no modem; plug one in, and look at `systemctl status 'modemd-port@*'`")
    }
    return .done
  }

  private nonisolated(nonsending) func document(_ modem: ModemInterface.Modem, in session: Session) async throws
    -> Document
  {
    let bearer = try await session.call(BearerInterface.Get.self, .init(modem: modem.id), within: .answer).bearer
    return Document(modem: common.reveal ? modem : modem.masked(), bearer: bearer)
  }
}
