import ModemAPI
import ModemAPIClient
import NumberRecyclingAPI
import OperatorSimulator
import Testing
import Varlink

@testable import ScenarioRunner

/// CAMARA's Number Recycling from the caller's socket to the simulated operator.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct NumberRecyclingWorldTests {
  typealias Check = NumberRecyclingInterface.Check

  static let own = "+4915112345678"
  static let neighbour = "+4915155555502"
  static let nobody = "+4915155555599"

  static let scenario = """
    { "providers": [ { "kind": "numberRecycling", "clientID": "app", "secret": "s3cret-of-app",
        "subscribedOn": { "\(own)": "2026-03-01" } } ],
      "subscribers": [ { "number": "\(own)" }, { "number": "\(neighbour)" } ],
      "modemdProviders": {
        "operator": { "kind": "numberRecycling", "root": "https://api.recycling.example", "clientID": "app",
          "tokenEndpoint": "https://auth.recycling.example/token" },
        "stranger": { "kind": "numberRecycling", "root": "https://api.recycling.example", "clientID": "other",
          "tokenEndpoint": "https://auth.recycling.example/token" } },
      "modemdCredentials": { "operator.client-secret": "s3cret-of-app", "stranger.client-secret": "s3cret-of-none" } }
    """

  static func check(_ world: World, _ number: String, since day: String, with provider: String = "operator")
    async throws -> Check.Reply
  {
    try await world.client().call(Check.self, .init(number: number, since: day, provider: provider))
  }

  @Test func `a number has another subscriber since a day, or the same`() async throws {
    try await Worlds.with(Self.scenario) { world in
      for (day, changed) in [("2026-02-28", true), ("2026-03-01", false), ("2026-10-31", false)] {
        let reply = try await Self.check(world, Self.own, since: day)
        #expect(reply.outcome?.result == .answered && reply.changed == changed, "\(day): \(reply.outcome?.text ?? "")")
        #expect(reply.outcome?.number == nil && reply.outcome?.kind == "numberRecycling")
        #expect(reply.correlator?.isEmpty == false)
      }
      let rows: [(String, String, NumberRecyclingInterface.Outcome.Result)] = [
        (Self.neighbour, "operator", .operatorUnsupported), (Self.nobody, "operator", .subscriberUnknown),
        (Self.own, "stranger", .clientRefused),
      ]
      for (number, provider, result) in rows {
        let reply = try await Self.check(world, number, since: "2026-03-01", with: provider)
        #expect(reply.outcome?.result == result && reply.changed == nil, "\(reply.outcome?.text ?? "")")
      }
      await #expect(throws: VarlinkError.self) { _ = try await Self.check(world, Self.own, since: "1 March") }
      #expect(world.leaks.packets == 0, "\(world.leaks)")
      let log = Worlds.contents(of: world.folder.log(of: "modemd")) ?? ""
      for secret in IssuedSecrets(at: world.folder.issuedSecrets).all.map(\.value) + ["s3cret-of-", "15112345678"] {
        #expect(!log.contains(secret))
      }
    }
  }
}
