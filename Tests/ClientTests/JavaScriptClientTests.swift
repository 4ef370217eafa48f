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

  @Test("It passes every conformance case but those that receive a descriptor, which Node cannot")
  func conformance() async throws {
    let result = try await ClientTool.conformance([
      "--without-descriptors", "node", "\(Self.folder)/test/conformance-driver.js",
    ])
    #expect(result.status == 0, "\(result.text)")
  }

  @Test("The first tutorial's program is the example, has less than 30 lines, and fits the declarations")
  func tutorial() async throws {
    let page = try #require(
      ClientTool.contents(of: "\(ClientTool.repository)/Docs/tutorials/sim-card-authentication.md"))
    let program = try #require(ClientTool.contents(of: "\(ClientTool.repository)/Examples/javascript/verify.mjs"))
    #expect(page.contains("```js\n\(program)```"), "Examples/javascript/verify.mjs is not what the page shows")
    #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count < 30)
    try await ClientTool.inFolder { scratch in
      let options = "--strict --allowJs --checkJs --noEmit --module node16 --moduleResolution node16 --target es2022"
      let check = """
        mkdir "$0/node_modules" && ln -s "$1" "$0/node_modules/modemd" && cp Examples/javascript/*.mjs "$0"
        exec tsc \(options) --lib es2022 "$0"/*.mjs "$1/test/node.d.ts"
        """
      let result = try await ClientTool.run("sh", ["-euc", check, scratch, Self.folder])
      #expect(result.status == 0, "\(result.text)")
    }
  }

  @Test("The archive of `make clients` is the same bytes each time, and a program that unpacks it has the client")
  func archive() async throws {
    try await ClientTool.inFolder { scratch in
      let script = """
        for each in one two; do make -s clients CLIENTS="$0/$each"; done
        diff -r "$0/one" "$0/two"
        mkdir "$0/node_modules" && tar -xzf "$0"/one/modemd-*.tgz -C "$0/node_modules"
        mv "$0/node_modules/package" "$0/node_modules/modemd" && cd "$0"
        echo "import { Verify } from 'modemd'; console.log(Verify.NoProvider.name);" >program.mjs
        node program.mjs
        find node_modules/modemd -name '*.test.js' -o -name '*.d.ts' | sort
        """
      let result = try await ClientTool.run("sh", ["-euc", script, scratch])
      let files = ["generated/interfaces.d.ts", "index.d.ts"].map { "node_modules/modemd/\($0)\n" }.joined()
      #expect(result.status == 0 && result.output.hasSuffix("NoProvider\n\(files)"), "\(result.text)")
    }
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
