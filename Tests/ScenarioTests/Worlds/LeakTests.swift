import ModemAPI
import ModemAPIClient
import ScenarioRunner
import Testing

/// Whatever happens to a bearer or its names while a chain runs: the chain ends with a cause,
/// nothing leaves by the other uplink, and the next chain works.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct LeakTests {
  struct Loss: Sendable {
    let verb: String
    var repair: String?
    var causes = LossTests.afterLoss
  }

  static let families = ["ipv4", "ipv6"]

  static let ofTheBearer: [Loss] = [
    Loss(verb: "empty-tables"), Loss(verb: "remove-rules"), Loss(verb: "link-down"),
    Loss(verb: "remove-interface", repair: "restore-interface"), Loss(verb: "drop-bearer 36"), Loss(verb: "renumber"),
    // Last: the other device keeps the bearer's address.
    Loss(verb: "reuse-index", repair: "restore-interface"),
  ]

  /// Answers that lead astray: to the machine itself, to its links, and to what only the other
  /// uplink has.
  static let ofNames: [Loss] = [
    Loss(verb: "names silent", causes: [.dnsFailed, .timeout]),
    Loss(verb: "names 127.0.0.1 ::1", causes: [.refusedByPolicy]),
    Loss(verb: "names 169.254.7.7 fe80::7", causes: [.refusedByPolicy]),
    Loss(verb: "names 192.0.2.2 2001:db8:ffff::2", causes: [.refusedByPolicy]),
    Loss(verb: "names 192.0.2.1 2001:db8:ffff::1", causes: [.connectFailed, .timeout]),
  ]

  @Test(arguments: families)
  func `a bearer lost in the middle of a chain leaks nothing`(family: String) async throws {
    try await Worlds.with(Self.scenario(family)) { world in
      for loss in Self.ofTheBearer {
        let walk = try await world.walk(LossTests.slowly, milliseconds: 120_000) { hop in
          if hop == 2 { _ = try await world.perform(loss.verb) }
        }
        #expect(walk.hops.prefix(2).map(\.status) == [302, 302], "\(loss.verb)")
        try await expect(loss, of: walk, in: world)
      }
    }
  }

  @Test(arguments: families)
  func `names that become silent or lie in the middle of a chain leak nothing`(family: String) async throws {
    try await Worlds.with(Self.scenario(family)) { world in
      for loss in Self.ofNames {
        // A new bearer knows no name yet, so that the second hop has to ask.
        _ = try await world.client().call(BearerInterface.Disconnect.self, .init())
        _ = try await world.client().call(BearerInterface.Connect.self, .init())
        let before = world.gate.count.passed
        let line = loss.verb
        async let lie = world.perform(line, after: before + 12)
        // Time enough for the lie, and for the chain to meet it; where time may run out, that need
        // not take long.
        let limit = loss.causes.contains(.timeout) ? 8000 : 40_000
        let walk = try await world.walk("/checks/4915112345678?slow_hop=1&slow_ms=4000", milliseconds: limit)
        _ = try await lie
        #expect(walk.hops.first?.status == 302, "\(loss.verb): \(walk.words)")
        try await expect(loss, of: walk, in: world)
      }
    }
  }

  private static func scenario(_ family: String) -> String { #"{ "network": { "ipType": "\#(family)" } }"# }

  private func expect(_ loss: Loss, of walk: Walk, in world: World) async throws {
    #expect(walk.cause.map(loss.causes.contains) == true, "\(loss.verb): \(walk.words)")
    #expect(Self.leaked(by: loss, in: world) == 0, "\(loss.verb): \(world.leaks)")
    if loss.verb.hasPrefix("names") {
      _ = try await world.perform("names honest")
      // Its caches end with it.
      _ = try await world.client().call(BearerInterface.Disconnect.self, .init())
    } else {
      let meanwhile = try await world.walk("/checks/4915112345678", milliseconds: 5000)
      if loss.repair != nil { #expect(meanwhile.outcome?.result == .failed, "\(loss.verb): \(meanwhile.words)") }
    }
    if let repair = loss.repair { _ = try await world.perform(repair) }
    var last = Walk()
    let works = try await world.eventually {
      last = try await world.walk("/checks/4915112345678")
      return last.outcome?.answer?.status == 200
    }
    #expect(works, "\(loss.verb): \(last.words)")
    #expect(Self.leaked(by: loss, in: world) == 0, "\(loss.verb): \(world.leaks)")
  }

  /// Packets that left by the other uplink. Where a device has taken over both the bearer's index
  /// and its address before the chain has ended, the kernel may reset the chain's connections over
  /// it; a reset has no data.
  private static func leaked(by loss: Loss, in world: World) -> Int {
    let leaks = world.leaks
    guard loss.verb == "reuse-index" else { return leaks.packets }
    return leaks.packets - leaks.first.count { $0.isReset }
  }
}

extension World {
  /// Does what a line says as soon as the bearer has let so many packets through.
  fileprivate func perform(_ line: String, after packets: Int) async throws -> String {
    let gate = gate
    let isSo = try await eventually { gate.count.passed >= packets }
    #expect(isSo, "the chain did not come so far")
    return try await perform(line)
  }
}
