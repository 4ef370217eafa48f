import ModemModel
import Testing

@testable import ModemPort

/// How a port decides to share a modem: tables, no I/O.
@Suite struct PolicyTests {
  /// What runs, by default beside a modem with eight sessions whose driver has links for them.
  private static func facts(
    _ manager: SharingFacts.Manager, proxy: Bool = true, links: Bool = true, limit: Int? = 8,
    _ more: (inout SharingFacts) -> Void = { _ in }
  ) -> SharingFacts {
    var facts = SharingFacts(manager: manager, proxyRuns: proxy, carriesSessions: links, sessionLimit: limit)
    more(&facts)
    return facts
  }
  private static func has(_ bearers: Int = 0, takesDataPort: Bool = false) -> SharingFacts.Manager {
    .running(version: "1.20.4", modem: .init(connectedBearers: bearers, takesDataPort: takesDataPort))
  }
  private static let elsewhere = SharingFacts.Manager.running(version: "1.20.4", modem: nil)
  private static let alone = facts(.absent, proxy: false)

  struct Row: Sendable, CustomTestStringConvertible {
    var preference: ModemSettings.Sharing = .auto
    var session: Int?
    var facts: SharingFacts
    var way: SharingWay
    var its: Int?
    var usesProxy = false
    var inhibits = false
    /// Words of what stands before this way.
    var passedOver: String?
    var testDescription: String { "\(preference) \(session.map(String.init) ?? "-"): \(facts)" }
  }

  static let rows = [
    // ModemManager is not there, or does not have the modem.
    Row(facts: alone, way: .own),
    Row(facts: facts(.absent), way: .own, usesProxy: true),
    Row(facts: facts(.absent, proxy: false) { $0.managerMayCome = true }, way: .own, usesProxy: true),
    Row(facts: facts(elsewhere), way: .own, usesProxy: true),
    Row(session: 5, facts: alone, way: .own, its: 5),
    // A free session: beside a connected bearer as well as beside none.
    Row(facts: facts(has()), way: .share, its: 7, usesProxy: true),
    Row(facts: facts(has(1)), way: .share, its: 7, usesProxy: true),
    Row(facts: facts(has(7)), way: .share, its: 7, usesProxy: true),
    Row(facts: facts(has(), limit: 2), way: .share, its: 1, usesProxy: true),
    Row(facts: facts(has(), limit: 254), way: .share, its: 77, usesProxy: true),
    Row(facts: facts(has(), limit: 16) { $0.lastSession = 7 }, way: .share, its: 7, usesProxy: true),
    // One that does not say how many it carries is tried.
    Row(facts: facts(has(), limit: nil), way: .share, its: 77, usesProxy: true),
    Row(session: 5, facts: facts(has()), way: .share, its: 5, usesProxy: true),
    // None: ModemManager's bearer, or the wait for one.
    Row(facts: facts(has(1), limit: 1), way: .follow, passedOver: "share: the modem carries one session"),
    Row(facts: facts(has(8)), way: .follow, passedOver: "share: all 8 sessions of the modem are taken"),
    Row(facts: facts(has(1), links: false), way: .follow, passedOver: "share: the driver or the kernel"),
    Row(
      facts: facts(has(1, takesDataPort: true), limit: 254), way: .follow, passedOver: "share: ModemManager's bearer"),
    Row(facts: facts(has(1)) { $0.refusal = "no" }, way: .follow, passedOver: "share: the modem refused it: no"),
    Row(facts: facts(has(), limit: 1), way: .follow, passedOver: "share: the modem carries one session"),
    Row(session: 5, facts: facts(has(), limit: 1), way: .follow, passedOver: "share: the modem carries one session"),
    // A bearer is wanted and ModemManager has none, or modemd has one already: the modem is
    // modemd's.
    Row(
      facts: facts(has(), limit: 1) { $0.takesOver = true }, way: .own, usesProxy: true, inhibits: true,
      passedOver: "share: the modem carries one session; follow: ModemManager had no bearer"),
    Row(
      facts: facts(has(), limit: 1) { $0.hasBearer = true }, way: .own, usesProxy: true, inhibits: true,
      passedOver: "follow"),
    Row(
      facts: facts(elsewhere, limit: 1) {
        ($0.takesOver, $0.isHeld) = (true, true)
      }, way: .own, usesProxy: true, inhibits: true, passedOver: "follow"),
    // It is given back when none is wanted any more; and what ModemManager has connected is never
    // taken.
    Row(facts: facts(elsewhere, limit: 1) { $0.isHeld = true }, way: .own, usesProxy: true),
    Row(facts: facts(has(1), limit: 1) { $0.takesOver = true }, way: .follow, passedOver: "share"),
    // A configured session that the modem refused is left out where the way is left to the port.
    Row(session: 5, facts: facts(.absent) { $0.refusal = "no" }, way: .own, usesProxy: true, passedOver: "session 5: "),
    // As configured, whatever was refused.
    Row(preference: .own, facts: alone, way: .own),
    Row(preference: .own, facts: facts(elsewhere), way: .own, usesProxy: true, inhibits: true),
    Row(preference: .own, facts: facts(has(1)), way: .own, usesProxy: true, inhibits: true),
    Row(
      preference: .own, session: 5, facts: facts(has(1)) { $0.refusal = "no" }, way: .own, its: 5, usesProxy: true,
      inhibits: true),
    Row(preference: .share, facts: facts(.absent), way: .share, its: 7, usesProxy: true),
    Row(preference: .share, facts: facts(has(1)), way: .share, its: 7, usesProxy: true),
    Row(preference: .share, facts: facts(has(1)) { $0.refusal = "no" }, way: .share, its: 7, usesProxy: true),
    Row(preference: .share, facts: facts(has(1), limit: 1), way: .share, usesProxy: true),
    Row(preference: .share, facts: facts(has(1), links: false), way: .share, usesProxy: true),
    Row(preference: .share, session: 9, facts: facts(has(1), limit: 1), way: .share, its: 9, usesProxy: true),
    Row(preference: .follow, facts: facts(.absent), way: .follow),
    Row(preference: .follow, session: 9, facts: facts(has()), way: .follow),
  ]

  @Test(arguments: rows)
  func `the way follows from the configuration, from what runs and from what the modem says`(row: Row) {
    let decision = SharingPolicy(row.preference, session: row.session).decide(row.facts)
    #expect(decision.sharing.way == row.way)
    #expect(decision.sharing.session == row.its)
    #expect(decision.usesProxy == row.usesProxy)
    #expect(decision.inhibits == row.inhibits)
    #expect(!decision.sharing.reason.isEmpty)
    #expect(decision.sharing.manager == (row.facts.manager == .absent ? nil : "1.20.4"))
    #expect((decision.sharing.passedOver == nil) == (row.passedOver == nil), "\(decision.sharing)")
    if let words = row.passedOver {
      #expect(decision.sharing.passedOver?.contains(words) == true, "\(decision.sharing)")
    }
  }

  struct Change: Sendable, CustomTestStringConvertible {
    var from: SharingFacts
    var to: SharingFacts
    var preference = ModemSettings.Sharing.auto
    var idle: SharingDecision.Step
    var withBearer: SharingDecision.Step
    var testDescription: String { "\(preference): \(from) -> \(to)" }
  }

  static let changes = [
    Change(from: alone, to: alone, idle: .stay, withBearer: .stay),
    // Two readers on one control port work for nobody: that cannot wait.
    Change(from: alone, to: facts(elsewhere), idle: .reopen, withBearer: .reopen),
    Change(from: alone, to: facts(has(1), limit: 1), idle: .reopen, withBearer: .reopen),
    Change(from: alone, to: facts(elsewhere), preference: .own, idle: .reopen, withBearer: .reopen),
    // A proxy does no harm to one who is alone.
    Change(from: facts(elsewhere), to: alone, idle: .stay, withBearer: .stay),
    // A bearer that works is not ended for another way.
    Change(from: facts(elsewhere), to: facts(has()), idle: .reopen, withBearer: .stay),
    Change(from: facts(has()), to: facts(has(8)), idle: .reopen, withBearer: .stay),
    Change(from: facts(has(1), limit: 1), to: facts(elsewhere, limit: 1), idle: .reopen, withBearer: .stay),
    Change(from: facts(has()), to: facts(has(1)), idle: .stay, withBearer: .stay),
    // ModemManager found a modem of one session that carries modemd's bearer: it is told to let go,
    // and the bearer stays.
    Change(from: facts(elsewhere, limit: 1), to: facts(has(), limit: 1), idle: .reopen, withBearer: .tellManager),
    // Over QMI ModemManager connected without multiplexing, and one of the two has to go.
    Change(
      from: facts(has(), limit: 254), to: facts(has(1, takesDataPort: true), limit: 254), idle: .reopen,
      withBearer: .reopen),
    Change(
      from: facts(has(), limit: 254), to: facts(has(1, takesDataPort: true), limit: 254), preference: .share,
      idle: .stay, withBearer: .stay),
    // ModemManager came back, and is told again; nothing is opened anew for it.
    Change(
      from: facts(.absent), to: facts(elsewhere), preference: .own, idle: .tellManager, withBearer: .tellManager),
  ]

  @Test(arguments: changes)
  func `a port is opened anew where it has to be, and a bearer that works is kept`(change: Change) {
    let policy = SharingPolicy(change.preference)
    let old = policy.decide(change.from)
    for (hasBearer, expected) in [(false, change.idle), (true, change.withBearer)] {
      var facts = change.to
      facts.hasBearer = hasBearer
      #expect(old.step(to: policy.decide(facts), facts) == expected, "with a bearer: \(hasBearer)")
    }
  }

  @Test func `what is said of ModemManager is true while a bearer keeps the port in an older way`() {
    let policy = SharingPolicy()
    let old = policy.decide(Self.alone)
    #expect(old.present(policy.decide(Self.alone)).reason == "ModemManager does not run")
    var facts = Self.facts(Self.has())
    facts.hasBearer = true
    let present = old.present(policy.decide(facts))
    #expect(present.way == .own && present.session == nil)
    #expect(present.manager == "1.20.4" && present.managerState == .idle)
    #expect(present.reason.contains("as long as its bearer is up; then share"), "\(present)")
    // And the other way round: it went, and the bearer on its session stays.
    let gone = policy.decide(Self.facts(.absent) { $0.hasBearer = true })
    let left = policy.decide(Self.facts(Self.has(1))).present(gone)
    #expect(left.way == .share && left.session == 7 && left.manager == nil && left.managerState == nil)
  }

  @Test(arguments: ModemSettings.Sharing.allCases)
  func `the modem is asked for its sessions only where that matters`(preference: ModemSettings.Sharing) {
    let policy = SharingPolicy(preference)
    #expect(policy.wantsSessionLimit(Self.facts(Self.has())) == [.auto, .share].contains(preference))
    #expect(policy.wantsSessionLimit(Self.alone) == (preference == .share))
    #expect(!policy.wantsSessionLimit(Self.facts(Self.has(), links: false)))
  }

  @Test func `a proxy is judged by whom its socket belongs to, and by what it does with us`() {
    let judge = { (owner: UInt32, own: UInt32, closes: Bool) in
      ProxySocket.judge(owner: owner, own: own, closes: { closes })
    }
    #expect(judge(0, 0, true) == .proxy)
    #expect(judge(0, 1000, false) == .proxy)
    #expect(judge(0, 1000, true) == .refuses)
    #expect(judge(1000, 1000, false) == .proxy)
    #expect(judge(1001, 1000, false) == .stranger(userID: 1001))
    #expect(judge(1001, 0, false) == .stranger(userID: 1001))
  }
}
