import ModemModel

extension Timestamp {
  /// Reads any form of RFC 3339 (5.6): lower-case letters, a fraction of any length, an offset
  /// instead of `Z`, a leap second; nil for anything else. Dates that do not exist are refused.
  package init?(anyRFC3339 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, let mark = bytes[10] as UInt8?, [0x54, 0x74, 0x20].contains(mark) else { return nil }
    var rest = bytes[19...]
    let fraction = Self.takeFraction(&rest)
    guard let fraction, let offset = Self.offset(rest) else { return nil }
    // 23:59:60 becomes the second before it.
    let isLeap = bytes[17] == UInt8(ascii: "6") && bytes[18] == UInt8(ascii: "0")
    let seconds = isLeap ? Array("59".utf8) : Array(bytes[17..<19])
    let plain = Array(bytes[..<10]) + Array("T".utf8) + bytes[11..<17] + seconds + Array("Z".utf8)
    let plainText = String(decoding: plain, as: UTF8.self)
    guard let local = Timestamp(rfc3339: plainText), local.description.hasPrefix(plainText.prefix(10)) else {
      return nil
    }
    self = local.later(by: .milliseconds(fraction - offset))
  }

  /// The fraction of a second in milliseconds, truncated after the third digit; nil for a point
  /// without digits.
  private static func takeFraction(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    guard rest.first == UInt8(ascii: ".") else { return 0 }
    let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(1 + digits.count)
    let three = (Array(digits) + [0x30, 0x30]).prefix(3)
    return three.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// `Z` or `+hh:mm`, in milliseconds east of UTC.
  private static func offset(_ rest: ArraySlice<UInt8>) -> Int64? {
    let form = Array(rest)
    if form == [0x5a] || form == [0x7a] { return 0 }
    guard form.count == 6, form[3] == UInt8(ascii: ":"), form[0] == UInt8(ascii: "+") || form[0] == UInt8(ascii: "-"),
      [1, 2, 4, 5].allSatisfy({ (0x30...0x39).contains(form[$0]) })
    else { return nil }
    let hours = Int64(form[1] - 0x30) * 10 + Int64(form[2] - 0x30)
    let minutes = Int64(form[4] - 0x30) * 10 + Int64(form[5] - 0x30)
    guard hours < 24, minutes < 60 else { return nil }
    let size = (hours * 60 + minutes) * 60_000
    return form[0] == UInt8(ascii: "-") ? -size : size
  }
}
