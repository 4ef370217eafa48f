import Testing

@testable import BearerNetworking

@Suite struct `The Internet checksum` {
  /// The example of RFC 1071, 3.
  private static let example: [UInt8] = [0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7]

  @Test func `is RFC 1071's`() {
    #expect(InternetChecksum.of(Self.example) == ~0xddf2)
    #expect(InternetChecksum.of([UInt8]()) == 0xffff)
    // An odd byte stands for one with a zero behind it.
    #expect(InternetChecksum.of([0x12] as [UInt8]) == InternetChecksum.of([0x12, 0] as [UInt8]))
  }

  @Test func `of parts is that of the whole, and over itself it is 0`() {
    let sum = InternetChecksum.of(Self.example)
    #expect(InternetChecksum.of(Self.example.prefix(4), Self.example.dropFirst(4)) == sum)
    #expect(InternetChecksum.of(Self.example, sum.networkBytes) == 0)
  }

  @Test func `carries as often as it must`() {
    #expect(InternetChecksum.of([UInt8](repeating: 0xff, count: 65_534)) == 0)
    #expect(InternetChecksum.of([0xff, 0xff, 0x00, 0x01] as [UInt8]) == 0xfffe)
  }

  @Test func `finds each single bit that changed`() {
    let sum = InternetChecksum.of(Self.example)
    for place in Self.example.indices {
      for bit in 0..<8 {
        var changed = Self.example
        changed[place] ^= 1 << UInt8(bit)
        #expect(InternetChecksum.of(changed) != sum)
      }
    }
  }
}

@Suite struct `Numbers in network order` {
  @Test func `are read from the front, and nothing where the bytes end before`() {
    var reader = NetworkReader([1, 2, 3, 4, 5, 6, 7] as [UInt8])
    #expect(reader.number(UInt16.self) == 0x0102 && reader.number(UInt32.self) == 0x0304_0506)
    #expect(reader.number(UInt16.self) == nil && reader.rest.count == 1)
    #expect(reader.take(-1) == nil && reader.take(2) == nil && reader.take(1) == [7] && reader.take(0) == [])
    #expect(reader.number(UInt8.self) == nil)
  }

  @Test func `are written as they are read`() {
    #expect(UInt16(0x0102).networkBytes == [1, 2] && UInt32(0x0102_0304).networkBytes == [1, 2, 3, 4])
    var reader = NetworkReader(UInt64.max.networkBytes)
    #expect(reader.number(UInt64.self) == .max)
  }
}
