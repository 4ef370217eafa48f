import Testing

/// The client for Python: its types, its own tests, and what every client must do.
@Suite("Python client", .timeLimit(.minutes(8)))
struct PythonClientTests {
  private static let folder = "\(ClientTool.repository)/clients/python"
  // Debian's, for which Debian's mypy and the package are.
  private static let python = "/usr/bin/python3"

  @Test("This machine's Python is one that the client is for")
  func version() async throws {
    let check = "import sys; sys.exit(sys.version_info < (3, 11))"
    let result = try await ClientTool.run(Self.python, ["-c", check])
    #expect(result.status == 0, "Python 3.11 or later is needed")
  }

  @Test("mypy --strict has nothing to say about the client, its tests and the examples")
  func types() async throws {
    let result = try await ClientTool.run(
      "mypy",
      [
        "--strict", "--python-executable", Self.python, "--cache-dir", "/dev/null", "\(Self.folder)/src/modemd",
        "\(Self.folder)/tests", "Examples/python/verify_number.py",
      ], environment: ["MYPYPATH": "\(Self.folder)/src"])
    #expect(result.status == 0, "\(result.text)")
  }

  @Test("The first tutorial's program is the example, and has less than 30 lines")
  func tutorial() async throws {
    let page = try #require(
      ClientTool.contents(of: "\(ClientTool.repository)/Docs/tutorials/sim-card-authentication.md"))
    let program = try #require(ClientTool.contents(of: "\(ClientTool.repository)/Examples/python/verify.py"))
    #expect(page.contains("```python\n\(program)```"), "Examples/python/verify.py is not what the page shows")
    #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count < 30)
    let types = try await ClientTool.run(
      "mypy",
      ["--strict", "--python-executable", Self.python, "--cache-dir", "/dev/null", "Examples/python/verify.py"],
      environment: ["MYPYPATH": "\(Self.folder)/src"])
    #expect(types.status == 0, "\(types.text)")
  }

  @Test("Its own tests pass, without a warning")
  func ownTests() async throws {
    let result = try await ClientTool.run(
      Self.python,
      ["-W", "error", "-B", "-m", "unittest", "discover", "-s", "\(Self.folder)/tests", "-t", Self.folder])
    #expect(result.status == 0, "\(result.text)")
    #expect(result.error.contains("\nOK"), "\(result.error)")
  }

  @Test("It passes every conformance case, waiting and awaited", arguments: ["sync", "async"])
  func conformance(mode: String) async throws {
    let driver = [Self.python, "-B", "\(Self.folder)/tests/conformance_driver.py"]
    let result = try await ClientTool.conformance(["--mode", mode] + driver)
    #expect(result.status == 0, "\(result.text)")
  }

  @Test("modemd knows each of its methods and parameters, and answers in its types", arguments: ["sync", "async"])
  func everyMethod(mode: String) async throws {
    let result = try await ClientTool.run(
      "\(ClientTool.binaries)/modem-simulator",
      ["up", "Scenarios/demo", "--", Self.python, "-B", "\(Self.folder)/tests/every_method.py", mode])
    #expect(result.status == 0, "\(result.text)")
    let lines = result.output.split(separator: "\n")
    for answered in [
      "verify.number: NumberResult", "modem.list: ListReply", "truid.subscriber_check: SubscriberCheckResult",
    ] {
      #expect(lines.contains { $0 == answered }, "\(result.output)")
    }
  }

  @Test("Its generated modules are what the interfaces say")
  func generated() async throws {
    try await ClientTool.inFolder { scratch in
      let made = try await ClientTool.run("scripts/generate", ["\(ClientTool.binaries)/varlink-generate", scratch])
      #expect(made.status == 0, "\(made.text)")
      let files = try await ClientTool.run("find", ["\(scratch)/clients", "-type", "f"])
      let paths = files.output.split(separator: "\n").map { $0.dropFirst(scratch.count + 1) }
      #expect(paths.count > 30)
      for path in paths {
        #expect(
          ClientTool.contents(of: "\(scratch)/\(path)") == ClientTool.contents(of: "\(ClientTool.repository)/\(path)"),
          "\(path): run make generate")
      }
    }
  }

  @Test("pip installs it without a network, and what is installed has types and the programs' version")
  func installation() async throws {
    try await ClientTool.inFolder { scratch in
      let made = try await ClientTool.run(Self.python, ["-m", "venv", "\(scratch)/venv"])
      #expect(made.status == 0, "\(made.text)")
      let pip = ["-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", Self.folder]
      let installed = try await ClientTool.run("\(scratch)/venv/bin/python3", pip)
      #expect(installed.status == 0, "\(installed.text)")
      let program = """
        import importlib.metadata, importlib.resources, modemd
        print(importlib.resources.files("modemd").joinpath("py.typed").is_file())
        print(importlib.metadata.version("modemd"), modemd.__file__.startswith("\(scratch)"))
        """
      let result = try await ClientTool.run("\(scratch)/venv/bin/python3", ["-I", "-c", program])
      let version = try await ClientTool.run("\(ClientTool.binaries)/modemctl", ["--version"])
      let number = version.output.split(whereSeparator: \.isWhitespace).last ?? ""
      #expect(result.output == "True\n\(number) True\n", "\(result.text)")
    }
  }

  @Test("The wheel and the source archive are the same bytes each time")
  func archives() async throws {
    try await ClientTool.inFolder { scratch in
      for name in ["one", "two"] {
        let made = try await ClientTool.run(
          Self.python, ["-B", "\(Self.folder)/build_backend/wheel.py", "\(scratch)/\(name)"])
        #expect(made.status == 0, "\(made.text)")
      }
      #expect(try await ClientTool.run("diff", ["-r", "\(scratch)/one", "\(scratch)/two"]).status == 0)
    }
  }
}
