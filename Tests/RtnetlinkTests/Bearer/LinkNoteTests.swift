import Rtnetlink
import Testing

@testable import BearerNetworking

@Suite struct LinkNoteTests {
  @Test(arguments: [nil, "uplink of the office", "modemd was: confused"])
  func aNoteIsReadBackFromTheAlias(_ alias: String?) throws {
    let link = Link(index: 3, name: "wwan0", isUp: true, mtu: 1430, alias: alias, addressGeneration: 2)
    let note = LinkNote(of: link, acceptsAdvertisements: 1)
    #expect(LinkNote(alias: try #require(note.text)) == note)
    #expect(note.alias == alias ?? "")
  }

  @Test(arguments: ["", "wwan", "modemd was:", "modemd was: up=1", "modemd was: up=x mtu=3", "modemd was: up=0 mtu=0"])
  func otherAliasesAreNoNotes(_ alias: String) {
    #expect(LinkNote(alias: alias) == nil)
  }

  @Test func aNoteThatDoesNotFitIsNotWritten() {
    let link = Link(index: 3, name: "wwan0", isUp: true, mtu: 1430, alias: String(repeating: "x", count: 250))
    #expect(LinkNote(of: link, acceptsAdvertisements: nil).text == nil)
  }
}
