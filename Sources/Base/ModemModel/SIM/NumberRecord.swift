/// Records of EF_MSISDN (3GPP TS 31.102, 4.2.26, coded as EF_ADN in 4.4.2.3).
public enum NumberRecord {
  /// Reads the number of a record.
  ///
  /// - Parameter record: an alpha identifier of any length, followed by 14 bytes.
  /// - Returns: nil if the record is empty, as on many SIMs, or holds no number.
  public static func number(in record: [UInt8]) -> PhoneNumber? {
    guard record.count >= 14 else { return nil }
    let fields = Array(record.suffix(14))
    // The length includes the type of number; FF and 0 are empty records.
    guard (2...11).contains(fields[0]) else { return nil }
    let characters = fields[2..<1 + Int(fields[0])].flatMap { [$0 & 0xf, $0 >> 4] }.prefix { $0 != 0xf }
    guard !characters.isEmpty, characters.allSatisfy({ $0 < 0xc }) else { return nil }
    let text = characters.map { $0 < 10 ? String($0) : $0 == 0xa ? "*" : "#" }.joined()
    return PhoneNumber(text, type: PhoneNumber.NumberType(field: fields[1]), source: .efMsisdn)
  }
}

extension PhoneNumber.NumberType {
  /// Reads type of number and numbering plan, as 91 for an international number (3GPP TS 24.008,
  /// 10.5.4.7).
  init(field: UInt8) {
    // Plans other than telephony and "unknown" use other meanings for the types.
    let isTelephony = field & 0xf <= 1
    switch field >> 4 & 7 {
    case 1 where isTelephony: self = .international
    case 2 where isTelephony: self = .national
    default: self = .unknown
    }
  }
}
