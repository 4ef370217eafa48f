import AuthCore
import Testing

@Suite("Random ids")
struct RandomUUIDTests {
  @Test("A random UUID is of version 4 and its variant, whatever the bytes are", arguments: [UInt8(0), 0x5a, 0xff])
  func uuid(byte: UInt8) {
    let text = RandomUUID.text(of: [UInt8](repeating: byte, count: 16))
    let parts = text.split(separator: "-")
    #expect(parts.map(\.count) == [8, 4, 4, 4, 12] && parts[2].first == "4")
    #expect(parts[3].first.map { "89ab".contains($0) } == true)
  }
}
