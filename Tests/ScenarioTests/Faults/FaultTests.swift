import ModemModel
import ScenarioRunner
import SoakSupport
import Testing
import modem_simulator

/// Every fault in a world: what the caller is told, and that nothing is left behind.
/// `modem-simulator faults` shows the same.
@Suite(.serialized, .timeLimit(.minutes(15)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct FaultTests {
  /// Both protocols at once: a fault is mostly waited for.
  @Test func `every fault is told as it should be, ends, and leaves nothing`() async throws {
    async let mbim: Void = walk(.mbim)
    async let qmi: Void = walk(.qmi)
    _ = try await (mbim, qmi)
  }

  private func walk(_ kind: ModemProtocol) async throws {
    let trial = try await FaultTrial.start(try Scenario(text: "{}"), kind: kind)
    do {
      for fault in FaultCase.all(kind) {
        let row = try await trial.run(fault)
        #expect(row.problems.isEmpty, "\(row.title), asked: \(row.asked), told: \(row.sight), events: \(row.events)")
      }
    } catch {
      Issue.record(error)
    }
    let leaks = trial.world.leaks
    #expect(leaks.packets == 0, "\(leaks)")
    await trial.world.stop()
  }

  @Test func `there are more than thirty faults, and each has a name of its own`() {
    let titles = ModemProtocol.allCases.map { FaultCase.all($0).map(\.title) }
    #expect(Set(titles[0] + titles[1]).count >= 30)
    for titles in titles { #expect(Set(titles).count == titles.count) }
  }
}

@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct SoakTests {
  @Test(arguments: ModemProtocol.allCases)
  func `a short soak with many faults leaves nothing`(kind: ModemProtocol) async throws {
    let plan = SoakPlan(cycles: 100, queries: 1000, seed: 7, faultsPerThousand: 100)
    let report = try await Soak.run(plan, kind: kind)
    #expect(report.problems.isEmpty, "\(report.text)")
    #expect(report.cycles == 100)
    #expect(report.queries >= 1000)
    #expect(report.faults > 0)
  }

  @Test func `a short soak of chains and flows of each kind has no wrong verdict and leaves nothing`() async throws {
    let plan = FlowSoakPlan(chains: 200, flows: 24, seed: 7, faultsPerThousand: 20)
    let report = try await FlowSoak.run(plan)
    #expect(report.problems.isEmpty, "\(report.text)")
    #expect(report.calls == 200 + 24 * 10 && report.wrongs == 0)
    #expect(report.faultCount > 0)
  }
}
