import AuthCore
import AuthFlows
import ModemModel
import ModemService
import Testing
import TruIDFlows
@_spi(Exchange) import Web

@testable import ModemctlCommands
@testable import ModemctlCore

@Suite("Questions about a number need no modem", .timeLimit(.minutes(1)))
struct NumberQuestionTests {
  private static let number = "+447700900123"

  private static func truID() throws -> TruIDSettings {
    var settings = TruIDSettings()
    settings.backend = TruIDBackend(try Endpoint("https://app.example"))
    return settings
  }

  private static let send: AuthenticationService.HostSend = { _, _ in
    .success(BackendReply(status: 200, body: Array(#"{"no_sim_change":true}"#.utf8)))
  }

  @Test(
    "With none and with several, a number is asked about; a question about the SIM needs one", arguments: [0, 1, 2])
  func modems(count: Int) async throws {
    var providers = ProviderSet()
    // It is for one network, which says nothing about another SIM's number.
    providers.add(NamedProvider(name: "truid", networks: count == 1 ? nil : ["234"], settings: try Self.truID()))
    try await MemoryService.run(
      modems: (0..<count).map { .sample("modem-\($0)") }, authentication: (providers, Self.send)
    ) { service in
      for run in [
        await service.modemctl("sim-swap", "check", Self.number),
        await service.modemctl("truid", "sim-check", Self.number),
        await service.modemctl("sim-swap", "check", Self.number, "--provider", "truid"),
      ] {
        #expect(run.status == .done && run.output.contains("simUnchanged by truid"), "\(run.messages)")
      }
      guard count != 1 else { return }
      for run in [
        await service.modemctl("sim-swap", "check"), await service.modemctl("truid", "phone-check", Self.number),
        await service.modemctl("sim-swap", "check", Self.number, "--modem", "modem-9"),
      ] { #expect(run.status == .noModem, "\(run.messages)") }
    }
  }

  @Test("Without a SIM, several providers that could tell are named")
  func several() async throws {
    var providers = ProviderSet()
    for name in ["one", "two"] {
      providers.add(NamedProvider(name: name, networks: ["234"], settings: try Self.truID()))
    }
    try await MemoryService.run(modems: [], authentication: (providers, Self.send)) { service in
      let run = await service.modemctl("sim-swap", "check", Self.number)
      #expect(run.status == .usage && run.messages.contains("one, two"), "\(run.messages)")
      #expect(await service.modemctl("sim-swap", "check", Self.number, "--provider", "two").status == .done)
    }
  }
}
