import LimitClock
import Testing

@testable import ModemService

@Suite("Turns of flows") struct FlowScheduleTests {
  private static let start = LimitClock.Instant(.zero)
  private static let a = Caller(userID: 1000)
  private static let b = Caller(userID: 1001)
  private static let c = Caller(userID: 1002)

  /// A schedule whose flows have names, in the order of what happened to them.
  private struct Trial {
    var schedule: FlowSchedule
    var names: [FlowSchedule.ID: String] = [:]
    var ids: [String: FlowSchedule.ID] = [:]
    var log: [String] = []
    var now = FlowScheduleTests.start

    init(_ limits: FlowLimits) { schedule = FlowSchedule(limits) }

    mutating func ask(_ name: String, _ caller: Caller, _ bearer: String = "wwan0") {
      switch schedule.ask(caller, bearer: bearer, now: now) {
      case .runs(let id):
        (names[id], ids[name]) = (name, id)
        log.append("+\(name)")
      case .waits(let id): (names[id], ids[name]) = (name, id)
      case .refused(let limit, _): log.append("!\(name) \(limit)")
      }
    }

    mutating func change(to limits: FlowLimits) -> [String] {
      schedule.change(to: limits, now: now).map { names[$0]! }
    }

    mutating func end(_ name: String) {
      now = now + .seconds(1)
      for id in schedule.end(ids[name]!, now: now) { log.append("+\(names[id]!)") }
    }
  }

  @Test("Flows run at once below the limits; beyond them they wait, and run in their order")
  func order() {
    var trial = Trial(FlowLimits(perBearer: 2, perCaller: 2, waiting: 9, waitingPerCaller: 9))
    for name in ["1", "2", "3", "4"] { trial.ask(name, Self.a) }
    #expect(trial.log == ["+1", "+2"])
    trial.end("2")
    trial.end("1")
    #expect(trial.log == ["+1", "+2", "+3", "+4"])
    #expect(trial.schedule.runningCount(over: "wwan0") == 2)
  }

  @Test("Other limits hold for flows that begin or wait; none that runs is ended")
  func change() {
    var trial = Trial(FlowLimits(perBearer: 2, perCaller: 9, waiting: 9, waitingPerCaller: 9))
    for name in ["1", "2", "3", "4"] { trial.ask(name, Self.a) }
    #expect(trial.change(to: FlowLimits(perBearer: 1, perCaller: 9, waiting: 2, waitingPerCaller: 2)) == [])
    #expect(trial.schedule.runningCount(over: "wwan0") == 2)
    trial.ask("5", Self.b)
    trial.end("1")
    #expect(trial.log == ["+1", "+2", "!5 2"])
    #expect(trial.change(to: FlowLimits(perBearer: 3, perCaller: 9, waiting: 9, waitingPerCaller: 9)) == ["3", "4"])
  }

  @Test("Callers take turns, however many flows one of them has waiting")
  func turns() {
    var trial = Trial(FlowLimits(perBearer: 1, perCaller: 9, waiting: 99, waitingPerCaller: 99))
    for name in ["a1", "a2", "a3", "a4"] { trial.ask(name, Self.a) }
    for name in ["b1", "b2"] { trial.ask(name, Self.b) }
    trial.ask("c1", Self.c)
    for name in ["a1", "a2", "b1", "c1", "a3", "b2", "a4"] { trial.end(name) }
    #expect(trial.log == ["+a1", "+a2", "+b1", "+c1", "+a3", "+b2", "+a4"])
  }

  @Test("A caller at its own limit waits while others run, and others' waiting does not hold it")
  func perCaller() {
    var trial = Trial(FlowLimits(perBearer: 3, perCaller: 2, waiting: 9, waitingPerCaller: 9))
    for name in ["a1", "a2", "a3"] { trial.ask(name, Self.a) }
    trial.ask("b1", Self.b)
    #expect(trial.log == ["+a1", "+a2", "+b1"])
    // The place that b leaves is not a's: it has its two.
    trial.end("b1")
    #expect(trial.log == ["+a1", "+a2", "+b1"])
    trial.end("a1")
    #expect(trial.log == ["+a1", "+a2", "+b1", "+a3"])
  }

  @Test("A full bearer does not hold flows of the same caller over another one")
  func bearers() {
    var trial = Trial(FlowLimits(perBearer: 1, perCaller: 2, waiting: 9, waitingPerCaller: 9))
    trial.ask("x1", Self.a, "wwan0")
    trial.ask("x2", Self.a, "wwan0")
    trial.ask("y1", Self.a, "wwan1")
    trial.ask("y2", Self.a, "wwan1")
    #expect(trial.log == ["+x1", "+y1"])
    trial.end("y1")
    #expect(trial.log == ["+x1", "+y1", "+y2"])
    trial.end("x1")
    #expect(trial.log == ["+x1", "+y1", "+y2", "+x2"])
  }

  @Test("The queue is bounded for each caller and in all; who is refused hears the limit that was reached")
  func refusal() {
    var trial = Trial(FlowLimits(perBearer: 1, perCaller: 1, waiting: 3, waitingPerCaller: 2))
    for name in ["a1", "a2", "a3", "a4"] { trial.ask(name, Self.a) }
    for name in ["b1", "b2"] { trial.ask(name, Self.b) }
    #expect(trial.log == ["+a1", "!a4 2", "!b2 3"])
    var none = Trial(FlowLimits(perBearer: 1, perCaller: 1, waiting: 0, waitingPerCaller: 5))
    none.ask("1", Self.a)
    none.ask("2", Self.a)
    #expect(none.log == ["+1", "!2 0"])
  }

  @Test("When to ask again grows with those that wait and with the time that flows take")
  func retry() {
    func retry(flowsTake time: Duration, waiting: Int) -> Duration? {
      var schedule = FlowSchedule(FlowLimits(perBearer: 1, perCaller: 1, waiting: waiting, waitingPerCaller: waiting))
      var now = Self.start
      for _ in 0..<100 {
        guard case .runs(let id) = schedule.ask(Self.a, bearer: "w", now: now) else { return nil }
        now = now + time
        _ = schedule.end(id, now: now)
      }
      for _ in 0...waiting { _ = schedule.ask(Self.a, bearer: "w", now: now) }
      guard case .refused(_, let after) = schedule.ask(Self.a, bearer: "w", now: now) else { return nil }
      return after
    }
    let times = [retry(flowsTake: .milliseconds(500), waiting: 4), retry(flowsTake: .milliseconds(500), waiting: 40)]
    #expect(times[0].map { abs($0 / .seconds(1) - 2) < 0.01 } == true, "\(times)")
    #expect(times[1].map { abs($0 / .seconds(1) - 20) < 0.1 } == true, "\(times)")
    #expect(retry(flowsTake: .milliseconds(1), waiting: 1) == .milliseconds(100))
    #expect(retry(flowsTake: .seconds(300), waiting: 10) == .seconds(60))
  }

  @Test("Who leaves the queue holds no place in it, and another may come")
  func leaving() {
    var trial = Trial(FlowLimits(perBearer: 1, perCaller: 1, waiting: 1, waitingPerCaller: 1))
    trial.ask("1", Self.a)
    trial.ask("2", Self.a)
    let two = trial.ids["2"]!
    let left = [trial.schedule.leave(two), trial.schedule.leave(two)]
    #expect(left == [true, false])
    trial.ask("3", Self.a)
    trial.end("1")
    #expect(trial.log == ["+1", "+3"])
    let ended = trial.schedule.end(two, now: trial.now)
    #expect(ended == [])
  }

  @Test("Whatever comes in whatever order, the limits hold and nobody who could run waits", arguments: 0..<20)
  func anything(seed: Int) {
    var generator = Generator(state: UInt64(seed))
    let limits = FlowLimits(perBearer: 3, perCaller: 4, waiting: 12, waitingPerCaller: 6)
    let callers = [Self.a, Self.b, Self.c]
    var schedule = FlowSchedule(limits)
    var known: [FlowSchedule.ID: (caller: Caller, bearer: String)] = [:]
    var running: [FlowSchedule.ID] = []
    var waiting: [FlowSchedule.ID] = []
    var now = Self.start
    func count(_ ids: [FlowSchedule.ID], _ matches: ((caller: Caller, bearer: String)) -> Bool) -> Int {
      ids.count { known[$0].map(matches) ?? false }
    }
    for _ in 0..<400 {
      now = now + .milliseconds(10)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0..<3:
        let flow = (
          caller: callers.randomElement(using: &generator)!, bearer: ["x", "y"].randomElement(using: &generator)!
        )
        switch schedule.ask(flow.caller, bearer: flow.bearer, now: now) {
        case .runs(let id):
          known[id] = flow
          running.append(id)
        case .waits(let id):
          known[id] = flow
          waiting.append(id)
        case .refused:
          #expect(waiting.count == 12 || count(waiting) { $0.caller == flow.caller } == 6)
        }
      case 3:
        guard let id = running.randomElement(using: &generator) else { continue }
        running.removeAll { $0 == id }
        for started in schedule.end(id, now: now) {
          #expect(waiting.contains(started))
          waiting.removeAll { $0 == started }
          running.append(started)
        }
      default:
        guard let id = waiting.randomElement(using: &generator) else { continue }
        waiting.removeAll { $0 == id }
        let didLeave = schedule.leave(id)
        #expect(didLeave)
      }
      for caller in callers { #expect(count(running) { $0.caller == caller } <= 4) }
      for bearer in ["x", "y"] {
        #expect(count(running) { $0.bearer == bearer } <= 3)
        #expect(schedule.runningCount(over: bearer) == count(running) { $0.bearer == bearer })
      }
      for id in waiting {
        let flow = known[id]!
        #expect(count(running) { $0.caller == flow.caller } == 4 || count(running) { $0.bearer == flow.bearer } == 3)
      }
    }
  }
}

/// The same numbers in every run (SplitMix64).
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }
}

@Suite("Shares of flows") struct FlowShareTests {
  private static let limits = FlowLimits(perBearer: 64, perCaller: 256, waiting: 32, waitingPerCaller: 32)
  private let now = LimitClock.Instant(.zero)

  /// How many of a caller's flows run at once when it asks for many.
  private func running(_ caller: Caller, in schedule: inout FlowSchedule) -> Int {
    (0..<100).count { _ in
      if case .runs = schedule.ask(caller, bearer: "wwan0", now: now) { true } else { false }
    }
  }

  @Test("One caller leaves a quarter of a bearer to others, and all others a sixteenth to root")
  func shares() {
    var schedule = FlowSchedule(Self.limits)
    #expect(running(Caller(userID: 1000), in: &schedule) == 48)
    #expect(running(Caller(userID: 1001), in: &schedule) == 12)
    #expect(running(Caller(userID: 1002), in: &schedule) == 0)
    #expect(running(Caller(userID: 0), in: &schedule) == 4)
  }

  @Test("Root finds a place among those that wait when all others' are taken")
  func waiting() {
    var schedule = FlowSchedule(FlowLimits(perBearer: 1, perCaller: 1, waiting: 32, waitingPerCaller: 99))
    for user: UInt32 in 1...40 { _ = schedule.ask(Caller(userID: user), bearer: "wwan0", now: now) }
    guard case .refused = schedule.ask(Caller(userID: 99), bearer: "wwan0", now: now) else {
      Issue.record("one more waits")
      return
    }
    guard case .waits = schedule.ask(Caller(userID: 0), bearer: "wwan0", now: now) else {
      Issue.record("root does not wait")
      return
    }
  }
}
