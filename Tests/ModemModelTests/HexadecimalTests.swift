import ModemModel
import Testing

@Suite("Hexadecimal digits")
struct HexadecimalTests {
  @Test(
    "Bytes are written in lower case, and read in either",
    arguments: [("", []), ("00", [0]), ("0fF0", [15, 240]), ("DEADbeef", [0xde, 0xad, 0xbe, 0xef])]
      as [(String, [UInt8])])
  func bytes(text: String, bytes: [UInt8]) {
    #expect(Hexadecimal.bytes(of: text) == bytes)
    #expect(Hexadecimal.text(of: bytes) == text.lowercased())
  }

  @Test("What is not of pairs of digits is nothing", arguments: ["0", "0g", "0x10", " 00", "é0", "１２", "+1"])
  func other(text: String) { #expect(Hexadecimal.bytes(of: text) == nil) }
}
