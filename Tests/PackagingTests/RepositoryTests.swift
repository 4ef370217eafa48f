import Testing

@Suite("The repository's front door", .timeLimit(.minutes(1)))
struct RepositoryTests {
  @Test("the README names both commands on its first screen", arguments: ["make demo", "make test"])
  func readme(_ command: String) throws {
    let text = try #require(File.read("\(Tool.repository)/README.md"))
    let screen = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(30).joined(separator: "\n")
    #expect(screen.contains(command))
  }

  @Test("make without a target lists the targets", .enabled(if: Tool.exists("make"), "make is not installed"))
  func help() async throws {
    let result = try await Tool.run("make", ["--no-print-directory"])
    for target in ["build", "demo", "test", "test-fast", "check", "bench", "install"] {
      #expect(result.output.contains("make \(target) "))
    }
  }

  @Test("the run of continuous integration is `make test`")
  func continuousIntegration() throws {
    #expect(File.isExecutable("\(Tool.repository)/.ci/run"))
    #expect(File.read("\(Tool.repository)/.ci/run")?.contains("make test") == true)
  }

  @Test(
    "shell scripts can be read by the shell",
    arguments: [
      "scripts/install-dependencies", "scripts/check-units", "scripts/next-libraries", "scripts/run-tests",
      "scripts/run-part", "scripts/run-parts",
      "Tests/Kernel/build-guest", "Tests/Kernel/build-modules", "Tests/Kernel/run",
      "Benchmarks/run", "Benchmarks/in-world", "Benchmarks/in-chain", "Benchmarks/curl-chain",
      "Benchmarks/in-warm", "Benchmarks/in-many",
    ])
  func scripts(_ path: String) async throws {
    #expect(File.isExecutable("\(Tool.repository)/\(path)"))
    let result = try await Tool.run("sh", ["-n", path])
    #expect(result.status == 0, "\(result.error)")
  }

  @Test(
    "links between the documents lead somewhere",
    arguments: [
      "README.md", "CONTRIBUTING.md", "Docs/architecture.md", "Docs/operations.md", "Docs/security.md",
      "Docs/testing.md",
    ])
  func links(_ document: String) throws {
    let text = try #require(File.read("\(Tool.repository)/\(document)"))
    let folder = document.split(separator: "/").dropLast().map { $0 + "/" }.joined()
    for match in text.matches(of: #/\]\((?<target>[^)#:]+)(#[^)]*)?\)/#) {
      let target = "\(Tool.repository)/\(folder)\(match.output.target)"
      #expect(File.read(target) != nil || File.isExecutable(target), "\(document) links to \(match.output.target)")
    }
  }

  @Test("the version is typed in one place: every program has it, and the package begins with it")
  func version() async throws {
    let source = try #require(File.read("\(Tool.repository)/Sources/Base/ModemModel/Product.swift"))
    let version = try #require(source.firstMatch(of: #/version = "(?<version>[0-9]+\.[0-9]+\.[0-9]+)"/#)).output.version
    for program in ["modemd", "modemd-port", "modemctl", "modem-simulator"] {
      let result = try await Tool.run("\(Tool.binaries)/\(program)", ["--version"])
      #expect(result.output == "\(version)\n", "\(program)")
    }
    let changes = try #require(File.read("\(Tool.repository)/debian/changelog"))
    #expect(changes.hasPrefix("modemd (\(version)"))
    let others = try await Tool.run(
      "grep", ["-rlF", "--include=*.swift", "\"\(version)\"", "\(Tool.repository)/Sources"])
    #expect(others.output.split(separator: "\n").map { $0.split(separator: "/").last } == ["Product.swift"])
  }
}
