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
    /// The port reported it with a word that this version does not know.
    case unknown
  }

  /// The form of the digits, if their source reports it (type of number, 3GPP TS 24.008, 10.5.4.7).
  public enum NumberType: Hashable, Sendable {
    case unknown
    /// With the country's calling code; such a number gets its `+`.
    case international
    /// Neither a calling code nor a trunk prefix.
    case national
  }

  /// E.164 with its leading `+` when `isNormalised`, else as the modem gave it.
  public let revealed: String
  public let isNormalised: Bool
  public let source: Source
  /// Only used by `normalised(in:)`, whose results have `unknown`.
  public let type: NumberType
  public static var readableSuffix: Int { 2 }

  /// Takes a number from the modem. It counts as normalised if it is `+` and 7 to 15 digits (ITU-T
  /// E.164, 6.2).
  public init(_ number: String, type: NumberType = .unknown, source: Source) {
    let isBareInternational = type == .international && !number.hasPrefix("+") && E164.hasDigitsOnly(number)
    revealed = isBareInternational ? "+" + number : number
    isNormalised = E164.isNumber(revealed)
    self.source = source
    self.type = isNormalised ? .unknown : type
  }

  /// This number in E.164, if its form, its type or the country's numbering plan allow it;
  /// otherwise unchanged and not normalised.
  ///
  /// - Parameter plan: of the country that issued the SIM; nil if unknown.
  public func normalised(in plan: NumberingPlan?) -> PhoneNumber {
    guard !isNormalised, let number = E164.number(from: revealed, type, plan) else {
      return PhoneNumber(revealed, source: source)
    }
    return PhoneNumber(number, source: source)
  }
}
