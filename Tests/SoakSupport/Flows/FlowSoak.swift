import ModemAPI
import ModemAPIClient
import ModemModel
import ScenarioRunner
import Synchronization

/// What a soak of flows does.
package struct FlowSoakPlan: Sendable {
  package var chains: Int
  /// Of each kind but chains.
  package var flows: Int
  package var seed: UInt64
  /// How many of a thousand calls bring a fault about.
  package var faultsPerThousand: Int

  package init(chains: Int = 100_000, flows: Int = 10_000, seed: UInt64 = 1, faultsPerThousand: Int = 5) {
    self.chains = chains
    self.flows = flows
    self.seed = seed
    self.faultsPerThousand = faultsPerThousand
  }

  /// How many calls.
  package var total: Int { FlowKind.allCases.reduce(0) { $0 + count(of: $1) } }

  func count(of kind: FlowKind) -> Int { kind == .chain ? chains : flows }

  /// How many are made before the first picture: everything that is made once then exists.
  func warmUp(of kind: FlowKind) -> Int { max(count(of: kind) / 10, 1) }
}

/// Chains and flows of every kind at the same time, with faults at random, in a world with the real
/// daemons: what these hold at the end is compared with what they held after a tenth.
package final class FlowSoak: Sendable {
  package let plan: FlowSoakPlan
  private let world: World
  private let caller: FlowCaller
  private let nuisances: Nuisances
  private let report: @Sendable (_ done: Int, _ faults: Int) -> Void
  private let tally = Mutex(Tally())

  private struct Tally {
    var ends: [FlowKind: [FlowEnd: Int]] = [:]
    var done = 0
  }

  /// Runs a soak in a world of its own.
  ///
  /// - Parameter report: called after each call.
  /// - Throws: `WorldError`; what goes wrong with a flow is in the report instead.
  package static func run(
    _ plan: FlowSoakPlan, kind: ModemProtocol = .mbim, programs: String? = nil,
    report: @escaping @Sendable (_ done: Int, _ faults: Int) -> Void = { _, _ in }
  ) async throws -> FlowSoakReport {
    var options = World.Options(kind: kind, programs: programs)
    options.limits = FaultTrial.limits
    options.logLevel = "error"
    let world = try await World.start(try SoakScenario.make(), options)
    do {
      let result = try await FlowSoak(plan, world, report).run()
      await world.stop()
      return result
    } catch {
      await world.stop()
      throw error
    }
  }

  private init(
    _ plan: FlowSoakPlan, _ world: World, _ report: @escaping @Sendable (_ done: Int, _ faults: Int) -> Void
  ) {
    self.plan = plan
    self.world = world
    self.report = report
    caller = FlowCaller(world: world)
    nuisances = Nuisances(world: world, seed: plan.seed)
  }

  private func run() async throws -> FlowSoakReport {
    let started = ContinuousClock.now
    var result = FlowSoakReport(plan: plan)
    // What the watches do not read in time counts as a leak, and the flows send a lot to their
    // providers by the other uplink.
    let reading = Task { [world] in
      while !Task.isCancelled {
        _ = world.leaks
        try await Task.sleep(for: .seconds(1))
      }
    }
    defer { reading.cancel() }
    try await work { 0..<plan.warmUp(of: $0) }
    result.before = try await picture(after: ContinuousClock.now - started)
    try await work { plan.warmUp(of: $0)..<max(plan.count(of: $0), plan.warmUp(of: $0)) }
    result.differences = try await world.settle(to: result.before.remains)
    result.after = try await picture(after: ContinuousClock.now - started)
    result.ends = tally.withLock(\.ends)
    result.faults = await nuisances.counts
    let leaks = world.leaks
    (result.leaks, result.resets, result.leakWords) = (leaks.packets - leaks.resets, leaks.resets, "\(leaks)")
    result.duration = ContinuousClock.now - started
    return result
  }

  /// Makes a part of the calls of each kind.
  private func work(_ part: (FlowKind) -> Range<Int>) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for kind in FlowKind.allCases {
        let rounds = part(kind)
        for lane in 0..<kind.atOnce {
          group.addTask {
            var wait = Self.shortestWait
            for round in stride(from: rounds.lowerBound + lane, to: rounds.upperBound, by: kind.atOnce) {
              try Task.checkCancellation()
              if await self.step(kind, round) {
                wait = Self.shortestWait
              } else {
                // As a program that asks again: less and less often.
                try await Task.sleep(for: wait)
                wait = min(wait * 2, Self.longestWait)
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    await nuisances.settle()
  }

  private static let shortestWait = Duration.milliseconds(20)
  private static let longestWait = Duration.seconds(1)

  /// Makes one call.
  ///
  /// - Returns: whether it had a verdict.
  private func step(_ kind: FlowKind, _ round: Int) async -> Bool {
    // The same for the same seed, in whatever order the calls come to be made.
    let number = UInt64(FlowKind.allCases.firstIndex(of: kind) ?? 0)
    var random = SplitMix64(state: plan.seed &+ number &* 1_000_003 &+ UInt64(round) &* 31)
    if Int.random(in: 0..<1000, using: &random) < plan.faultsPerThousand { await nuisances.begin() }
    let end = await caller.call(kind, isOther: round % 4 == 3, round: round)
    let done = tally.withLock { tally in
      tally.ends[kind, default: [:]][end, default: 0] += 1
      tally.done += 1
      return tally.done
    }
    report(done, await nuisances.total)
    if case .none = end { return false } else { return true }
  }

  /// What is held when nothing goes on.
  private func picture(after time: Duration) async throws -> FlowSoakReport.Picture {
    // Each kind once more without a fault, so that what is kept for the next call is there.
    for kind in FlowKind.allCases {
      for _ in 0..<50 {
        if case .right = await caller.call(kind, isOther: false, round: 0) { break }
        try await Task.sleep(for: .milliseconds(100))
      }
    }
    // Connections that wait for the next request end after ten seconds.
    try await Task.sleep(for: .seconds(15))
    var kernel = try await world.kernelPicture()
    // Where the machine has the program.
    if let rules = try? await world.run(["nft", "list", "ruleset"]), rules.end == .exited(0) {
      kernel["lines of nf_tables' rules"] = rules.output.split(separator: "\n").count
    }
    return .init(
      after: time, remains: try await world.quiet(), kernel: kernel,
      processes: await world.memoryFigures())
  }
}

/// The faults, one after the other: two at once would hide each other's end.
private actor Nuisances {
  private let world: World
  private var random: SplitMix64
  private(set) var counts: [String: Int] = [:]
  private var current: Task<Void, Never>?

  init(world: World, seed: UInt64) {
    self.world = world
    random = SplitMix64(state: seed)
  }

  var total: Int { counts.values.reduce(0, +) }

  /// Begins one, unless another goes on.
  func begin() {
    guard current == nil else { return }
    let nuisance = Nuisance.allCases.randomElement(using: &random)!
    let time = Duration.milliseconds(Int.random(in: 20...200, using: &random))
    counts[nuisance.rawValue, default: 0] += 1
    current = Task { [world] in
      await nuisance.happen(in: world, for: time)
      self.end()
    }
  }

  private func end() { current = nil }

  func settle() async { await current?.value }
}
