import Glibc
import Testing

@testable import ScenarioRunner

/// A member of the group, who may ask for the number, tries to keep others from it. Where each
/// connection costs modemd work without end there are as many as a debug build serves; `make bench`
/// has the release build under more of them.
@Suite(
  .serialized, .enabled(if: Worlds.areAllowed, Worlds.reason), .world(Siege.scenario))
struct FloodAttackTests {
  @Test("calls of 1 MiB that do not end", .timeLimit(.minutes(3)), .attack(by: .neighbour, .broke))
  func unfinishedCalls() async throws {
    try await Siege().attack("half", by: .member, connections: 235) { attack in
      // What is more than the user's share of memory is closed, and made anew, and closed.
      let isSo = try await Siege().world.eventually { (Siege.fate(attack)?.closed ?? 0) > 200 }
      #expect(isSo)
    }
  }

  @Test("more idle connections than there may be", .timeLimit(.minutes(3)), .attack(by: .neighbour, .broke))
  func idleConnections() async throws {
    try await Siege().attack("idle", by: .member, connections: 2500)
  }

  @Test("calls that come byte by byte", .timeLimit(.minutes(3)), .attack(by: .neighbour, .broke))
  func slowCalls() async throws {
    try await Siege().attack("drip", by: .member, connections: 600) { attack in
      // Each has ten seconds, however often a byte comes.
      let isSo = try await Siege().world.eventually { (Siege.fate(attack)?.closed ?? 0) >= 500 }
      #expect(isSo)
    }
  }

  @Test("arrays inside arrays", .timeLimit(.minutes(3)), .attack(by: .neighbour, .held))
  func deepCalls() async throws { try await Siege().attack("deep", by: .member, connections: 32) }

  @Test("a third of a million objects in a call", .timeLimit(.minutes(3)), .attack(by: .neighbour, .broke))
  func wideCalls() async throws { try await Siege().attack("wide", by: .member, connections: 32) }

  @Test(
    "as many objects as a call may have, and a wrong field", .timeLimit(.minutes(3)), .attack(by: .neighbour, .broke))
  func fullCalls() async throws { try await Siege().attack("full", by: .member, connections: 64) }

  @Test("numbers that nothing can hold", .timeLimit(.minutes(3)), .attack(by: .neighbour, .held))
  func hugeNumbers() async throws {
    try await Siege().attack("numbers", by: .member, connections: 64, method: "org.modemd.Check.History")
  }

  @Test("calls without end, and no reply is read", .timeLimit(.minutes(3)), .attack(by: .neighbour, .broke))
  func deafClients() async throws {
    try await Siege().attack("deaf", by: .member, connections: 64, method: "org.modemd.Modem.List")
  }

  @Test("calls without end on many connections", .timeLimit(.minutes(3)), .attack(by: .neighbour, .held))
  func manyCalls() async throws {
    try await Siege().attack("flood", by: .member, connections: 48, method: "org.modemd.Modem.List")
  }

  @Test("streams that nobody needs", .timeLimit(.minutes(3)), .attack(by: .neighbour, .broke))
  func manyStreams() async throws {
    try await Siege().attack("streams", by: .member, connections: 2500, method: "org.modemd.Modem.Watch")
  }

  @Test("streams of clients that have closed their half", .timeLimit(.minutes(3)), .attack(by: .neighbour, .broke))
  func halfOpenStreams() async throws {
    try await Siege().attack("half-open", by: .member, connections: 2500, method: "org.modemd.Modem.Watch")
  }

  @Test("connections that come and go", .timeLimit(.minutes(3)), .attack(by: .neighbour, .held))
  func churn() async throws { try await Siege().attack("churn", by: .member, connections: 64) }

  @Test("no descriptor is left for one more connection", .timeLimit(.minutes(3)), .attack(by: .neighbour, .broke))
  func noDescriptors() async throws {
    let siege = try Siege()
    let world = siege.world
    let service = try #require(await world.process(of: .service))
    let limit = { (files: Int) in
      try await world.run(["prlimit", "--pid", "\(service.id)", "--nofile=\(files):16384"]).end == .exited(0)
    }
    try #require(try await limit(WorldFolder.names(in: "/proc/\(service.id)/fd").count + 8))
    let attack = try await siege.begin("idle", by: .member, connections: 64)
    let isWaiting = try await world.eventually {
      (WorldFolder.read(world.folder.log(of: "modemd")) ?? "").contains("no connection can be accepted")
    }
    #expect(isWaiting)
    // A share of a processor, not a time: who spins has all of it.
    let before = Self.ticks(service)
    try await Task.sleep(for: .seconds(1))
    #expect(Self.ticks(service) - before < sysconf(Int32(_SC_CLK_TCK)) / 2, "modemd does not wait, it spins")
    try #require(try await limit(16_384))
    let isSo = try await world.eventually { try await siege.isServed(.root) }
    #expect(isSo)
    #expect(try await siege.isServed(.third) && service.end == nil)
    attack.process.send(SIGKILL)
    _ = await attack.process.waitForEnd()
  }

  /// Processor time of a process, its own and the kernel's for it (proc(5)).
  private static func ticks(_ process: ChildProcess) -> Int {
    let text = Worlds.contents(of: "/proc/\(process.id)/stat") ?? ""
    let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
    return fields.count > 13 ? (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0) : .max
  }
}
