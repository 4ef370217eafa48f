import Glibc
import Testing

/// The cases themselves, whatever client plays them.
@Suite("Conformance cases", .timeLimit(.minutes(1)))
struct ConformanceCasesTests {
  /// The words of a text, one blank between each two.
  private static func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test("Each says its rule in a sentence of Docs/clients.md, with its name behind it")
  func sentences() async throws {
    let listed = try await ClientTool.run("clients/conformance/run", ["--list"])
    #expect(listed.status == 0, "\(listed.text)")
    let page = Self.words(try #require(ClientTool.contents(of: "\(ClientTool.repository)/Docs/clients.md")))
    let cases = listed.output.split(separator: "\n")
    #expect(cases.count >= 40)
    for line in cases {
      let parts = line.split(separator: ":", maxSplits: 1)
      let (name, says) = (parts[0], Self.words(String(parts[1])))
      #expect(page.contains("- \(says) (`\(name)`)"), "Docs/clients.md lacks: \(line)")
    }
  }

  @Test("The page names no case that there is not")
  func names() async throws {
    let listed = try await ClientTool.run("clients/conformance/run", ["--list"])
    let known = Set(listed.output.split(separator: "\n").map { $0.prefix { $0 != ":" } })
    let page = try #require(ClientTool.contents(of: "\(ClientTool.repository)/Docs/clients.md"))
    for match in page.matches(of: #/\(`(?<name>[a-z0-9-]+)`\)/#) {
      #expect(known.contains(match.output.name), "\(match.output.name)")
    }
  }

  /// A client that does nothing right fails each case, so that no case passes by itself.
  @Test("A driver that answers nothing passes no case")
  func deaf() async throws {
    let result = try await ClientTool.run("clients/conformance/run", ["--without-worlds", "cat", "/dev/null"])
    #expect(result.status == 1)
    #expect(!result.output.contains("\nok ") && !result.output.hasPrefix("ok "), "\(result.output)")
  }

  @Test("A case that is unknown and a call without a driver are errors", arguments: [["--case", "none", "true"], []])
  func wrong(arguments: [String]) async throws {
    #expect(try await ClientTool.run("clients/conformance/run", arguments).status == 2)
  }
}
