import ModemModel
import NetworkAddress
import Testing

@testable import ModemPort

/// A bearer's life as a table: what happens, where the bearer is then, and what is to be done.
@Suite struct `The machine of a bearer's life` {
  typealias Machine = BearerMachine

  static let request = BearerRequest(apn: "internet")
  static let wish = Machine.Wish(
    request: BearerRequest(apn: "internet", isKept: true), owner: BearerOwner(modem: "modem-1", sim: "sim-1"))
  static let bearer = installed("10.64.0.2")
  static let other = installed("10.64.0.6")
  static let dropped = NetworkCause.session(36)
  static let gone = NetworkCause(code: nil, text: "a route is gone")

  static func installed(_ address: String) -> InstalledBearer {
    InstalledBearer(
      settings: BearerSettings(ipv4: .init(prefix: IPPrefix(IPAddress(address)!, length: 30)!)), interface: "wwan0",
      interfaceIndex: 7, table: 7307)
  }

  static func machine(reconnects: Bool = true) -> Machine {
    Machine(
      status: BearerStatus(since: Timestamp(milliseconds: 0)), backoff: ReconnectBackoff(), reconnects: reconnects,
      probes: true)
  }

  /// Courses begin with these.
  static let up: [Machine.Event] = [
    .begun(request, for: nil), .attaching, .connecting, .configuring, .installed(bearer),
  ]
  static let kept = up + [.granted(wish, wasUp: false)]

  /// Some events, one a second, and what the last of them leads to.
  struct Course: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let events: [Machine.Event]
    let phase: Machine.Phase
    let shown: BearerState
    let actions: [Machine.Action]

    init(
      _ name: String, _ events: [Machine.Event], _ phase: Machine.Phase, _ shown: BearerState,
      _ actions: [Machine.Action] = []
    ) {
      (testDescription, self.events, self.phase, self.shown, self.actions) = (name, events, phase, shown, actions)
    }
  }

  static let comingUp: [Course] = [
    Course("nothing happened", [], .idle, .down(nil)),
    Course("begun", [.begun(request, for: nil)], .comingUp, .down(nil), [.bringUp(request, for: nil)]),
    Course("begun twice", [.begun(request, for: nil), .begun(request, for: nil)], .comingUp, .down(nil)),
    Course("attaching", Array(up.prefix(2)), .comingUp, .attaching),
    Course("connecting", Array(up.prefix(3)), .comingUp, .connecting),
    Course("configuring", Array(up.prefix(4)), .comingUp, .configuring),
    Course("installed", up, .up(bearer), .up(bearer), [.watch(bearer), .log(.up(bearer))]),
    Course("refused", Array(up.prefix(3)) + [.failed(.session(33))], .idle, .failed(.session(33))),
    Course(
      "refused, and the modem does not confirm the end",
      Array(up.prefix(3)) + [.modemTold(isConfirmed: false), .failed(.session(33))], .releasing, .failed(.session(33)),
      [.log(.releasing), .awaitRelease]),
    Course("broken off", Array(up.prefix(3)) + [.ended(nil)], .breakingOff(nil), .connecting, [.breakOff]),
    Course(
      "what is said while it is broken off changes nothing",
      Array(up.prefix(3)) + [.ended(nil), .configuring, .installed(bearer), .failed(dropped), .ended(dropped)],
      .breakingOff(nil), .connecting),
    Course(
      "broken off whole", Array(up.prefix(3)) + [.ended(nil), .takenDown], .idle, .down(nil),
      [.log(.down(nil)), .reconsiderSharing]),
    Course("what comes of an attempt that is over", [.installed(bearer)], .idle, .down(nil)),
  ]

  static let beingUp: [Course] = [
    Course(
      "new settings", up + [.renewed(bearer, other)], .up(other), .up(other), [.watch(other), .log(.renewed(other))]),
    Course("new settings of an older one", up + [.renewed(other, other)], .up(bearer), .up(bearer)),
    Course(
      "damaged", up + [.damaged(bearer, gone)], .damaged(bearer, gone), .up(bearer), [.showFault("a route is gone")]),
    Course(
      "damaged and kept", kept + [.damaged(bearer, gone)], .damaged(bearer, gone), .up(bearer),
      [.showFault("a route is gone"), .end(gone)]),
    Course("damage to an older one", up + [.damaged(other, gone)], .up(bearer), .up(bearer)),
    Course(
      "damaged twice", up + [.damaged(bearer, gone), .damaged(bearer, dropped)], .damaged(bearer, gone), .up(bearer)),
    Course("repaired", up + [.damaged(bearer, gone), .verified(bearer)], .up(bearer), .up(bearer), [.forgetFault]),
    Course("as it should be", up + [.verified(bearer)], .up(bearer), .up(bearer)),
    Course("lost", up + [.lost(bearer, dropped)], .goingDown(dropped), .down(dropped), [.takeDown(bearer)]),
    Course("an older one lost", up + [.lost(other, dropped)], .up(bearer), .up(bearer)),
    Course("dropped", up + [.ended(dropped)], .goingDown(dropped), .down(dropped), [.takeDown(bearer)]),
    Course("taken down", up + [.ended(nil)], .goingDown(nil), .disconnecting, [.takeDown(bearer)]),
    Course(
      "damaged, then taken down", up + [.damaged(bearer, gone), .ended(gone)], .goingDown(gone), .down(gone),
      [.takeDown(bearer)]),
    Course("ended twice", up + [.ended(nil), .ended(dropped)], .goingDown(nil), .disconnecting),
  ]

  static let goingDown: [Course] = [
    Course(
      "down", up + [.ended(nil), .modemTold(isConfirmed: true), .takenDown], .idle, .down(nil),
      [.log(.down(nil)), .reconsiderSharing, .unwatch, .forgetFault]),
    Course(
      "down, and the modem does not confirm it", up + [.ended(nil), .modemTold(isConfirmed: false), .takenDown],
      .releasing, .down(nil),
      [.log(.releasing), .awaitRelease, .log(.down(nil)), .reconsiderSharing, .unwatch, .forgetFault]),
    Course(
      "nothing begins before it does",
      up + [.ended(nil), .modemTold(isConfirmed: false), .takenDown, .begun(request, for: nil), .ended(dropped)],
      .releasing, .down(nil)),
    Course(
      "confirmed at last", up + [.ended(nil), .modemTold(isConfirmed: false), .takenDown, .released], .idle, .down(nil)),
    Course("an end of nothing", [.ended(dropped)], .idle, .down(nil)),
    Course("words about nothing", [.takenDown, .released, .verified(bearer), .timer(attempt: 1)], .idle, .down(nil)),
  ]

  static let comingBack: [Course] = [
    Course(
      "granted to stay", kept, .up(bearer), .up(bearer), [.writeDown(wish.request)]),
    Course(
      "kept and dropped", kept + [.ended(dropped), .takenDown], .idle, .down(dropped),
      [
        .log(.down(dropped)), .wait(.seconds(1), attempt: 1), .reconsiderSharing, .unwatch, .forgetFault,
      ]),
    Course(
      "kept and dropped for a cause that stays", kept + [.ended(.session(33)), .takenDown], .idle, .down(.session(33)),
      [
        .log(.down(.session(33))), .wait(.seconds(600), attempt: 1), .reconsiderSharing, .unwatch, .forgetFault,
      ]),
    Course(
      "kept and taken down", kept + [.givenUp, .ended(nil), .takenDown], .idle, .down(nil),
      [.log(.down(nil)), .reconsiderSharing, .unwatch, .forgetFault]),
    Course(
      "waited for", kept + [.ended(dropped), .takenDown, .timer(attempt: 1)], .idle, .down(dropped), [.attempt(wish)]),
    Course("another wait", kept + [.ended(dropped), .takenDown, .timer(attempt: 2)], .idle, .down(dropped)),
    Course(
      "given up while it is waited for", kept + [.ended(dropped), .takenDown, .givenUp], .idle, .down(dropped),
      [.stopWaiting]),
    Course(
      "given up, and then its time", kept + [.ended(dropped), .takenDown, .givenUp, .timer(attempt: 1)], .idle,
      .down(dropped)),
    Course(
      "begun by a caller while it is waited for", kept + [.ended(dropped), .takenDown, .begun(request, for: nil)],
      .comingUp, .down(dropped), [.stopWaiting, .bringUp(request, for: nil)]),
    Course(
      "missed and not kept", [.begun(request, for: nil), .failed(dropped), .missed(isLasting: false)], .idle,
      .failed(dropped)),
    Course(
      "missed again",
      kept + [
        .ended(dropped), .takenDown, .timer(attempt: 1), .begun(wish.request, for: wish.owner), .failed(dropped),
        .missed(isLasting: false),
      ], .idle, .failed(dropped), [.wait(.seconds(2), attempt: 2)]),
    Course(
      "missed while the modem has not confirmed the end",
      kept + [.ended(dropped), .modemTold(isConfirmed: false), .takenDown, .missed(isLasting: false)], .releasing,
      .down(dropped)),
    Course(
      "confirmed at last, and kept: it was begun eight seconds ago",
      kept + [.ended(dropped), .modemTold(isConfirmed: false), .takenDown, .released], .idle, .down(dropped),
      [.wait(.zero, attempt: 1)]),
    Course("good news of a bearer that is not kept", [.goodNews], .idle, .down(nil)),
    Course("good news of one that is up", kept + [.goodNews], .up(bearer), .up(bearer)),
    Course(
      "good news at once after an attempt",
      kept + [
        .ended(dropped), .takenDown, .timer(attempt: 1), .begun(wish.request, for: wish.owner), .failed(dropped),
        .missed(isLasting: true), .goodNews,
      ], .idle, .failed(dropped), [.wait(.seconds(2), attempt: 3)]),
    Course(
      "good news after a suspension", kept + [.ended(dropped), .takenDown, .resumed, .goodNews], .idle, .down(dropped),
      [.wait(.zero, attempt: 2)]),
    Course(
      "kept before this process, and all is ready", [.wantedAgain(wish, isReady: true)], .idle, .down(nil),
      [.writeDown(wish.request), .wait(.zero, attempt: 1)]),
    Course(
      "kept before this process, and the network is to come", [.wantedAgain(wish, isReady: false)], .idle, .down(nil),
      [.writeDown(wish.request), .wait(.seconds(5), attempt: 1)]),
    Course(
      "kept before this process, and up for a check", up + [.wantedAgain(wish, isReady: true)], .up(bearer),
      .up(bearer),
      [.writeDown(wish.request)]),
  ]

  @Test(arguments: comingUp + beingUp + goingDown + comingBack)
  func `goes through its phases`(course: Course) {
    var machine = Self.machine()
    var actions: [Machine.Action] = []
    for (second, event) in course.events.enumerated() {
      actions = machine.handle(event, at: Timestamp(milliseconds: Int64(second) * 1000))
    }
    #expect(machine.phase == course.phase)
    #expect(machine.status.state == course.shown)
    #expect(actions == course.actions)
    // What is told is what is so.
    #expect(machine.status.isReleasing == (machine.phase == .releasing))
    #expect((machine.status.nextAttempt != nil) == machine.isWaiting)
    if machine.isWaiting { #expect(machine.phase == .idle) }
  }

  /// Runs events, one a second.
  private func run(_ events: [Machine.Event], on machine: inout Machine, from start: Int64 = 0) {
    for (second, event) in events.enumerated() {
      _ = machine.handle(event, at: Timestamp(milliseconds: (start + Int64(second)) * 1000))
    }
  }

  /// However many events come in whatever order: no phase is without its way out, and nothing is
  /// told that is not so.
  @Test func `holds together whatever happens`() {
    let events: [Machine.Event] = [
      .asked(isKept: true), .begun(Self.request, for: nil), .missed(isLasting: false), .missed(isLasting: true),
      .granted(Self.wish, wasUp: false), .granted(Self.wish, wasUp: true), .givenUp, .ended(nil), .ended(Self.dropped),
      .trying(Self.request), .attaching, .connecting, .configuring, .installed(Self.bearer), .installed(Self.other),
      .failed(Self.dropped), .renewed(Self.bearer, Self.other), .probed(Self.bearer, .answered),
      .damaged(Self.bearer, Self.gone), .verified(Self.bearer), .lost(Self.other, Self.gone),
      .modemTold(isConfirmed: true), .modemTold(isConfirmed: false), .takenDown, .released, .timer(attempt: 1),
      .timer(attempt: 2), .goodNews, .resumed, .wantedAgain(Self.wish, isReady: false),
      .resumption(.pending("the SIM")), .resumption(nil),
    ]
    var seed: UInt64 = 1
    var phases: Set<String> = []
    for _ in 0..<200 {
      var machine = Self.machine()
      for second in 0..<100 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let before = machine.phase
        let actions = machine.handle(
          events[Int(seed >> 33) % events.count], at: Timestamp(milliseconds: Int64(second) * 1000))
        phases.insert(machine.phase.name)
        #expect(machine.status.isReleasing == (machine.phase == .releasing))
        #expect((machine.status.nextAttempt != nil) == machine.isWaiting)
        if machine.isWaiting { #expect(machine.phase == .idle) }
        if let shown = machine.status.state.installed { #expect(machine.phase.installed == shown) }
        // What is waited for in a phase is begun with the phase, and with nothing else.
        let begins = { (phase: Machine.Phase) in machine.phase == phase && before != phase }
        #expect(actions.contains(.awaitRelease) == begins(.releasing))
        #expect(actions.contains(.breakOff) == (machine.phase.isBreakingOff && !before.isBreakingOff))
        #expect(actions.contains { $0.isTakeDown } == (machine.phase.isGoingDown && !before.isGoingDown))
        #expect(actions.contains { $0.isBringUp } == begins(.comingUp))
      }
    }
    #expect(phases.count == 7, "\(phases)")
  }

  @Test func `counts anew after a bearer that held, and not after one that did not`() {
    for (held, delay) in [(59, Duration.seconds(2)), (60, .seconds(1))] {
      var machine = Self.machine()
      run(Self.kept + [.ended(Self.dropped), .takenDown, .timer(attempt: 1)], on: &machine)
      run([.begun(Self.wish.request, for: Self.wish.owner), .installed(Self.bearer)], on: &machine, from: 100)
      let end = Int64(101 + held)
      run([.ended(Self.dropped)], on: &machine, from: end)
      let actions = machine.handle(.takenDown, at: Timestamp(milliseconds: end * 1000))
      #expect(actions.contains(.wait(delay, attempt: 2)), "\(held): \(actions)")
      #expect(machine.status.nextAttempt == Timestamp(milliseconds: end * 1000).later(by: delay))
    }
  }

  @Test func `counts anew when somebody asks for it to stay`() {
    var machine = Self.machine()
    run(Self.kept + [.ended(Self.dropped), .takenDown, .timer(attempt: 1)], on: &machine)
    run([.asked(isKept: true), .begun(Self.request, for: nil), .failed(Self.dropped)], on: &machine, from: 20)
    let actions = machine.handle(.missed(isLasting: false), at: Timestamp(milliseconds: 30_000))
    #expect(actions == [.wait(.seconds(1), attempt: 2)] && machine.status.failures == 1)
  }

  @Test func `keeps what was asked for first while it is up, and nothing where nothing is to be kept`() {
    var machine = Self.machine()
    run(Self.kept, on: &machine)
    let later = Machine.Wish(request: BearerRequest(apn: "other", isKept: true), owner: Self.wish.owner)
    #expect(machine.handle(.granted(later, wasUp: true), at: Timestamp(milliseconds: 9000)).isEmpty)
    #expect(machine.wish == Self.wish)
    var plain = Self.machine(reconnects: false)
    run(Self.kept, on: &plain)
    #expect(plain.wish == nil)
  }

  @Test func `tells traffic of the bearer that is up, and of no other`() {
    var machine = Self.machine()
    run(Self.up, on: &machine)
    #expect(machine.status.traffic == .untested)
    run([.probed(Self.other, .answered)], on: &machine, from: 10)
    #expect(machine.status.traffic == .untested)
    run([.probed(Self.bearer, .answered)], on: &machine, from: 11)
    #expect(machine.status.traffic == .answered)
    run([.ended(nil)], on: &machine, from: 12)
    #expect(machine.status.traffic == nil)
  }

  @Test func `tells of one that was kept before until it goes down`() {
    var machine = Self.machine()
    run([.wantedAgain(Self.wish, isReady: true)], on: &machine)
    #expect(machine.status.resumption == .pending(nil))
    run([.timer(attempt: 1)] + Self.up, on: &machine, from: 1)
    #expect(machine.status.resumption == .resumed)
    run([.ended(Self.dropped)], on: &machine, from: 20)
    #expect(machine.status.resumption == nil)
  }

  @Test func `says since when it is what it is, and what was asked for last`() {
    var machine = Self.machine()
    run(Self.up + [.verified(Self.bearer), .goodNews], on: &machine)
    #expect(machine.status.since == Timestamp(milliseconds: 4000))
    var asked = Self.machine()
    run([.begun(BearerRequest(), for: nil), .trying(BearerRequest(apn: "first", source: .modem))], on: &asked)
    #expect(asked.status.apn == "first" && asked.status.apnSource == .modem)
    run([.trying(BearerRequest(apn: nil, source: .modem))], on: &asked, from: 5)
    #expect(asked.status.apn == nil && asked.status.apnSource == .network)
  }
}

extension BearerMachine.Phase {
  fileprivate var installed: InstalledBearer? {
    switch self {
    case .up(let bearer), .damaged(let bearer, _): bearer
    case .idle, .comingUp, .breakingOff, .goingDown, .releasing: nil
    }
  }
  fileprivate var isBreakingOff: Bool { if case .breakingOff = self { true } else { false } }
  fileprivate var isGoingDown: Bool { if case .goingDown = self { true } else { false } }
}

extension BearerMachine.Action {
  fileprivate var isTakeDown: Bool { if case .takeDown = self { true } else { false } }
  fileprivate var isBringUp: Bool { if case .bringUp = self { true } else { false } }
}
