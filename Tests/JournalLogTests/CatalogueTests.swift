import Testing

@testable import JournalLog

@Suite("The list of events")
struct CatalogueTests {
  private typealias Event = JournalLog.LogEvent

  @Test func `Names and ids are unique, and ids are random ones`() {
    #expect(Set(Event.all.map(\.name)).count == Event.all.count)
    #expect(Set(Event.all.map(\.messageID)).count == Event.all.count)
    for event in Event.all {
      let digits = Array(event.messageID)
      #expect(TraceContext.isTraceID(event.messageID), "\(event.name)")
      // As `journalctl --new-id128` makes them (RFC 9562, version 4).
      #expect(digits[12] == "4" && "89ab".contains(digits[16]), "\(event.name)")
    }
  }

  @Test func `The catalogue explains each event once, and nothing else`() throws {
    let lines = try Built.read("systemd/modemd.catalog").split(separator: "\n", omittingEmptySubsequences: false)
    let ids = lines.filter { $0.hasPrefix("-- ") }.map { String($0.dropFirst(3)) }
    #expect(Set(ids) == Set(Event.all.map(\.messageID)) && ids.count == Event.all.count)
    #expect(lines.count { $0.hasPrefix("Subject: ") } == ids.count)
    #expect(lines.count { $0.hasPrefix("Documentation: man:") } == ids.count)
    // Fields that entries have.
    let page = try Built.read("Docs/logs.md")
    for line in lines {
      for field in line.split(separator: "@").dropFirst()
      where !field.isEmpty && field.allSatisfy({ $0.isUppercase || $0 == "_" }) {
        #expect(page.contains("`\(field)`"), "\(field) in \(line)")
      }
    }
  }

  @Test func `Docs/logs.md has a row for each event, and no other`() throws {
    let rows = try Built.read("Docs/logs.md").split(separator: "\n").filter { $0.hasPrefix("| ") }
      .map { $0.split(separator: "|").map { $0.filter { $0 != "`" }.split(separator: " ").joined(separator: " ") } }
    let listed = rows.filter { $0.count == 4 && TraceContext.isTraceID($0[2]) }
    #expect(listed.map { $0[0] } == Event.all.map(\.name))
    #expect(listed.map { $0[2] } == Event.all.map(\.messageID))
  }

  @Test func `Every list is in the list of all`() {
    #expect(Event.all == Event.modemEvents + Event.serviceEvents + Event.fleetEvents)
  }
}
