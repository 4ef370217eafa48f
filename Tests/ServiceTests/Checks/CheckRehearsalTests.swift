import ModemAPIServer
import RedirectChain
import Testing
import Web

@Suite struct `The rehearsal of a call of Check Open` {
  @Test func `reads the call and writes a reply for each hop, one before them and one after`() throws {
    let hop = ChainHop(ChainMachine.Hop(index: 1, url: try WebURL("https://rehearsal.invalid/")))
    let bytes = (0...2).map { CheckRehearsal.run(Array(repeating: hop, count: $0)) }
    #expect(bytes[0] > 0)
    // Each hop has its own reply, and they are alike.
    #expect(bytes[1] > bytes[0] && bytes[2] - bytes[1] == bytes[1] - bytes[0])
  }
}
