import ModemModel

/// A file of the SIM and its path (3GPP TS 31.102, 4.7).
struct SIMFile: Sendable {
  let id: UInt16
  /// The directories above it, from the master file.
  let path: [UInt16]

  /// EF_ICCID (ETSI TS 102 221, 13.2).
  static let iccid = SIMFile(id: 0x2fe2, path: [0x3f00])
  /// EF_IMSI (3GPP TS 31.102, 4.2.2).
  static let imsi = SIMFile(id: 0x6f07, path: [0x3f00, 0x7fff])
  /// EF_AD (3GPP TS 31.102, 4.2.18).
  static let administrativeData = SIMFile(id: 0x6fad, path: [0x3f00, 0x7fff])
  /// EF_MSISDN (3GPP TS 31.102, 4.2.26).
  static let msisdn = SIMFile(id: 0x6f40, path: [0x3f00, 0x7fff])
  /// EF_GID1 (3GPP TS 31.102, 4.2.10).
  static let groupIdentifier = SIMFile(id: 0x6f3e, path: [0x3f00, 0x7fff])

  /// In the format of the File TLV of UIM Read Transparent.
  var field: [UInt8] {
    id.littleEndianBytes + [UInt8(path.count * 2)] + path.flatMap(\.littleEndianBytes)
  }
}

extension ICCID {
  /// Reads EF_ICCID: digits in swapped nibbles, padded with F; nil unless it is a serial number of
  /// 18 to 20 digits.
  init?(file: [UInt8]) {
    guard let digits = swappedDigits(file), (18...20).contains(digits.utf8.count) else { return nil }
    self.init(digits)
  }
}

extension IMSI {
  /// Reads EF_IMSI: a length, then the parity nibble and digits in swapped nibbles; nil unless
  /// there are 6 to 15 digits.
  init?(file: [UInt8]) {
    guard let length = file.first, (1...8).contains(length), file.count > Int(length),
      let digits = swappedDigits(file.dropFirst().prefix(Int(length))), (7...16).contains(digits.utf8.count)
    else { return nil }
    self.init(String(digits.dropFirst()))
  }
}

/// Digits from bytes whose low nibble comes first. F ends them; nil for any other nibble.
private func swappedDigits(_ bytes: some Sequence<UInt8>) -> String? {
  let nibbles = bytes.flatMap { [$0 & 0xf, $0 >> 4] }
  let digits = nibbles.prefix { $0 != 0xf }
  guard digits.allSatisfy({ $0 < 10 }), nibbles.dropFirst(digits.count).allSatisfy({ $0 == 0xf }) else { return nil }
  return digits.map(String.init).joined()
}
