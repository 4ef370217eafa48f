import Testing

@testable import ModemSimulator

@Suite("Commands to the card")
struct CardCommandTests {
  @Test(.enabled(if: AuthenticationVectors.has("apdu"), "the file of vectors has no section apdu"))
  func `the vectors' commands are challenges on their channels`() throws {
    let vectors = try AuthenticationVectors("apdu")
    for (name, channel) in [("authenticate_3g", 0), ("channel_1", 1), ("channel_4", 4)] {
      let command = try #require(CardCommand(vectors(name)))
      #expect(command.channel == UInt8(channel) && command.instruction == 0x88 && command.expected == 0)
      let challenge = try #require(command.challenge)
      #expect(challenge.rand == Array(0...15) && challenge.autn == (0..<16).map { 0xff - $0 })
    }
  }

  @Test(
    "class bytes name a channel",
    arguments: [(0x00, 0), (0x03, 3), (0x40, 4), (0x4f, 19), (0x04, nil), (0x80, nil), (0x50, nil), (0xff, nil)]
      as [(UInt8, UInt8?)])
  func channels(classByte: UInt8, channel: UInt8?) {
    #expect(CardCommand([classByte, 0xc0, 0, 0, 0])?.channel == channel)
  }

  @Test(
    "lengths that do not fit", arguments: ["", "000000", "00880081 00 11", "00880081 03 0102", "00880081 01 01 02 03"])
  func flaws(text: String) {
    #expect(CardCommand(hex(text)) == nil)
  }

  @Test(
    "data and Le",
    arguments: [("00c00000", nil), ("00c0000005", 5), ("00880081 02 0102", nil), ("00880081 02 0102 07", 7)]
      as [(String, Int?)])
  func expected(text: String, length: Int?) throws {
    #expect(try #require(CardCommand(hex(text))).expected == length)
  }
}
