import ModemService
import OneImport
@_spi(Exchange) import RedirectChain
import Testing

@Suite("A program with one import", .timeLimit(.minutes(1)))
struct OneImportTests {
  private static let chain: CheckService.ChainRunner = { _, _, _ in
    .answer(ChainAnswer(status: 200, contentType: "application/json", body: Array(#"{"match":true}"#.utf8)))
  }

  @Test("It calls the interfaces of the device, and reads replies, errors and JSON")
  func calls() async throws {
    try await MemoryService.run(chain: Self.chain) { service in
      let program = try await OneImport(path: service.path)
      #expect(try await program.modems() == ["modem-0011aabb ready down"])
      #expect(try await program.refusal(of: "none") == "none")
      #expect(try await program.refusal(of: "modem-0011aabb") == nil)
      #expect(try await program.answer(of: "https://check.example/start")?["match"] == .bool(true))
    }
  }
}
