import ModemModel
import Testing

@testable import MBIMBackend

/// MBIM's service for short messages.
enum SMSService {
  static let id: [UInt8] = [
    0x53, 0x3f, 0xbe, 0xeb, 0x14, 0xfe, 0x44, 0x67, 0x9f, 0x90, 0x33, 0xa2, 0x23, 0xe5, 0x6c, 0x3f,
  ]
  static let (configuration, read, delete, storeStatus): (UInt32, UInt32, UInt32, UInt32) = (1, 2, 4, 5)

  /// The information buffers of public test data: libmbim's with one message of filler, oFono's
  /// with none and with two of a real SIM.
  static let empty = octets("0000000000000000")
  static let filler = octets(
    """
    00000000 01000000 10000000 20000000 07000000 03000000 10000000 10000000 0102030405060708090a0b0c0d0e0f00
    """)
  static let two = octets(
    """
    00000000 02000000 18000000 2f000000 48000000 31000000 01000000 01000000 10000000 1f000000
    07916163838429f3040b915121553071f900007111709162654a04d4f29c0e00
    02000000 01000000 10000000 21000000
    07916163838429f2040b915121553071f900007111804170554a06c6f71b742f03 000000
    """)
}

@Suite("The messages in an MBIM buffer")
struct SMSInformationTests {
  @Test("are read with their places and states")
  func reads() throws {
    #expect(SMSRecords(SMSService.empty)?.records == [])
    let filler = try #require(SMSRecords(SMSService.filler)?.records.first)
    #expect(filler.index == 7 && filler.status == 3 && !filler.isFromNetwork && filler.pdu.count == 16)
    let two = try #require(SMSRecords(SMSService.two)?.records)
    #expect(two.map(\.index) == [1, 2])
    #expect(two.map(\.pdu.count) == [31, 33])
    #expect(two.allSatisfy { $0.isFromNetwork })
  }

  @Test("are refused whole where a count, offset or size is wrong; what libmbim 1.28 would not survive among it")
  func refuses() {
    let good = SMSService.two
    // Counts: one too many, a thousand, gigabytes.
    for count: UInt32 in [3, 4, 1000, 0x1fff_ffff, 0x7fff_ffff, 0xffff_ffff] {
      #expect(SMSRecords(Array(good[..<4]) + [count].bytes + Array(good[8...])) == nil, "\(count)")
    }
    // Each offset and size beyond the end, the record's own among them.
    for position in [8, 12, 16, 20, 32, 36] {
      for value: UInt32 in [0x200, 0x7fff_ffff, 0xffff_ffff] {
        var bad = good
        bad.replaceSubrange(position..<position + 4, with: [value].bytes)
        #expect(SMSRecords(bad) == nil, "\(position) \(value)")
      }
    }
    // Not PDUs, and every buffer that ends early.
    #expect(SMSRecords([1].bytes + [0].bytes) == nil)
    for length in 0..<good.count - 3 { #expect(SMSRecords(Array(good[..<length])) == nil, "\(length)") }
    // A thousand records that are all the same bytes are no thousand messages.
    let one = Array(SMSService.filler[16...])
    let head = 8 + 8 * 1000
    let shared = [0, 1000].bytes + (0..<1000).flatMap { _ in [UInt32(head), UInt32(one.count)].bytes } + one
    #expect(SMSRecords(shared) == nil)
  }

  @Test("and the store's state are read, or nothing is")
  func states() {
    #expect(SMSConfiguration([1, 0, 20, 0, 0, 0].bytes) == SMSConfiguration([1, 0].bytes))
    #expect(SMSConfiguration([0, 1].bytes)?.isInitialised == false)
    #expect(SMSConfiguration([1, 1].bytes)?.isPDU == false)
    #expect(SMSConfiguration([1, 0, 0]) == nil)
    #expect(SMSStoreStatus([2, 5].bytes)?.newIndex == 5)
    #expect(SMSStoreStatus([3, 5].bytes)?.isFull == true)
    #expect(SMSStoreStatus([0, 5].bytes)?.newIndex == nil)
    #expect(SMSStoreStatus([2].bytes) == nil)
  }
}
