import Testing

/// The client for JavaScript and TypeScript: its types, its own tests, and what every client must
/// do.
@Suite("JavaScript client", .timeLimit(.minutes(8)))
struct JavaScriptClientTests {
  private static let folder = "\(ClientTool.repository)/clients/javascript"

  @Test("This machine's Node is one that the client is for")
  func version() async throws {
    let check = "process.exit(Number(process.versions.node.split('.')[0]) < 18 ? 1 : 0)"
    let result = try await ClientTool.run("node", ["-e", check])
    #expect(result.status == 0, "Node 18 or later is needed")
  }

  @Test("The compiler has nothing to say about the client, its declarations and its tests")
  func types() async throws {
    let result = try await ClientTool.run("tsc", ["--project", Self.folder])
    #expect(result.status == 0, "\(result.text)")
  }

  @Test("A mistake against the declarations is one for the compiler")
  func mistakes() async throws {
    try await ClientTool.inFolder { scratch in
      let program = """
        import { connect } from '\(Self.folder)/index.js';
        const { modems } = await (await connect()).modem.list();
        console.log(modems[0].nmae);
        """
      let written = try await ClientTool.run("sh", ["-c", "printf %s \"$0\" >\(scratch)/mistake.mts", program])
      #expect(written.status == 0)
      let result = try await ClientTool.run(
        "tsc",
        [
          "--strict", "--noEmit", "--module", "node16", "--moduleResolution", "node16", "--target", "es2022",
          "\(scratch)/mistake.mts",
        ])
      #expect(result.status != 0 && result.text.contains("nmae"), "\(result.text)")
    }
  }

  @Test("Its own tests pass")
  func ownTests() async throws {
    let result = try await ClientTool.run("sh", ["-c", "exec node --test \(Self.folder)/test/*.test.js </dev/null"])
    #expect(result.status == 0, "\(result.text)")
    #expect(result.output.contains("# fail 0") && !result.output.contains("# pass 0\n"), "\(result.text)")
  }

  @Test("It passes every conformance case")
  func conformance() async throws {
    let result = try await ClientTool.conformance(["node", "\(Self.folder)/test/conformance-driver.js"])
    #expect(result.status == 0, "\(result.text)")
  }

  @Test("It has the version of the programs, and needs no package")
  func package() async throws {
    let program = """
      const text = require('node:fs').readFileSync('\(Self.folder)/package.json', 'utf8');
      const { version, dependencies, type } = JSON.parse(text);
      console.log(version, dependencies === undefined, type);
      """
    let result = try await ClientTool.run("node", ["-e", program])
    let version = try await ClientTool.run("\(ClientTool.binaries)/modemctl", ["--version"])
    let number = version.output.split(whereSeparator: \.isWhitespace).last ?? ""
    #expect(result.output == "\(number) true module\n", "\(result.text)")
  }
}
