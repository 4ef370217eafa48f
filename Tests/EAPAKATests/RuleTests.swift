import ModemModel
import Testing

@testable import EAPAKA

/// The peer's rules, one row each: Docs/eap-aka.md.
@Suite("The peer's rules", .timeLimit(.minutes(1)))
struct RuleTests {
  private func check(_ rule: Rule) throws {
    var login = Login(rule.method)
    try rule.run(&login)
    try rule.check(login)
  }

  @Test("Packets", arguments: Rule.packets)
  func packets(_ rule: Rule) throws { try check(rule) }

  @Test("Repetitions", arguments: Rule.repetitions)
  func repetitions(_ rule: Rule) throws { try check(rule) }

  @Test("Attributes", arguments: Rule.attributes)
  func attributes(_ rule: Rule) throws { try check(rule) }

  @Test("Identities", arguments: Rule.identities)
  func identities(_ rule: Rule) throws { try check(rule) }

  @Test("Challenges", arguments: Rule.challenges)
  func challenges(_ rule: Rule) throws { try check(rule) }

  @Test("EAP-AKA′", arguments: Rule.prime)
  func prime(_ rule: Rule) throws { try check(rule) }

  @Test("Notifications", arguments: Rule.notifications)
  func notifications(_ rule: Rule) throws { try check(rule) }

  @Test("Ends", arguments: Rule.ends)
  func ends(_ rule: Rule) throws { try check(rule) }

  @Test("Re-authentication", arguments: Rule.reauthentications)
  func reauthentications(_ rule: Rule) throws { try check(rule) }

  @Test("There are at least 110 rows, each with a name of its own in its table")
  func count() {
    let tables = [
      Rule.packets, Rule.repetitions, Rule.attributes, Rule.identities, Rule.challenges, Rule.prime,
      Rule.notifications, Rule.ends, Rule.reauthentications,
    ]
    #expect(tables.reduce(0) { $0 + $1.count } >= 110)
    for table in tables { #expect(Set(table.map(\.testDescription)).count == table.count) }
  }
}
