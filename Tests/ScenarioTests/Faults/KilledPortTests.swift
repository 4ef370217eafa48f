import Glibc
import ModemAPI
import ModemAPIClient
import ModemModel
import ModemSimulator
import Testing

@testable import ScenarioRunner

/// modemd-port killed where it hurts most, and started again.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct KilledPortTests {
  private static func clients(_ world: World) -> Int {
    world.modem.snapshot.clientIDs.values.reduce(0) { $0 + $1.count }
  }

  /// Waits until the port has all that it keeps while it runs; messages (WMS, 5) come last, when
  /// the modem is known already.
  private static func settled(_ world: World) async throws -> Int {
    let isWhole = try await world.eventually { world.modem.snapshot.clientIDs[5]?.count == 1 }
    #expect(isWhole)
    return clients(world)
  }

  /// Each id that a bearer of both families allocates: for the link's format, IPv4 and IPv6. With a
  /// name none is asked of the modem, which would allocate an id and give it back in between.
  @Test(arguments: 0...2)
  func `a port killed between a client id's allocation and its note finds and frees it`(skip: Int) async throws {
    try await Worlds.with(kind: .qmi) { world in
      let before = try await Self.settled(world)
      #expect(before > 0)
      // Allocated at once; the answer comes when nobody is there any more.
      world.modem.setFaults([SimulatedFault(on: .clientIDs, .delay(.seconds(600)), times: 1, skip: skip)])
      let connecting = Task { try await world.client().call(BearerInterface.Connect.self, .init(apn: "internet")) }
      let isAllocated = try await world.eventually { Self.clients(world) == before + skip + 1 }
      #expect(isAllocated)
      await world.end(.port)
      await #expect(throws: (any Error).self) { try await connecting.value }
      #expect(Self.clients(world) == before + skip + 1, "nothing was stale: the test would prove nothing")
      world.modem.setFaults([])
      try await world.start(.port)
      let isOpen = try await world.eventually {
        try await world.client().call(ModemInterface.List.self, .init()).modems.first?.fault == nil
      }
      #expect(isOpen)
      // Half of the old ids and of the new ones are as many as there shall be: the session behind
      // an old one counts too.
      let isTidy = try await world.eventually {
        let now = world.modem.snapshot
        let clients = now.clientIDs.values.map(\.count)
        return clients.allSatisfy { $0 <= 1 } && clients.reduce(0, +) == before && now.bearers.isEmpty
      }
      #expect(isTidy, "\(world.modem.snapshot.clientIDs) \(world.modem.snapshot.bearers)")
    }
  }

  @Test func `a port killed while it opens leaves no client id after the next opening`() async throws {
    try await Worlds.with(kind: .qmi) { world in
      let before = try await Self.settled(world)
      #expect(before > 2)
      await world.end(.port, with: SIGTERM)
      #expect(Self.clients(world) == 0)
      world.modem.setFaults([SimulatedFault(on: .clientIDs, .delay(.seconds(600)), times: 1, skip: 1)])
      try await world.start(.port)
      let isHalfOpen = try await world.eventually { Self.clients(world) == 2 }
      #expect(isHalfOpen)
      await world.end(.port)
      #expect(Self.clients(world) == 2)
      world.modem.setFaults([])
      try await world.start(.port)
      let isTidy = try await world.eventually {
        Self.clients(world) == before && world.modem.snapshot.clientIDs.values.allSatisfy { $0.count == 1 }
      }
      #expect(isTidy, "\(world.modem.snapshot.clientIDs)")
    }
  }

  @Test(arguments: ModemProtocol.allCases)
  func `a modem that comes back under another name is the same modem, and the only one`(
    kind: ModemProtocol
  ) async throws {
    try await Worlds.with(kind: kind) { world in
      let before = try await world.client().call(ModemInterface.Get.self, .init()).modem
      _ = try await world.client().call(BearerInterface.Connect.self, .init())
      _ = try await world.perform("move")
      let isBack = try await world.eventually {
        let modems = try await world.client().call(ModemInterface.List.self, .init()).modems
        return modems.count == 1 && modems[0].id == before.id && modems[0].device != before.device
          && modems[0].fault == nil
      }
      #expect(isBack)
      let after = try await world.client().call(ModemInterface.Get.self, .init(modem: before.id)).modem
      #expect(after.imei == before.imei)
      let isUp = try await world.eventually {
        (try? await world.client().call(BearerInterface.Connect.self, .init())) != nil
      }
      #expect(isUp)
      #expect(world.leaks.packets == 0)
    }
  }

  /// The file counts of one process, over many moves; nobody watches meanwhile.
  @Test func `a modem that moves again and again leaves nothing open in modemd`() async throws {
    try await Worlds.with { world in
      var before: Remains?
      for number in 1...6 {
        _ = try await world.perform("move")
        let isBack = try await world.eventually {
          let modems = try await world.client().call(ModemInterface.List.self, .init()).modems
          guard modems.count == 1, modems[0].device.hasSuffix("-\(number)"), modems[0].fault == nil else {
            return false
          }
          return (try? await world.client().call(BearerInterface.Connect.self, .init())) != nil
        }
        #expect(isBack)
        _ = try await world.client().call(BearerInterface.Disconnect.self, .init())
        if let before {
          // This test's own connections come and go; one file for each move would be four more in
          // the end.
          var now = before
          let isTidy = try await world.eventually {
            now = try await world.remains()
            return now.fileCount(of: "modemd") - before.fileCount(of: "modemd") <= 2
          }
          #expect(isTidy, "after \(number) moves: \(before.differences(to: now))")
        } else if number == 2 {
          before = try await world.quiet()
        }
      }
    }
  }
}
