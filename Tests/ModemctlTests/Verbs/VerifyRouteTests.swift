import ModemAPI
import ModemModel
import Testing

@testable import ModemctlCommands
@testable import ModemctlCore

@Suite("modemctl verify --route", .timeLimit(.minutes(1)))
struct VerifyRouteTests {
  private static let number = "+447700900123"

  /// In a country without a network that takes the SIM.
  private static var unregistered: ModemState {
    var modem = ModemState.sample()
    modem.registration = Registration(state: .denied, cause: .registration(13))
    modem.bearer = BearerStatus(since: Timestamp(milliseconds: 0))
    return modem
  }

  private static func isDown(_ service: MemoryService) -> Bool {
    service.registry.modems.allSatisfy { $0.bearer.state.installed == nil }
  }

  private static func verify(_ words: [String], _ service: MemoryService) async -> Run {
    let recorder = RecordingConsole()
    let status = await Modemctl.run(
      ["verify"] + words, on: recorder.console(secret: nil, variables: ["MODEMD_SOCKET": service.path]))
    return Run(status: Ending(rawValue: status), output: recorder.output, messages: recorder.messages)
  }

  @Test("network: the SIM answers, and the bearer stays down, also where the modem is in no network")
  func network() async throws {
    for modem in [ModemState.sample(), Self.unregistered] {
      var modem = modem
      modem.bearer = BearerStatus(since: Timestamp(milliseconds: 0))
      try await MemoryService.run(modems: [modem], authentication: ExampleProvider.byBothRoutes) { service in
        let run = await service.modemctl("verify", Self.number, "--route", "network")
        #expect(run.status == .done && run.output.contains("by by-sim"), "\(run.output) \(run.messages)")
        #expect(run.output.contains("the SIM's answer over the network"), "\(run.output)")
        #expect(Self.isDown(service))
      }
    }
  }

  @Test("bearer, and any with a bearer: the provider over the bearer answers, and its way is told")
  func bearer() async throws {
    try await MemoryService.run(authentication: ExampleProvider.byBothRoutes) { service in
      for words in [["--route", "bearer"], ["--route", "any"], []] {
        let run = await Self.verify([Self.number] + words, service)
        #expect(run.status == .done && run.output.contains("by over-bearer"), "\(words) \(run.output)")
        #expect(run.output.contains("proved by") && run.output.contains("the bearer"), "\(run.output)")
      }
      let json = await service.modemctl("verify", Self.number, "--json")
      #expect(json.output.contains(#""proof":"bearer""#), "\(json.output)")
    }
  }

  @Test("any without a network: the SIM is asked, and no bearer; a no is proved as well")
  func any() async throws {
    try await MemoryService.run(modems: [Self.unregistered], authentication: ExampleProvider.byBothRoutes) { service in
      let yes = await service.modemctl("verify", Self.number, "--json")
      #expect(yes.status == .done && yes.output.contains(#""proof":"sim""#), "\(yes.output)")
      #expect(yes.output.contains(#""provider":"by-sim""#) && !yes.output.contains(#""name":"bearer""#))
      let no = await service.modemctl("verify", "+447700900124")
      #expect(no.status == .refuted && no.output.contains("the SIM's answer over the network"), "\(no.output)")
      #expect(Self.isDown(service))
    }
  }

  @Test("Where no provider fits the route, what each needs is told, and nothing is asked")
  func nobody() async throws {
    try await MemoryService.run(authentication: ExampleProvider.overBearer) { service in
      let run = await service.modemctl("verify", Self.number, "--route", "network")
      #expect(run.status == .misconfigured, "\(run.messages)")
      #expect(run.messages.contains("example (example) needs the SIM's bearer"), "\(run.messages)")
      let named = await service.modemctl("verify", Self.number, "--route", "network", "--provider", "example")
      #expect(named.status == .misconfigured)
    }
  }

  @Test("A route that there is not is a mistake in the call")
  func unknown() async throws {
    #expect(throws: (any Error).self) { try Modemctl.parseAsRoot(["verify", Self.number, "--route", "air"]) }
    let verify = try #require(Modemctl.parseAsRoot(["verify", Self.number]) as? Verify)
    #expect(verify.parameters().route == nil)
  }
}
