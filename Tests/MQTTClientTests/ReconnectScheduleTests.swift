import Testing

@testable import MQTTClient

@Suite struct ReconnectScheduleTests {
  /// The same numbers in each run.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var value = state
      value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
      value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
      return value ^ (value >> 31)
    }
  }

  @Test("The windows double from 1 s to 5 min, and no further")
  func windows() {
    var dice = Dice(state: 1)
    var schedule = ReconnectSchedule(fleetSize: 1)
    var windows: [Duration] = []
    for _ in 0..<12 {
      windows.append(schedule.window)
      let wait = schedule.failed(using: &dice)
      #expect(wait >= .zero && wait <= windows.last!)
    }
    #expect(windows == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300].map { .seconds($0) })
  }

  @Test("Only a connection that held for a minute begins the windows anew")
  func reset() {
    var dice = Dice(state: 2)
    var schedule = ReconnectSchedule(fleetSize: 1)
    for _ in 0..<6 { _ = schedule.failed(using: &dice) }
    _ = schedule.lost(.link, upFor: .seconds(59), using: &dice)
    #expect(schedule.window == .seconds(128))
    _ = schedule.lost(.link, upFor: .seconds(60), using: &dice)
    #expect(schedule.window == .seconds(2))
  }

  @Test("The loss of the broker spreads the attempts of a fleet, the loss of a link does not")
  func spread() {
    var dice = Dice(state: 3)
    var schedule = ReconnectSchedule(fleetSize: 10_000)
    #expect(schedule.window == .seconds(1))
    _ = schedule.lost(.link, upFor: .seconds(600), using: &dice)
    #expect(schedule.window == .seconds(2))
    _ = schedule.lost(.broker, upFor: .seconds(600), using: &dice)
    #expect(schedule.window == .seconds(100))
    for _ in 0..<8 { _ = schedule.failed(using: &dice) }
    #expect(schedule.window == .seconds(300))
    _ = schedule.lost(.link, upFor: .seconds(600), using: &dice)
    #expect(schedule.window == .seconds(2))
  }

  @Test("Sizes without sense do no harm", arguments: [Int.min, -1, 0, Int.max])
  func sizes(_ size: Int) {
    var dice = Dice(state: 4)
    var schedule = ReconnectSchedule(fleetSize: size)
    #expect(schedule.lost(.broker, upFor: .zero, using: &dice) >= .zero)
  }

  @Test(
    "5,000 machines that lose their broker do not come back as a storm, however long it is away",
    arguments: [0, 5, 30, 120, 600])
  func storm(_ outage: Int) {
    var dice = Dice(state: 5)
    var attempts: [Int: Int] = [:]
    var returns: [Int: Int] = [:]
    var last = 0.0
    for _ in 0..<5000 {
      var schedule = ReconnectSchedule(fleetSize: 5000)
      var time = schedule.lost(.broker, upFor: .seconds(3600), using: &dice) / .seconds(1)
      while time < Double(outage) {
        attempts[Int(time), default: 0] += 1
        time += schedule.failed(using: &dice) / .seconds(1)
      }
      returns[Int(time), default: 0] += 1
      last = max(last, time)
    }
    // One thread of mosquitto does 500 handshakes a second, and refuses many more than that.
    let mostReturns = returns.values.max() ?? 0
    #expect(mostReturns <= 300, "\(mostReturns) in one second")
    #expect((attempts.values.max() ?? 0) <= 400)
    // All are back within two windows.
    #expect(last <= Double(outage) + 2 * 300)
    if outage == 0 { #expect(last <= 25.001) }
  }
}
