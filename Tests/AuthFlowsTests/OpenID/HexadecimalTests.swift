import AuthCore
import Testing

@Suite("Hexadecimal digits")
struct HexadecimalTests {
  @Test(
    "Bytes are written in lower case, and read in either",
    arguments: [("", []), ("00", [0]), ("0fF0", [15, 240]), ("DEADbeef", [0xde, 0xad, 0xbe, 0xef])]
      as [(String, [UInt8])])
  func bytes(text: String, bytes: [UInt8]) {
    #expect(Hexadecimal.decode(text) == bytes)
    #expect(Hexadecimal.encode(bytes) == text.lowercased())
  }

  @Test("What is not of pairs of digits is nothing", arguments: ["0", "0g", "0x10", " 00", "é0", "１２", "+1"])
  func other(text: String) { #expect(Hexadecimal.decode(text) == nil) }

  @Test("A random UUID is of version 4 and its variant, whatever the bytes are", arguments: [UInt8(0), 0x5a, 0xff])
  func uuid(byte: UInt8) {
    let text = RandomUUID.text(of: [UInt8](repeating: byte, count: 16))
    let parts = text.split(separator: "-")
    #expect(parts.map(\.count) == [8, 4, 4, 4, 12] && parts[2].first == "4")
    #expect(parts[3].first.map { "89ab".contains($0) } == true)
  }
}
