import Glibc
import ModemAPI
import ModemAPIClient
import NetworkAddress
import Testing

@testable import ScenarioRunner
import modem_simulator

@Suite("Worlds with several modems", .serialized, .timeLimit(.minutes(4)))
struct FleetTests {
  @Test(
    "Networks count on by their own size",
    arguments: [
      ("10.64.0.2", 24, 1, "10.64.1.2"), ("10.64.0.2", 24, 15, "10.64.15.2"), ("10.64.0.2", 30, 3, "10.64.0.14"),
      ("10.64.0.254", 30, 1, "10.64.1.2"), ("10.255.255.2", 24, 1, "11.0.0.2"),
      ("2001:db8:64::2", 64, 2, "2001:db8:64:2::2"),
    ])
  func addresses(address: String, length: Int, count: Int, expected: String) {
    #expect(IPAddress(address)?.moved(by: count, networksOf: length) == IPAddress(expected))
  }

  @Test("Each modem has identity, number and addresses of its own; what runs past the end has none")
  func members() throws {
    let scenario = try Scenario(text: #"{"modem": {"count": 16}}"#)
    let members = scenario.members
    #expect(members.count == 16 && members[0].network.ipv4 == scenario.network.ipv4)
    #expect(Set(members.map(\.modem.identity.imei)).count == 16 && Set(members.map(\.sim.imsi)).count == 16)
    #expect(Set(members.flatMap { $0.network.addresses }).count == 32)
    #expect(members[15].sim.numbers == ["+4915112345693"])
    #expect(IPAddress("255.255.255.1")?.moved(by: 1, networksOf: 24) == nil)
  }

  @Test(
    "Checks over several bearers at once each leave from their own, and the operator tells them apart",
    .enabled(if: Worlds.areAllowed, Worlds.reason))
  func bearers() async throws {
    let settings = #""settings": {"bearer": {"flowLimit": 1}, "check": {"historyLimit": 3}}"#
    // One family: with two, each check decides for itself which is the faster one.
    try await Worlds.with(#"{"modem": {"count": 3}, "network": {"ipType": "ipv4"}, \#(settings)}"#) { world in
      let client = try await world.client()
      let modems = try await client.call(ModemInterface.List.self, .init()).modems
      #expect(modems.count == 3)
      let answers = try await withThrowingTaskGroup(of: (number: String, outcome: CheckInterface.Outcome?).self) {
        group in
        for modem in modems {
          let number = String(modem.sim.numbers[0].number.dropFirst())
          // Two for each bearer, of which one has to wait for the other.
          for _ in 0..<2 {
            group.addTask {
              let outcome = try await ModemAPIClient.connect(to: world.folder.socket).call(
                CheckInterface.Open.self,
                .init(url: "https://check.aggregator.example/checks/\(number)", modem: modem.id)
              ).outcome
              return (number, outcome)
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.count == 6)
      for answer in answers {
        guard case .object(let fields)? = answer.outcome?.answer?.json else {
          Issue.record("\(answer)")
          continue
        }
        // Its own number, by its own bearer's address.
        #expect(fields["match"] == .bool(true))
      }
      #expect(Set(answers.compactMap(\.outcome?.source)).count == 3)
      // The configuration is the scenario's.
      #expect(try await client.call(CheckInterface.History.self, .init()).checks.count == 3)
      #expect(world.leaks.packets == 0)
    }
  }
}
