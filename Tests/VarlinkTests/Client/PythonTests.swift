import Subprocess
import Testing
import Varlink

@Suite("Another implementation: the Python package varlink", .timeLimit(.minutes(1)))
struct PythonTests {
  private static let python = "\(repository)/.build/venv/bin/python3"

  private static var repository: String {
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
  }

  private static func hasPackage() async -> Bool {
    let result = try? await run(
      .path(.init(python)), arguments: ["-c", "import varlink"], output: .discarded, error: .discarded)
    return result?.terminationStatus == .exited(0)
  }

  @Test(
    "It lists the interfaces, reads their descriptions, calls, streams and understands errors",
    .enabled("needs the Python package varlink in .build/venv: scripts/install-dependencies test") {
      await PythonTests.hasPackage()
    })
  func python() async throws {
    try await TestService.run { service in
      let script = """
        import sys, varlink
        with varlink.Client("unix:" + sys.argv[1]) as client:
            print(",".join(client.get_interfaces()))
            with client.open("org.example.Test") as test:
                print(test.Echo("hello")["text"])
                print([reply["number"] for reply in test.Count(3, _more=True)])
                try:
                    test.Fail("declared")
                except varlink.VarlinkError as error:
                    print(error.error(), error.parameters()["why"])
            try:
                client.open("org.example.Other")
            except varlink.VarlinkError as error:
                print(error.error(), error.parameters()["interface"])
        """
      let result = try await run(
        .path(.init(Self.python)), arguments: ["-c", script, service.path], output: .string(limit: 65_536),
        error: .string(limit: 65_536))
      #expect(result.standardError == "")
      #expect(
        result.standardOutput == """
          org.varlink.service,org.example.Test
          hello
          [1, 2, 3]
          org.example.Test.Declared asked for
          org.varlink.service.InterfaceNotFound org.example.Other

          """)
    }
  }
}
