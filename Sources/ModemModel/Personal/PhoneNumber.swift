/// An MSISDN that the SIM or the modem reports for this subscription (3GPP TS 23.003, 3.3).
public struct PhoneNumber: PersonalData {
  /// Where a number was read.
  public enum Source: String, Sendable, CaseIterable {
    /// MBIM_CID_SUBSCRIBER_READY_STATUS.
    case subscriberReady
    /// QMI DMS Get MSISDN.
    case dms
    /// Record 1 of EF_MSISDN (3GPP TS 31.102, 4.2.26).
    case efMsisdn
    /// Modemd's configuration.
    case configured
  }

  /// E.164 with its leading `+` when `isNormalised`, else as the modem gave it.
  public let revealed: String
  public let isNormalised: Bool
  public let source: Source
  public static var readableSuffix: Int { 2 }

  /// Takes a number as the modem gave it. It counts as normalised when it is `+` and 7 to 15 digits (ITU-T E.164, 6.2).
  public init(_ number: String, source: Source) {
    revealed = number
    self.source = source
    let digits = number.utf8.dropFirst()
    isNormalised =
      number.utf8.first == UInt8(ascii: "+") && (7...15).contains(digits.count)
      && digits.first != UInt8(ascii: "0") && digits.allSatisfy { (0x30...0x39).contains($0) }
  }
}
