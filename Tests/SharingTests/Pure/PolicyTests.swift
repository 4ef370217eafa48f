import ModemModel
import Testing

@testable import ModemPort

/// How a port decides to share a modem: tables, no I/O.
@Suite struct PolicyTests {
  private static let absent = SharingFacts(manager: .absent)
  private static let proxyLeft = SharingFacts(manager: .absent, proxyRuns: true)
  private static let elsewhere = SharingFacts(manager: .running(version: "1.20.4", modem: nil))
  private static func has(connected: Bool, room: Bool) -> SharingFacts {
    SharingFacts(
      manager: .running(version: "1.20.4", modem: .init(isConnected: connected, canMultiplex: room)), proxyRuns: true)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var preference: ModemSettings.Sharing
    var session: Int?
    var facts: SharingFacts
    var way: SharingWay
    var its: Int?
    var usesProxy = false
    var inhibits = false
    var testDescription: String { "\(preference) \(session.map(String.init) ?? "-"): \(facts)" }
  }

  static let rows = [
    // By what runs.
    Row(preference: .auto, facts: absent, way: .own),
    Row(preference: .auto, facts: proxyLeft, way: .own, usesProxy: true),
    Row(preference: .auto, facts: elsewhere, way: .own, usesProxy: true),
    Row(preference: .auto, facts: has(connected: true, room: true), way: .follow),
    Row(preference: .auto, facts: has(connected: true, room: false), way: .follow),
    Row(preference: .auto, facts: has(connected: false, room: true), way: .share, its: 77, usesProxy: true),
    Row(preference: .auto, facts: has(connected: false, room: false), way: .follow),
    Row(preference: .auto, session: 5, facts: has(connected: false, room: true), way: .share, its: 5, usesProxy: true),
    Row(preference: .auto, session: 5, facts: has(connected: false, room: false), way: .share, its: 5, usesProxy: true),
    Row(preference: .auto, session: 5, facts: absent, way: .own, its: 5),
    // As configured.
    Row(preference: .own, facts: absent, way: .own),
    Row(preference: .own, facts: proxyLeft, way: .own, usesProxy: true),
    Row(preference: .own, facts: elsewhere, way: .own, usesProxy: true, inhibits: true),
    Row(preference: .own, facts: has(connected: true, room: true), way: .own, usesProxy: true, inhibits: true),
    Row(preference: .share, facts: absent, way: .share, usesProxy: true),
    Row(preference: .share, facts: has(connected: true, room: true), way: .share, its: 77, usesProxy: true),
    Row(preference: .share, facts: has(connected: true, room: false), way: .share, usesProxy: true),
    Row(preference: .share, session: 9, facts: absent, way: .share, its: 9, usesProxy: true),
    Row(preference: .follow, facts: absent, way: .follow),
    Row(preference: .follow, session: 9, facts: has(connected: false, room: true), way: .follow),
  ]

  @Test(arguments: rows)
  func `the way follows from the configuration and from what runs`(row: Row) {
    let decision = SharingPolicy(row.preference, session: row.session).decide(row.facts)
    #expect(decision.sharing.way == row.way)
    #expect(decision.sharing.session == row.its)
    #expect(decision.usesProxy == row.usesProxy)
    #expect(decision.inhibits == row.inhibits)
    #expect(!decision.sharing.reason.isEmpty)
    #expect(decision.sharing.manager == (row.facts.manager == .absent ? nil : "1.20.4"))
  }

  struct Change: Sendable, CustomTestStringConvertible {
    var from: SharingFacts
    var to: SharingFacts
    var preference = ModemSettings.Sharing.auto
    var idle: Bool
    var withBearer: Bool
    var testDescription: String { "\(preference): \(from) -> \(to)" }
  }

  static let changes = [
    Change(from: absent, to: absent, idle: false, withBearer: false),
    // Two readers on one control port work for nobody: that cannot wait.
    Change(from: absent, to: elsewhere, idle: true, withBearer: true),
    Change(from: absent, to: has(connected: true, room: true), idle: true, withBearer: true),
    Change(from: absent, to: elsewhere, preference: .own, idle: true, withBearer: true),
    // A proxy does no harm to one who is alone.
    Change(from: elsewhere, to: absent, idle: false, withBearer: false),
    // A bearer that works is not ended for another way.
    Change(from: elsewhere, to: has(connected: true, room: true), idle: true, withBearer: false),
    Change(
      from: has(connected: false, room: true), to: has(connected: true, room: true), idle: true, withBearer: false),
    Change(
      from: has(connected: true, room: true), to: has(connected: false, room: true), idle: true, withBearer: false),
    Change(
      from: has(connected: true, room: false), to: has(connected: false, room: false), idle: false, withBearer: false),
    // ModemManager came back, and is to be told again.
    Change(from: proxyLeft, to: elsewhere, preference: .own, idle: true, withBearer: true),
  ]

  @Test(arguments: changes)
  func `a port is opened anew where it has to be, and a bearer that works is kept`(change: Change) {
    let policy = SharingPolicy(change.preference)
    let (old, new) = (policy.decide(change.from), policy.decide(change.to))
    #expect(SharingPolicy.mustChange(from: old, to: new, hasBearer: false) == change.idle)
    #expect(SharingPolicy.mustChange(from: old, to: new, hasBearer: true) == change.withBearer)
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
