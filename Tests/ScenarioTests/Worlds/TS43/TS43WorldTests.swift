import JSONTree
import ModemAPI
import ModemAPIClient
import ModemModel
import OperatorSimulator
import TS43API
import Testing

@testable import ScenarioRunner

/// The SIM proves its number over the machine's own network, from the caller's socket to the
/// simulated entitlement server.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct TS43WorldTests {
  @Test(arguments: ModemProtocol.allCases)
  func `a number is verified although no bearer can come up`(kind: ModemProtocol) async throws {
    try await Worlds.with(TS43World.scenario(), kind: kind) { world in
      let connect = try await world.run(["modemctl", "connect"])
      #expect(connect.end != .exited(0), "this world has a bearer: \(connect.output)")
      for (number, status, result) in [(TS43World.own, 0, "verified"), (TS43World.neighbour, 11, "notVerified")] {
        let run = try await world.run(["modemctl", "verify", number, "--route", "network", "--json"])
        #expect(run.end == .exited(Int32(status)), "\(run.output) \(run.error)")
        let outcome = run.output.split(separator: "\n").last.flatMap { JSONValue(parsing: $0.utf8) }?["outcome"]
        #expect(outcome?["result"] == .string(result) && outcome?["proof"] == .string("sim"), "\(run.output)")
      }
      #expect(try await TS43World.bearerPackets(world) == TS43World.noPackets)
      #expect(world.modem.snapshot.challenges == 1, "a kept token needs no SIM")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test func `a bearer that could come up stays down where the network is to be used alone`() async throws {
    try await Worlds.with(TS43World.scenario(more: "")) { world in
      let run = try await world.run(["modemctl", "verify", TS43World.own, "--route", "network"])
      #expect(run.end == .exited(0), "\(run.error)")
      #expect(try await TS43World.bearerPackets(world) == TS43World.noPackets)
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test(arguments: ModemProtocol.allCases)
  func `each operation answers, with as many requests as it should`(kind: ModemProtocol) async throws {
    let settings = #", "subscribers": [ \#(Self.subscriber) ]"#
    let more = TS43World.refusal + #""sim": { "gid1": "0a5f" }, "#
    try await Worlds.with(TS43World.scenario(settings, more: more), kind: kind) { world in
      let first = try await TS43World.verify(in: world)
      #expect(first.outcome?.result == .verified && first.outcome?.number == .matches, "\(first.words)")
      #expect(first.outcome?.proof == .sim && first.hops == 0)
      #expect(TS43World.requests(world) == 3, "a login of two, and the question")
      let other = try await TS43World.verify(TS43World.neighbour, in: world)
      #expect(other.outcome?.result == .notVerified && other.outcome?.number == .differs, "\(other.words)")
      #expect(TS43World.requests(world) == 4 && world.modem.snapshot.challenges == 1)

      let number = try await TS43World.number(in: world)
      #expect(number.outcome?.result == .numberRead, "\(number.words)")
      #expect(number.reply?.number == TS43World.own && number.reply?.simNumber == TS43World.own)
      #expect(number.reply?.same == true)
      let info = try await TS43World.flow(TS43Interface.SubscriberInfo.self, .init(), in: world)
      #expect(info.outcome?.result == .answered && info.reply?.number == TS43World.own, "\(info.words)")
      #expect(info.reply?.simID == "8949020000012345678" && info.reply?.virtualOperator == "Example Virtual")

      let token = try await TS43World.token(.phoneNumber, in: world)
      #expect(token.outcome?.result == .authorized, "\(token.words)")
      #expect(token.reply?.mcc == "262" && token.reply?.mnc == "01" && token.reply?.gid1?.lowercased() == "0a5f")
      #expect(token.reply?.expires?.hasSuffix("Z") == true)
      #expect(TS43World.requests(world) == 7 && world.modem.snapshot.challenges == 1)
      #expect(world.modem.snapshot.openChannels.isEmpty)

      // Another party spends it: for its operation, once.
      let text = try #require(token.reply?.token)
      for (operation, status) in [("VerifyPhoneNumber", "403"), ("GetPhoneNumber", "200"), ("GetPhoneNumber", "401")] {
        let answer = try await Self.spend(text, operation, in: world)
        #expect(answer.hasSuffix(status), "\(operation)")
        #expect(answer.contains(TS43World.own) == (status == "200"))
      }
      #expect(try await TS43World.bearerPackets(world) == TS43World.noPackets)
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  /// The SIM of the scenario, and what its operator has about it.
  private static let subscriber = """
    { "imsi": "262011234567890", "number": "\(TS43World.own)", "iccid": "8949020000012345678",
      "virtualOperator": "Example Virtual", "key": "465b5ce8b199b49faa5f0a2ee238a6bc",
      "opc": "cd63cb71954a9f4e48a5994e37a02baf" }
    """

  private static func spend(_ token: String, _ operation: String, in world: World) async throws -> String {
    let query = "temporary_token=\(token)&operation=\(operation)&app=ap2014&terminal_id=server"
    return try await world.run(
      ["curl", "-sS", "-m", "20", "--cacert", world.folder.authority, "-w", "%{http_code}"]
        + ["https://\(TS43World.server)/?\(query)"]
    ).output
  }

  @Test func `the number on the SIM and the operator's are told apart`() async throws {
    let settings = #", "subscribers": [ \#(Self.subscriber.replacing(TS43World.own, with: TS43World.neighbour)) ]"#
    try await Worlds.with(TS43World.scenario(settings)) { world in
      let number = try await TS43World.number(in: world)
      #expect(
        number.reply?.number == TS43World.neighbour && number.reply?.simNumber == TS43World.own, "\(number.words)")
      #expect(number.reply?.same == false)
      #expect(try await TS43World.verify(in: world).outcome?.result == .notVerified)
    }
  }

  @Test func `a SIM with its PIN, and no SIM, do not answer`() async throws {
    for sim in [#""state": "pinRequired", "pin": "1234""#, #""state": "absent""#] {
      try await Worlds.with(TS43World.scenario(more: #""sim": { \#(sim) }, "#)) { world in
        let run = try await world.run(["modemctl", "verify", TS43World.own, "--route", "network"])
        #expect(run.end == .exited(6) && run.error.contains("noSIMAnswer"), "\(run.output) \(run.error)")
        #expect(world.modem.snapshot.challenges == 0 && TS43World.requests(world) == 0)
      }
    }
  }

  @Test func `nothing of the SIM, of its tokens and packets is written anywhere`() async throws {
    var options = World.Options()
    options.logLevel = "trace"
    try await Worlds.with(TS43World.scenario(), options: options) { world in
      for command in [
        ["verify", TS43World.own, "--route", "network"], ["verify", TS43World.own, "--route", "network", "--json"],
        ["ts43", "verify", TS43World.own], ["ts43", "number"], ["ts43", "subscriber", "--json"], ["status"],
        ["diagnose", "--output", "-"],
      ] {
        _ = try await world.run(["modemctl"] + command)
      }
      // A server that refuses, too.
      _ = try await world.perform(#"tell ts43.faults [{"fault":"forgetToken","at":"token"}]"#)
      _ = try await world.run(["modemctl", "ts43", "number"])
      let issued = IssuedSecrets(at: world.folder.issuedSecrets).all
      for kind in ["TOKEN", "session", "packet of EAP"] { #expect(issued.contains { $0.kind == kind }, "\(kind)") }
      // `Worlds.with` searches for these, the numbers, IMSI and ICCID. The IMEI is sent too.
      let texts = await world.collectedOutput { $0.contains { $0 == "verify" || $0 == "ts43" } }
      #expect(texts.contains { $0.name == "modemd.log" && $0.text.contains(TS43World.server) })
      #expect(texts.filter { $0.text.contains(TS43World.imei) }.map(\.name) == [])
      #expect(texts.filter { $0.text.contains("EAP_ID=") || $0.text.contains("terminal_id=") }.map(\.name) == [])
    }
  }
}
