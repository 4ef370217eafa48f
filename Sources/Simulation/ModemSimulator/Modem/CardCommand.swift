/// A command to the card (ISO 7816-4, 5.1), with short lengths.
struct CardCommand: Hashable, Sendable {
  /// AUTHENTICATE (3GPP TS 31.102, 7.1.2).
  static let authenticate: UInt8 = 0x88
  static let getResponse: UInt8 = 0xc0
  /// P2 of AUTHENTICATE: an application's key, of 3G.
  private static let context: UInt8 = 0x81

  let instruction: UInt8
  /// The channel that the class byte names (ETSI TS 102 221, 10.1.1); nil for another class.
  let channel: UInt8?
  private let p1, p2: UInt8
  private let data: [UInt8]
  /// Le; nil without one, 0 for as many bytes as there are.
  let expected: Int?

  /// Nil for what has no header, or a length that is not that of what follows.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 4 else { return nil }
    channel =
      switch bytes[0] {
      case 0x00...0x03: bytes[0]
      case 0x40...0x4f: bytes[0] - 0x40 + 4
      default: nil
      }
    (instruction, p1, p2) = (bytes[1], bytes[2], bytes[3])
    let body = bytes.dropFirst(4)
    guard let length = body.first.map(Int.init), body.count > 1 else {
      (data, expected) = ([], body.first.map(Int.init))
      return
    }
    guard length > 0, (1 + length...2 + length).contains(body.count) else { return nil }
    data = Array(body.dropFirst().prefix(length))
    expected = body.count == 2 + length ? body.last.map(Int.init) : nil
  }

  /// RAND and AUTN of AUTHENTICATE; nil where the parameters are not those.
  var challenge: (rand: [UInt8], autn: [UInt8])? {
    guard p1 == 0, p2 == Self.context, data.count == 34, data[0] == 16, data[17] == 16 else { return nil }
    return (Array(data[1...16]), Array(data[18...33]))
  }

  /// What is wrong with an AUTHENTICATE that has no challenge.
  var flaw: SIMFile.StatusWords { p1 == 0 && p2 == Self.context ? .wrongLength : .wrongParameters }
}
