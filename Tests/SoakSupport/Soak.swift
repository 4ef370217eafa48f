import ModemAPI
import ModemAPIClient
import ModemModel
import ModemSimulator
import PortAPI
import ScenarioRunner

/// A bearer up and down ten thousand times, with questions between and faults at random, in a world
/// with the real daemons: what they hold at the end is compared with what they held after the first
/// hundred times.
package struct Soak: Sendable {
  /// Where a soak is.
  package struct Progress: Sendable {
    package var cycles = 0
    package var queries = 0
    package var faults = 0
  }

  package let plan: SoakPlan
  package let kind: ModemProtocol
  private let world: World
  private let report: @Sendable (Progress) -> Void

  /// Runs a soak in a world of its own.
  /// - Parameter report: called after each cycle.
  /// - Throws: `WorldError`; errors of the daemons are in the report instead.
  package static func run(
    _ plan: SoakPlan, kind: ModemProtocol, programs: String? = nil,
    report: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws -> SoakReport {
    var options = World.Options(kind: kind, programs: programs)
    options.limits = FaultTrial.limits
    let world = try await World.start(try Scenario(text: "{}", providers: []), options)
    do {
      let result = try await Soak(plan: plan, kind: kind, world: world, report: report).run()
      await world.stop()
      return result
    } catch {
      await world.stop()
      throw error
    }
  }

  private func run() async throws -> SoakReport {
    let started = ContinuousClock.now
    var faults = SoakFaults(plan)
    var progress = Progress()
    var result = SoakReport(plan: plan, kind: kind)
    let queriesBefore = queries
    for cycle in 1...max(plan.cycles, 1) {
      try Task.checkCancellation()
      if let fault = faults.next() {
        world.modem.setFaults([fault])
        progress.faults += 1
      }
      try await oneCycle(&result)
      while queries - queriesBefore < plan.queries(after: cycle) { try await refresh(&result) }
      world.modem.setFaults([])
      try await plugInAgain()
      progress.cycles = cycle
      progress.queries = queries - queriesBefore
      report(progress)
      if cycle == plan.warmUp { result.before = try await sample(&result, since: started) }
      if cycle % max(plan.cycles / 10, 1) == 0 { _ = try await sample(&result, since: started, isQuiet: false) }
    }
    (result.cycles, result.queries, result.faults) = (progress.cycles, progress.queries, progress.faults)
    result.after = try await sample(&result, since: started, against: result.before)
    result.leaks = world.leaks.packets
    result.duration = ContinuousClock.now - started
    return result
  }

  /// One cycle up and down; a failure is tried again, as a program would.
  private func oneCycle(_ result: inout SoakReport) async throws {
    try await untilItWorks(&result, "connect") {
      let client = try await ModemAPIClient.connect(to: world.folder.socket)
      _ = try await client.call(BearerInterface.Connect.self, .init())
    }
    try await untilItWorks(&result, "disconnect") {
      let client = try await ModemAPIClient.connect(to: world.folder.socket)
      _ = try await client.call(BearerInterface.Disconnect.self, .init())
    }
  }

  private func refresh(_ result: inout SoakReport) async throws {
    try await untilItWorks(&result, "refresh") {
      let client = try await ModemAPIClient.connect(to: await world.portSocket)
      _ = try await client.call(PortInterface.Refresh.self, .init())
    }
  }

  private func untilItWorks(
    _ result: inout SoakReport, _ name: String, _ call: () async throws -> Void
  ) async throws {
    let deadline = ContinuousClock.now + .seconds(120)
    while true {
      do {
        return try await call()
      } catch {
        result.failures[name, default: 0] += 1
        try await plugInAgain()
        guard ContinuousClock.now < deadline else {
          throw WorldError(
            .notReady, "the soak is stuck: \(name) does not work for two minutes", cause: faultWords(error))
        }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// A modem that hung up is plugged in again, unless it returns by itself.
  private func plugInAgain() async throws {
    guard world.modem.snapshot.path == nil else { return }
    do {
      try await world.plugIn()
    } catch let error as SimulatorError where error.code == .alreadyPluggedIn {}
  }

  private var queries: Int {
    world.modem.snapshot.commands.filter { !Self.changing.contains($0.key) }.values.reduce(0, +)
  }

  private static let changing: Set<ModemOperation> = [
    .open, .close, .connect, .disconnect, .clientIDs, .subscribe, .pin,
  ]

  /// Records what is held, without faults and after everything in progress has finished.
  /// - Parameter before: what should be held again, after some time if necessary.
  @discardableResult
  private func sample(
    _ result: inout SoakReport, since start: ContinuousClock.Instant, isQuiet: Bool = true,
    against before: Remains? = nil
  ) async throws -> Remains {
    if isQuiet {
      world.modem.setFaults([])
      try await oneCycle(&result)
      try await refresh(&result)
    }
    if let before { result.differences = try await world.settle(to: before) }
    let remains = isQuiet ? try await world.quiet() : Remains()
    var memory = SoakReport.Sample(after: ContinuousClock.now - start, isQuiet: isQuiet)
    for daemon in World.Daemon.allCases {
      guard let id = await world.process(of: daemon)?.id else { continue }
      memory.kilobytes[daemon.rawValue] = ProcessFigures.memory(of: id)
      memory.threads[daemon.rawValue] = ProcessFigures.threads(of: id)
    }
    result.samples.append(memory)
    return remains
  }
}
