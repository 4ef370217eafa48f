import Testing

/// The office's example, Examples/fleet-worker: against a real mosquitto with the example's own
/// configuration, several workers, and machines that a small program plays.
@Suite("A fleet's worker", .timeLimit(.minutes(8)))
struct FleetWorkerTests {
  private static let folder = "\(ClientTool.repository)/Examples/fleet-worker"
  // Debian's, with paho-mqtt 1.6.
  private static let python = "/usr/bin/python3"
  private static let pythonWithNewLibrary = "\(ClientTool.repository)/.build/venv-paho/bin/python3"

  private static func hasNewLibrary() async -> Bool {
    let script = #"test -x "$0" && "$0" -c 'import paho.mqtt.enums'"#
    let result = try? await ClientTool.run("sh", ["-c", script, pythonWithNewLibrary])
    return result?.status == 0
  }

  private static func tests(_ python: String) async throws -> ClientTool.Result {
    try await ClientTool.run(
      python, ["-W", "error", "-B", "-m", "unittest", "discover", "-s", "\(folder)/tests", "-t", "\(folder)/tests"])
  }

  @Test("mypy --strict has nothing to say about it")
  func types() async throws {
    let result = try await ClientTool.run(
      "mypy",
      [
        "--strict", "--ignore-missing-imports", "--python-executable", Self.python, "--cache-dir", "/dev/null",
        "\(Self.folder)/fleet_worker.py", "\(Self.folder)/fleet_ask.py",
      ], environment: ["MYPYPATH": Self.folder])
    #expect(result.status == 0, "\(result.text)")
  }

  @Test("Its tests pass with Debian's paho-mqtt 1.6")
  func debian() async throws {
    let result = try await Self.tests(Self.python)
    #expect(result.status == 0 && result.error.contains("\nOK"), "\(result.text)")
  }

  @Test(
    "Its tests pass with paho-mqtt 2",
    .enabled("needs the Python package paho-mqtt 2 in .build/venv-paho: scripts/install-dependencies test") {
      await FleetWorkerTests.hasNewLibrary()
    })
  func newLibrary() async throws {
    let result = try await Self.tests(Self.pythonWithNewLibrary)
    #expect(result.status == 0 && result.error.contains("\nOK"), "\(result.text)")
  }

  @Test("The page shows the broker's files as they are")
  func page() throws {
    let page = try #require(ClientTool.contents(of: "\(Self.folder)/README.md"))
    for name in ["modemd.conf", "machines.acl", "office.acl"] {
      #expect(page.contains("](broker/\(name))"), "\(name)")
    }
  }
}
