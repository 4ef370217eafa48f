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
    let end = try await driver.run(machine, within: limit) { onProgress(counter.follow($0, before)) }
    counter.note(end.place)
    return end
  }

  /// Brings the bearer up once per flow. It is for flows that ask a backend before their first
  /// machine over the bearer, or that need the bearer's addresses.
  ///
  /// - Returns: the flow's end if there is no bearer; nil if there is one.
  package func prepareBearer() async throws -> FlowOutcome? {
    guard counter.beginsPreparation() else { return nil }
    let before = counter.begin()
    let (step, failure) = try await driver.prepare()
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
