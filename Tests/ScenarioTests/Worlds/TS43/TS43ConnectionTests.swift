import Glibc
import OperatorSimulator
import TS43API
import Testing

@testable import ScenarioRunner

/// How many connections an entitlement server sees by the machine's own network.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct TS43ConnectionTests {
  private static let settings = #""settings": { "access": { "groups": ["daemon"] } }, "#

  /// The connections of the server's requests while `body` runs, one for each request.
  private static func connections(_ world: World, _ body: () async throws -> Void) async throws -> [Int] {
    let before = world.requests(.uplink).count
    try await body()
    return world.requests(.uplink).dropFirst(before).filter { $0.host == TS43World.server }.compactMap(\.connection)
  }

  private static func verify(as user: LocalUser? = nil, _ world: World) async throws -> [Int] {
    try await connections(world) {
      guard let user else {
        let flow = try await TS43World.verify(in: world)
        #expect(flow.outcome?.result == .verified, "\(flow.words)")
        return
      }
      let question = #"{"number":"\#(TS43World.own)","provider":"operator"}"#
      let answer = try await user.call("org.modemd.TS43.Verify", question, in: world)
      #expect(answer.parameters?["outcome"]?["result"]?.string == "verified", "\(answer.error ?? "") \(answer.text)")
    }
  }

  @Test func `a login and its question are three requests on one connection, and two users use two`() async throws {
    try await Worlds.with(TS43World.scenario(more: TS43World.refusal + Self.settings)) { world in
      world.admitMembers()
      let own = try await Self.verify(world)
      #expect(own.count == 3 && Set(own).count == 1, "\(own)")
      var seen: [UInt32: Set<Int>] = [0: Set(own)]
      for user in [.first, .second, .first, .second] as [LocalUser] {
        let used = try await Self.verify(as: user, world)
        #expect(!used.isEmpty && Set(used).count == 1, "\(used)")
        for (other, others) in seen where other != user.userID {
          #expect(others.isDisjoint(with: used), "\(user.userID) has a connection of \(other)")
        }
        seen[user.userID, default: []].formUnion(used)
      }
      #expect(seen.count == 3)
    }
  }

  @Test func `no connection outlives a reload, or the way that the machine's routes took`() async throws {
    try await Worlds.with(TS43World.scenario()) { world in
      let first = try await Self.verify(world)
      #expect(try await Self.verify(world) == [try #require(first.first)])
      await world.process(of: .service)?.send(SIGHUP)
      #expect(
        try await world.eventually {
          (Worlds.contents(of: world.folder.log(of: "modemd")) ?? "").contains("reloaded:")
        })
      let second = try await Self.verify(world)
      #expect(Set(second).isDisjoint(with: first))
      #expect(try await Self.verify(world) == [try #require(second.first)])
      // Another network, or a VPN: the machine sends from another address now.
      for command in [
        "ip addr add 192.0.2.77/24 dev lan0", "ip route replace default via 192.0.2.1 dev lan0 src 192.0.2.77",
        "ip -6 addr add 2001:db8:ffff::77/64 dev lan0 nodad",
        "ip -6 route replace default via 2001:db8:ffff::1 dev lan0 src 2001:db8:ffff::77",
      ] {
        let run = try await world.run(command.split(separator: " ").map(String.init))
        #expect(run.end == .exited(0), "\(command): \(run.error)")
      }
      let third = try await Self.verify(world)
      #expect(third.count == 1 && Set(third).isDisjoint(with: second), "\(third) after \(second)")
    }
  }
}
