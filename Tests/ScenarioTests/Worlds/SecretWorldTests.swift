import Glibc
import ModemAPI
import ModemAPIClient
import Testing

@testable import ScenarioRunner

/// What a run of a world leaves has none of its secrets; and the search would find them.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct SecretWorldTests {
  private static let scenario = """
    { "sim": { "numbers": ["+4915198765432"] }, "providers": [ { "kind": "sample" } ],
      "modemdCredentials": { "sample.client-secret": "a-long-credential" } }
    """

  private static func add(_ line: String, to path: String) {
    guard let file = fopen(path, "ae") else { return }
    fputs(line + "\n", file)
    fclose(file)
  }

  @Test func `logs and outputs of a whole run have no secret, and one that is planted is found`() async throws {
    var options = World.Options()
    options.logLevel = "trace"
    try await Worlds.with(Self.scenario, options: options, isSearched: false) { world in
      for command in [
        ["modemctl", "status"], ["modemctl", "connect"], ["modemctl", "sms", "list"],
        ["modemctl", "open", "https://check.aggregator.example/checks/4915198765432"],
        ["curl", "-sS", "--cacert", world.folder.authority, "-d", "number=%2B4915198765432"]
          + ["https://api.provider.example/code"],
        ["curl", "-sS", "--cacert", world.folder.authority, "-d", "", "-u", "sample:sample-client-secret"]
          + ["https://api.provider.example/token"],
      ] {
        let result = try await world.run(command)
        #expect(result.end == .exited(0), "\(command[0]) \(command[1]): \(result.error)")
      }
      let issued = IssuedSecrets(at: world.folder.issuedSecrets).all
      #expect(issued.map(\.kind) == ["one-time code", "access token"])
      let texts = await world.collectedOutput()
      for name in ["modemd.log", "modemd-port.log", "operator.log", "requests.uplink", "output of modemctl open"] {
        #expect(texts.contains { $0.name == name }, "\(name)")
      }
      #expect(texts.contains { $0.name == "modemd.log" && !$0.text.isEmpty })
      let search = world.secretSearch
      #expect(search.findings(in: texts) == [])

      Self.add("the code is \(issued[0].value)", to: world.folder.log(of: "modemd"))
      Self.add("token \(issued[1].value) with a-long-credential", to: world.folder.log(of: "modemd-port"))
      _ = try await world.run(["modemctl", "status", "--reveal"])
      let planted = search.findings(in: await world.collectedOutput { $0.contains("--reveal") })
      #expect(
        planted.map { "\($0.file): \($0.kind)" }.sorted()
          == [
            "modemd-port.log: access token", "modemd-port.log: credential sample.client-secret",
            "modemd.log: one-time code", "output of modemctl status: number",
          ])
    }
  }
}
