import ModemModel
import Testing

@Suite struct `The machine of a SIM's state` {
  private typealias State = SIMStatus.State
  private static let delays: [Duration] = [.seconds(1), .seconds(2)]

  /// What the modem says, what counts after each word, and what is to be done about it.
  struct Course: Sendable, CustomTestStringConvertible {
    let name: String
    let words: [SIMStatus]
    let shown: [SIMStatus.State]
    let actions: [[SIMMachine.Action]]
    var testDescription: String { name }

    init(
      _ name: String, _ words: [SIMStatus.State], _ shown: [SIMStatus.State],
      _ actions: [[SIMMachine.Action]] = []
    ) {
      self.name = name
      self.words = words.map { SIMStatus(state: $0, retriesLeft: $0 == .pinRequired ? 3 : nil) }
      self.shown = shown
      self.actions = actions + Array(repeating: [], count: words.count - actions.count)
    }
  }

  private static let soon: [SIMMachine.Action] = [.askAgain(after: .seconds(1))]
  private static let later: [SIMMachine.Action] = [.askAgain(after: .seconds(2))]

  static let courses: [Course] = [
    Course("ready at once", [.ready], [.ready]),
    Course("not activated", [.notActivated], [.notActivated]),
    Course("failed", [.failed], [.failed]),
    Course("PUK", [.pukRequired], [.pukRequired]),
    Course(
      "absent for good", [.absent, .absent, .absent, .absent], [.initialising, .initialising, .absent, .absent],
      [soon, later]),
    Course(
      "denied while starting", [.absent, .absent, .ready], [.initialising, .initialising, .ready], [soon, later]),
    Course(
      "read, denied, ready", [.initialising, .absent, .ready], [.initialising, .initialising, .ready], [soon, later]),
    Course(
      "never done", [.initialising, .initialising, .initialising, .initialising],
      [.initialising, .initialising, .initialising, .initialising], [soon, later]),
    Course("not known yet", [.unknown, .ready], [.unknown, .ready], [soon]),
    Course("taken out", [.ready, .absent], [.ready, .absent]),
    Course(
      "taken out and put back", [.ready, .absent, .initialising, .absent, .ready],
      [.ready, .absent, .initialising, .initialising, .ready], [[], [], soon, later]),
    Course("PIN, once", [.pinRequired, .pinRequired, .ready], [.pinRequired, .pinRequired, .ready], [[.offerPIN]]),
    Course(
      "PIN again after a restart of the card", [.pinRequired, .initialising, .pinRequired],
      [.pinRequired, .initialising, .pinRequired], [[.offerPIN], soon, [.offerPIN]]),
    Course("PIN, then PUK", [.pinRequired, .pukRequired], [.pinRequired, .pukRequired], [[.offerPIN]]),
    Course("PIN after a doubt", [.absent, .pinRequired], [.initialising, .pinRequired], [soon, [.offerPIN]]),
    Course("PUK, solved in a phone", [.pukRequired, .absent, .ready], [.pukRequired, .absent, .ready]),
  ]

  @Test(arguments: courses) func `goes its course`(course: Course) {
    var machine = SIMMachine(delays: Self.delays)
    _ = machine.handle(.started)
    for (index, word) in course.words.enumerated() {
      let actions = machine.handle(.reported(word))
      #expect(machine.shown.state == course.shown[index], "word \(index)")
      #expect(actions == course.actions[index], "word \(index)")
      let asks = actions.contains { if case .askAgain = $0 { true } else { false } }
      #expect(machine.isSettling == asks, "word \(index)")
    }
  }

  @Test func `keeps what the modem tells`() {
    var machine = SIMMachine(delays: [])
    let status = SIMStatus(
      state: .ready, slot: 2, iccid: ICCID("8944110012345678901"), imsi: IMSI("234150123456789"),
      numbers: [PhoneNumber("+447700900123", source: .dms)], home: Network(PLMN("23415")!))
    #expect(machine.handle(.reported(status)).isEmpty)
    #expect(machine.shown == status)
  }

  @Test func `offers a PIN to another SIM, and after another start`() {
    var machine = SIMMachine(delays: [])
    var status = SIMStatus(state: .pinRequired, retriesLeft: 3, iccid: ICCID("1"))
    #expect(machine.handle(.reported(status)) == [.offerPIN])
    #expect(machine.handle(.reported(status)) == [])
    status.iccid = ICCID("2")
    #expect(machine.handle(.reported(status)) == [.offerPIN])
    _ = machine.handle(.started)
    #expect(machine.handle(.reported(status)) == [.offerPIN])
  }

  @Test func `believes absence at once where it is told to`() {
    var machine = SIMMachine(delays: [])
    _ = machine.handle(.started)
    #expect(machine.handle(.reported(SIMStatus(state: .absent))) == [])
    #expect(machine.shown.state == .absent && !machine.isSettling)
  }
}

@Suite struct `The policy for a deposited PIN` {
  private static let pin = PIN("1234")!

  @Test(
    arguments: [
      (pin, 3, false, .enter(pin)), (pin, 2, false, .enter(pin)), (pin, 1, false, .withhold(.lastAttempt)),
      (pin, 0, false, .withhold(.lastAttempt)), (pin, nil, false, .withhold(.attemptsUnknown)),
      (pin, 3, true, .withhold(.refusedBefore)), (pin, 1, true, .withhold(.refusedBefore)),
      (nil, 3, false, .withhold(.none)),
    ] as [(PIN?, Int?, Bool, PINPolicy.Decision)])
  func `enters it only where that is safe`(pin: PIN?, left: Int?, isRefused: Bool, decision: PINPolicy.Decision) {
    #expect(PINPolicy.decide(pin, retriesLeft: left, isRefused: isRefused) == decision)
  }
}
