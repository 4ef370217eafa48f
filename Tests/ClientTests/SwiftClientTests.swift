import ModemAPIClient
import Testing

/// `ModemAPIClient`: what every client must do, and what its outcomes are.
@Suite("Swift client", .timeLimit(.minutes(8)))
struct SwiftClientTests {
  @Test("It passes every conformance case")
  func conformance() async throws {
    let result = try await ClientTool.conformance(["\(ClientTool.binaries)/conformance-driver"])
    #expect(result.status == 0, "\(result.text)")
  }

  @Test("An outcome is a value; unwrap throws it unless it is what the call hoped for")
  func outcomes() throws {
    func outcome(_ result: VerifyInterface.Outcome.Result) -> VerifyInterface.Outcome {
      .init(result: result, text: "so it is", milliseconds: 1)
    }
    #expect(try outcome(.verified).unwrap().result == .verified)
    for result: VerifyInterface.Outcome.Result in [.notVerified, .simSwapped, .other("verifiedTwice")] {
      let error = #expect(throws: OutcomeError<VerifyInterface.Outcome>.self) { try outcome(result).unwrap() }
      #expect(error?.outcome.result == result && error?.description == "\(result.rawValue): so it is")
    }
    let chain = CheckInterface.Outcome(result: .answer, milliseconds: 1)
    #expect(try chain.unwrap().result == .answer)
    #expect(throws: OutcomeError<CheckInterface.Outcome>.self) {
      try CheckInterface.Outcome(result: .failed, milliseconds: 1).unwrap()
    }
  }
}
