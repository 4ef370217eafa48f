import AuthCore
import ModemModel

/// Runs machines for one caller and one modem, one after the other, and tells of what they do as of one flow.
public struct FlowRun: Sendable {
  private let driver: FlowDriver
  private let counter: StepCounter
  private let onProgress: @Sendable (FlowProgress) -> Void

  public init(_ driver: FlowDriver, onProgress: @escaping @Sendable (FlowProgress) -> Void) {
    self.driver = driver
    self.onProgress = onProgress
    counter = StepCounter()
  }

  /// Runs a machine; its steps are counted on from those of the machines before it.
  public func callAsFunction<Machine: FlowMachine>(
    _ machine: Machine, within limit: Duration = .seconds(300)
  ) async throws -> FlowEnd<Machine.Answer> {
    let (onProgress, counter) = (onProgress, counter)
    if Machine.usesBearer, counter.beginsPreparation() {
      let before = counter.begin()
      let (step, failure) = try await driver.prepare()
      onProgress(counter.follow(.step(step), before))
      if let failure { return FlowEnd(outcome: failure, answer: nil, modem: nil, source: nil, time: counter.time) }
    }
    let before = counter.begin()
    let end = try await driver.run(machine, within: limit) { onProgress(counter.follow($0, before)) }
    counter.note(modem: end.modem, source: end.source)
    return end
  }

  /// The time of day.
  public var now: Timestamp { driver.now() }

  /// The modem and the bearer's address that the last chain used.
  public var place: (modem: String?, source: String?) { counter.place }
}
