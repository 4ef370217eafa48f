@_spi(Exchange) import RedirectChain
import Subprocess
import Testing

@Suite("Another client: the Python package varlink", .timeLimit(.minutes(1)))
struct PythonTests {
  private static let python =
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/.build/venv/bin/python3"

  private static func hasPackage() async -> Bool {
    let result = try? await run(
      .path(.init(python)), arguments: ["-c", "import varlink"], output: .discarded, error: .discarded)
    return result?.terminationStatus == .exited(0)
  }

  @Test(
    "It lists the interfaces, introspects them, calls List and Connect, streams Check.Open, and reads errors",
    .enabled("needs the Python package varlink in .build/venv: scripts/install-dependencies test") {
      await PythonTests.hasPackage()
    })
  func python() async throws {
    let chain: @Sendable (ChainRequest, @Sendable (ChainHop) -> Void) -> ChainResult = { request, onHop in
      onHop(ChainHop(.init(index: 1, url: request.url, headers: [], cookieNames: [])))
      return .answer(ChainAnswer(status: 200, contentType: "application/json", body: Array(#"{"match":true}"#.utf8)))
    }
    try await MemoryService.run(chain: { request, _, onHop in chain(request, onHop) }) { service in
      let script = """
        import sys, varlink
        with varlink.Client("unix:" + sys.argv[1]) as client:
            for name in client.get_interfaces():
                interface = client.get_interface(name)
                print(name, len(interface.members) > 0)
            with client.open("org.modemd.Modem", namespaced=True) as modem:
                print([(each.id, each.sim.numbers[0].number) for each in modem.List().modems])
                try:
                    modem.Get("none")
                except varlink.VarlinkError as error:
                    print(error.error(), error.parameters(namespaced=True).modem)
            with client.open("org.modemd.Bearer") as bearer:
                print(bearer.Connect(ipType="ipv4")["bearer"]["settings"]["ipv4"]["address"])
            with client.open("org.modemd.Check") as check:
                for reply in check.Open("https://check.example/start", _more=True):
                    print(reply["event"], sorted(reply))
                print(reply["outcome"]["answer"]["json"])
        """
      let result = try await run(
        .path(.init(Self.python)), arguments: ["-c", script, service.path], output: .string(limit: 65_536),
        error: .string(limit: 65_536))
      #expect(result.standardError == "")
      #expect(
        result.standardOutput == """
          org.varlink.service True
          org.modemd.Modem True
          org.modemd.Service True
          org.modemd.Bearer True
          org.modemd.Check True
          org.modemd.Usage True
          org.modemd.Messages True
          [('modem-0011aabb', '+447700900123')]
          org.modemd.Modem.NoSuchModem none
          10.64.0.2
          ready ['event']
          hop ['event', 'hop']
          outcome ['event', 'outcome']
          {'match': True}

          """)
    }
  }
}
