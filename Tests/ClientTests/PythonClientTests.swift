import Testing

/// The client for Python: its types, its own tests, and what every client must do.
@Suite("Python client", .timeLimit(.minutes(4)))
struct PythonClientTests {
  @Test("This machine's Python is one that the client is for")
  func version() async throws {
    let check = "import sys; sys.exit(sys.version_info < (3, 11))"
    let result = try await ClientTool.run("python3", ["-c", check])
    #expect(result.status == 0, "Python 3.11 or later is needed")
  }
}
