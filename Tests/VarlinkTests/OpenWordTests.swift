import FoundationEssentials
import Testing
import Varlink

@Suite("Words of replies")
struct OpenWordTests {
  private typealias Tone = TestInterface.Tone

  @Test("A declared word is its case, any other is kept")
  func words() throws {
    #expect(Tone(word: "loud") == .loud && Tone(word: "shrill") == .other("shrill"))
    guard case .loud = Tone(word: "loud") else {
      Issue.record("a declared word is no other")
      return
    }
    #expect(Tone.loud.isKnown && !Tone.other("shrill").isKnown)
    let bytes = Data(#"["quiet","shrill"]"#.utf8)
    let read = try JSONDecoder().decode([Tone].self, from: bytes)
    #expect(read == [.quiet, .other("shrill")])
    #expect(try JSONEncoder().encode(read) == bytes)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([Tone].self, from: Data("[1]".utf8)) }
  }

  @Test("A word is its text, whichever way it was made")
  func equality() {
    #expect(Tone.other("loud") == .loud && Set([Tone.other("loud"), .loud]).count == 1)
    #expect(Tone.other("loud").isKnown && Tone.loud != .quiet)
    enum Model: String { case quiet, still }
    #expect(Tone(word: Model.quiet) == .quiet && Tone(word: Model.still) == .other("still"))
  }

  @Test(
    "In a call's parameters a word that is not declared is refused by the parameter's name", .timeLimit(.minutes(1)))
  func parameters() async throws {
    try await TestService.run { service in
      let client = try await VarlinkClient.connect(to: service.path)
      #expect(try await client.call(TestInterface.Echo.self, .init(text: "a", tone: .quiet)).tone == .quiet)
      let error = await #expect(throws: VarlinkError.self) {
        try await client.call(TestInterface.Echo.self, .init(text: "a", tone: .other("shrill")))
      }
      #expect(error?.name == "org.varlink.service.InvalidParameter" && error?.field("parameter") == "tone")
    }
  }
}
