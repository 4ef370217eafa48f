import AuthCore
import ModemModel

/// What a temporary token allows: one operation, once. The words are those of the interface.
package enum TemporaryTokenTarget: String, Hashable, Sendable, CaseIterable {
  case phoneNumber, verify

  /// TS.43's word.
  var operation: String {
    switch self {
    case .phoneNumber: "GetPhoneNumber"
    case .verify: "VerifyPhoneNumber"
    }
  }
}

/// What an entitlement server can be asked about a SIM (TS.43, 6.5).
package enum TS43Operation: Hashable, Sendable {
  /// Whether a number is the SIM's: `VerifyPhoneNumber`.
  case verify(SubscriberNumber)
  /// `GetPhoneNumber`.
  case phoneNumber
  /// `GetSubscriberInfo`.
  case subscriberInfo
  /// `AcquireTemporaryToken`.
  case temporaryToken(TemporaryTokenTarget)

  /// TS.43's word.
  var word: String {
    switch self {
    case .verify: TemporaryTokenTarget.verify.operation
    case .phoneNumber: TemporaryTokenTarget.phoneNumber.operation
    case .subscriberInfo: "GetSubscriberInfo"
    case .temporaryToken: "AcquireTemporaryToken"
    }
  }

  /// The name of its step.
  var step: String {
    switch self {
    case .verify: "verifyPhoneNumber"
    case .phoneNumber: "getPhoneNumber"
    case .subscriberInfo: "getSubscriberInfo"
    case .temporaryToken: "acquireTemporaryToken"
    }
  }
}

/// What the server told besides the outcome.
package struct TS43Answer: Hashable, Sendable {
  /// The number that the operator has for the SIM. Never with `verify`.
  package var number: SubscriberNumber?
  /// The number that stands on the SIM (EF_MSISDN), where the operator's is known as well; nil if
  /// it has none.
  package var simNumber: SubscriberNumber?
  /// The kind of the SIM's id, in the operator's words.
  package var simIDType: String?
  package var simID: ICCID?
  /// Name of the virtual operator.
  package var virtualOperator: String?
  /// For one operation, once. It is nobody's to keep.
  package var temporaryToken: Secret?
  /// When the temporary token ends; nil if the server did not say.
  package var expires: Timestamp?
  /// With a temporary token: the operator that has to be asked.
  package var home: PLMN?
  /// With a temporary token: the SIM's Group Identifier Level 1; nil if it has none.
  package var groupIdentifier: [UInt8]?

  package init() {}

  /// Whether the operator's number and the SIM's are the same; nil unless both are known.
  package var isSame: Bool? {
    guard let number, let simNumber else { return nil }
    return number == simNumber
  }
}
