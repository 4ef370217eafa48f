import AuthCore
import ModemModel
import NetworkAddress
import RedirectChain

/// Runs machines for one caller and one modem, one after the other, and reports them as one flow.
package struct FlowRun: Sendable {
  /// The user for whom it runs, and whose earlier flows it may profit from; nil for none.
  package let owner: ChainRequest.Owner?
  private let driver: FlowDriver
  private let counter: StepCounter
  private let ahead = WorkAhead()
  private let onProgress: @Sendable (FlowProgress) -> Void

  package init(
    _ driver: FlowDriver, for owner: ChainRequest.Owner? = nil,
    onProgress: @escaping @Sendable (FlowProgress) -> Void
  ) {
    self.owner = owner
    self.driver = driver
    self.onProgress = onProgress
    counter = StepCounter(driver.clock)
  }

  /// Runs a machine; its steps continue the numbering of earlier machines.
  package func callAsFunction<Machine: FlowMachine>(
    _ machine: Machine, within limit: Duration = .seconds(300)
  ) async throws -> FlowEnd<Machine.Answer> {
    let (onProgress, counter) = (onProgress, counter)
    if Machine.usesBearer, let failure = try await prepareBearer() {
      return FlowEnd(failure)
    }
    let before = counter.begin()
    let end = try await driver.run(machine, within: limit, ahead, since: before.instant) {
      onProgress(counter.follow($0, before))
    }
    counter.note(end.place)
    return end
  }

  /// Begins to bring the bearer up, beside what the flow does before it needs one. Whatever has an
  /// effect at a provider waits for it all the same, by `prepareBearer` or by its machine.
  ///
  /// - Parameter lead: the chain that the flow leads to. Its connections are made ready as soon as
  ///   the bearer is up. Leave it out where the chain itself is the first thing over the bearer.
  package func beginBearer(for lead: ChainLead? = nil) {
    ahead.beginBearer(driver.lanes, driver.clock, for: lead)
  }

  /// Begins calls whose answers the flow's machines will ask for, and opens connections for later
  /// ones. An answer is given once, and only to a call that is equal.
  package func foresee(_ foresight: FlowForesight) { driver.foresee(foresight, ahead) }

  /// Begins a machine's first call, if it is one that is free of effects, as `FlowForesight` says.
  package func foresee(firstCallOf machine: some FlowMachine) {
    var machine = machine
    guard case .send(let call) = machine.start(at: now) else { return }
    foresee(FlowForesight(calls: [call]))
  }

  /// Ends what was begun ahead and not asked for. The flow is over.
  package func end() { ahead.end() }

  /// Brings the bearer up once per flow. It is for flows that ask a backend before their first
  /// machine over the bearer, or that need the bearer's addresses.
  ///
  /// - Returns: the flow's end if there is no bearer; nil if there is one.
  package func prepareBearer() async throws -> FlowOutcome? {
    guard counter.beginsPreparation() else { return nil }
    let before = counter.begin()
    let (step, failure) = try await driver.prepare(ahead, since: before.instant)
    onProgress(counter.follow(.step(step), before))
    return failure
  }

  /// Why a message to a number would not come to this modem, or could not be read, as far as that
  /// is known before it is sent; nil if nothing is known against it.
  package func messageObstacle(for number: SubscriberNumber) async -> FlowOutcome? {
    await driver.lanes.messageObstacle(number)
  }

  /// What is known against a bearer before one is asked for; nil if nothing is. It asks nobody, and
  /// costs nothing.
  package var bearerObstacle: ChainFailure? { driver.lanes.bearerObstacle() }

  /// The bearer's own addresses; empty while it is down.
  package var addresses: [IPAddress] { driver.lanes.addresses() }

  /// The time of day.
  package var now: Timestamp { driver.now() }

  /// The modem and the bearer's address that the last chain used.
  package var place: FlowPlace { counter.place }
}
