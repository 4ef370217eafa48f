import Glibc
import ModemAPI
import ModemAPIClient
import ModemModel
import OperatorSimulator
import TS43API
import Testing
import Varlink

@testable import ScenarioRunner

/// What tests of an entitlement server in a world share.
enum TS43World {
  /// The number of the simulated SIM, and one of another's.
  static let own = "+4915112345678"
  static let neighbour = "+4915155555502"
  static let server = "aes.mnc001.mcc262.pub.3gppnetwork.org"
  static let imei = "004999010640000"

  /// A network that refuses every bearer.
  static let refusal = #""modem": { "faults": [{ "operation": "connect", "action": "refuse", "cause": 33 }] }, "#

  /// A world with one entitlement server.
  ///
  /// - Parameters:
  ///   - settings: further members of the server, each with a comma before it.
  ///   - providers: modemd's files.
  ///   - more: further members of the scenario, each with a comma behind it.
  static func scenario(
    _ settings: String = "", providers: [String: String] = ["operator": #"{ "kind": "ts43" }"#], more: String = refusal
  ) -> String {
    let files = providers.sorted { $0.key < $1.key }.map { #""\#($0.key)": \#($0.value)"# }.joined(separator: ", ")
    return """
      { \(more)"providers": [ { "kind": "ts43"\(settings) } ],
        "subscribers": [ { "number": "\(own)" }, { "number": "\(neighbour)" } ],
        "modemdProviders": { \(files) } }
      """
  }

  /// What a flow told.
  struct Flow<Reply: FlowMethodReply> {
    var steps: [VerifyInterface.Step] = []
    var hops = 0
    var reply: Reply?

    var outcome: VerifyInterface.Outcome? { reply?.outcome }
    var names: [String] { steps.map(\.name) }
    var words: String {
      outcome.map { "\($0.result) \($0.code ?? "-") \($0.status ?? 0): \($0.text); \(names)" } ?? "no outcome"
    }
  }

  static func flow<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, in world: World
  ) async throws -> Flow<Method.Reply> where Method.Reply: FlowMethodReply {
    var flow = Flow<Method.Reply>()
    for try await reply in try await world.client().stream(Method.self, parameters) {
      if let step = reply.step { flow.steps.append(step) }
      if reply.hop != nil { flow.hops += 1 }
      if reply.outcome != nil { flow.reply = reply }
    }
    return flow
  }

  static func verify(
    _ number: String = own, with provider: String = "operator", in world: World
  ) async throws -> Flow<TS43Interface.Verify.Reply> {
    try await flow(TS43Interface.Verify.self, .init(number: number, provider: provider), in: world)
  }

  static func number(
    with provider: String = "operator", in world: World
  ) async throws -> Flow<TS43Interface.PhoneNumber.Reply> {
    try await flow(TS43Interface.PhoneNumber.self, .init(provider: provider), in: world)
  }

  static func token(
    _ operation: TS43Interface.TemporaryToken.Parameters.Operation, with provider: String = "operator", in world: World
  ) async throws -> Flow<TS43Interface.TemporaryToken.Reply> {
    try await flow(TS43Interface.TemporaryToken.self, .init(operation: operation, provider: provider), in: world)
  }

  /// How many requests the server got so far.
  static func requests(_ world: World, to host: String = server) -> Int {
    world.requests(.uplink).count { $0.host == host }
  }

  /// The packets that the kernel counted at the bearer's interface, in either direction, and those
  /// that passed between modem and network.
  static func bearerPackets(_ world: World) async throws -> String {
    let counters = ["rx", "tx"].map { "/sys/class/net/wwan0/statistics/\($0)_packets" }
    let result = try await world.run(["cat"] + counters)
    let words = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return "\(words) of the interface, \(world.gate.count.passed) passed"
  }

  static let noPackets = "0 0 of the interface, 0 passed"

  /// The SIM may be asked this often in a minute.
  static let challengesPerMinute = 6

  /// Lets the SIM be asked again at once: the port keeps the times of its answers in its state.
  static func forgetChallenges(_ world: World) async throws {
    await world.end(.port, with: SIGTERM)
    let folder = world.folder.file("port-state")
    let names = WorldFolder.names(in: folder).filter { $0.hasPrefix("card-calls-") }
    #expect(!names.isEmpty)
    for name in names { unlink("\(folder)/\(name)") }
    try await world.start(.port)
    try await world.waitForModem()
  }
}
