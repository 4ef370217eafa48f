import ModemModel

/// The attributes of EAP-AKA and EAP-AKA′ (RFC 4187, 10; RFC 9048, 3 and 4).
package enum AttributeType: UInt8, Hashable, Sendable, CaseIterable {
  case rand = 1
  case autn = 2
  case res = 3
  case auts = 4
  case padding = 6
  case permanentIdentityRequest = 10
  case mac = 11
  case notification = 12
  case anyIdentityRequest = 13
  case identity = 14
  case fullAuthenticationIdentityRequest = 17
  case counter = 19
  case counterTooSmall = 20
  case nonce = 21
  case clientErrorCode = 22
  case keyDerivationInput = 23
  case keyDerivation = 24
  case vector = 129
  case encryptedData = 130
  case nextPseudonym = 132
  case nextReauthenticationIdentity = 133
  case checkcode = 134
  case resultIndication = 135
  case bidding = 136

  /// How its content lies in it. Type, length and what fills the last four bytes are around that.
  enum Form: Hashable, Sendable {
    /// Two reserved bytes, and nothing else.
    case empty
    /// A number of two bytes.
    case number
    /// Two reserved bytes, then 16.
    case block
    /// Two reserved bytes, then any number of blocks of 16.
    case blocks
    /// The length in bytes, in two bytes, then as many.
    case text
    /// The length in bits, in two bytes, then the bytes.
    case bits
    /// Two reserved bytes, then a digest or nothing.
    case digest
    /// 14 bytes alone.
    case bare
    /// 2, 6 or 10 zeros.
    case zeros
  }

  var form: Form {
    switch self {
    case .permanentIdentityRequest, .anyIdentityRequest, .fullAuthenticationIdentityRequest, .counterTooSmall,
      .resultIndication:
      .empty
    case .notification, .counter, .clientErrorCode, .keyDerivation, .bidding: .number
    case .rand, .autn, .mac, .nonce, .vector: .block
    case .encryptedData: .blocks
    case .identity, .keyDerivationInput, .nextPseudonym, .nextReauthenticationIdentity: .text
    case .res: .bits
    case .checkcode: .digest
    case .auts: .bare
    case .padding: .zeros
    }
  }

  /// Whether a receiver that does not expect it passes over it (RFC 4187, 8.1).
  static func isSkippable(_ number: UInt8) -> Bool { number >= 128 }

  /// As the RFCs write it.
  var name: String {
    switch self {
    case .rand: "AT_RAND"
    case .autn: "AT_AUTN"
    case .res: "AT_RES"
    case .auts: "AT_AUTS"
    case .padding: "AT_PADDING"
    case .permanentIdentityRequest: "AT_PERMANENT_ID_REQ"
    case .mac: "AT_MAC"
    case .notification: "AT_NOTIFICATION"
    case .anyIdentityRequest: "AT_ANY_ID_REQ"
    case .identity: "AT_IDENTITY"
    case .fullAuthenticationIdentityRequest: "AT_FULLAUTH_ID_REQ"
    case .counter: "AT_COUNTER"
    case .counterTooSmall: "AT_COUNTER_TOO_SMALL"
    case .nonce: "AT_NONCE_S"
    case .clientErrorCode: "AT_CLIENT_ERROR_CODE"
    case .keyDerivationInput: "AT_KDF_INPUT"
    case .keyDerivation: "AT_KDF"
    case .vector: "AT_IV"
    case .encryptedData: "AT_ENCR_DATA"
    case .nextPseudonym: "AT_NEXT_PSEUDONYM"
    case .nextReauthenticationIdentity: "AT_NEXT_REAUTH_ID"
    case .checkcode: "AT_CHECKCODE"
    case .resultIndication: "AT_RESULT_IND"
    case .bidding: "AT_BIDDING"
    }
  }

  /// Of any attribute's number.
  static func name(of number: UInt8) -> String { AttributeType(rawValue: number)?.name ?? "attribute \(number)" }
}

/// The messages of EAP-AKA and EAP-AKA′ (RFC 4187, 11).
package enum AKASubtype: UInt8, Hashable, Sendable, CaseIterable {
  case challenge = 1
  case authenticationReject = 2
  case synchronizationFailure = 4
  case identity = 5
  case notification = 12
  case reauthentication = 13
  case clientError = 14

  /// As the RFCs write it.
  var name: String {
    switch self {
    case .challenge: "AKA-Challenge"
    case .authenticationReject: "AKA-Authentication-Reject"
    case .synchronizationFailure: "AKA-Synchronization-Failure"
    case .identity: "AKA-Identity"
    case .notification: "AKA-Notification"
    case .reauthentication: "AKA-Reauthentication"
    case .clientError: "AKA-Client-Error"
    }
  }
}
