import ModemModel

/// Why the peer does not do what a packet asks.
package enum EAPRefusal: Error, Hashable, Sendable {
  // The packet.
  case tooLong
  case length
  case code(UInt8)
  case otherMethod(UInt8, EAPMethod)
  case changedMethod(UInt8)
  case subtype(UInt8)
  // Its attributes.
  case attributeLength(UInt8)
  case unknownAttribute(UInt8)
  case misplacedAttribute(UInt8)
  case doubledAttribute(UInt8)
  case missingAttribute(AttributeType)
  // When it came.
  case unexpected(AKASubtype)
  case unexpectedIdentityRequest
  case unexpectedSuccess
  case otherIdentifier
  case cardIsAsked
  case cardIsNotAsked
  case tooManyMessages
  // What it says.
  case identityRequests
  case identityOrder
  case identityLength
  case repeatedChallenge
  case checkcode
  case mac
  case notification(UInt16)
  case counter
  case stillOutOfStep
  // What is answered with AKA-Authentication-Reject.
  case noNetworkName
  case otherNetworkName
  case noKeyDerivation
  case changedKeyDerivation
  case noSeparation
  case biddingDown
  case card
  // This side.
  case library

  /// How the server is told.
  enum Answer {
    /// The other method that this peer has (RFC 3748, 5.3.1).
    case nak
    case clientError
    case authenticationReject
    /// Not at all: nobody waits for an answer, or another one comes.
    case none
  }

  var answer: Answer {
    switch self {
    case .otherMethod: .nak
    case .noNetworkName, .otherNetworkName, .noKeyDerivation, .changedKeyDerivation, .noSeparation, .biddingDown, .card:
      .authenticationReject
    case .code, .unexpectedSuccess, .otherIdentifier, .cardIsAsked, .cardIsNotAsked: .none
    default: .clientError
    }
  }
}

extension EAPRefusal {
  /// One sentence for people.
  package var text: String {
    switch self {
    case .tooLong: "The packet is longer than \(EAPPacket.limit) bytes."
    case .length: "The packet does not have the length that it states."
    case .code(let code): "The packet has the EAP code \(code), with which no server's packet begins."
    case .otherMethod(let type, let method):
      "The server asked for the EAP method \(type); this login uses \(method.name), method \(method.type)."
    case .changedMethod(let type): "The server changed to the EAP method \(type) in the middle of the login."
    case .subtype(let subtype): "The packet has the subtype \(subtype), which is unknown."
    case .attributeLength(let type): "\(AttributeType.name(of: type)) is malformed."
    case .unknownAttribute(let type): "The packet has attribute \(type), which is unknown and must not be skipped."
    case .misplacedAttribute(let type): "\(AttributeType.name(of: type)) must not be in this packet."
    case .doubledAttribute(let type): "\(AttributeType.name(of: type)) is in the packet twice."
    case .missingAttribute(let type): "\(type.name) is missing."
    case .unexpected(let subtype): "The server must not send \(subtype.name) here."
    case .unexpectedIdentityRequest: "The server asked for the identity after the method had begun."
    case .unexpectedSuccess: "The server reported success before the SIM had answered."
    case .otherIdentifier: "The server reported success for another packet than the last one."
    case .cardIsAsked: "The SIM is still being asked."
    case .cardIsNotAsked: "The SIM was not asked."
    case .tooManyMessages: "The server sent more than \(EAPPeer.messageLimit) packets in one login."
    case .identityRequests: "The server must ask for exactly one kind of identity."
    case .identityOrder: "The server asked for an identity that it had already refused."
    case .identityLength: "The SIM's identity is too long."
    case .repeatedChallenge: "The server repeated a challenge that the SIM had already answered."
    case .checkcode: "The server saw other identity packets than this login sent (AT_CHECKCODE)."
    case .mac: "The server did not prove that it has the SIM's keys (AT_MAC)."
    case .notification(let number): "The notification \(number) must not be sent here."
    case .counter: "The notification has another counter than the login (AT_COUNTER)."
    case .stillOutOfStep: "The SIM refused the server's sequence number again, after the server had been told its own."
    case .noNetworkName: "The server did not name its network (AT_KDF_INPUT)."
    case .otherNetworkName: "The server named another network than the configured one (AT_KDF_INPUT)."
    case .noKeyDerivation: "The server offered no key derivation that is known (AT_KDF)."
    case .changedKeyDerivation: "The server changed its list of key derivations (AT_KDF)."
    case .noSeparation: "The challenge is not meant for EAP-AKA′ (the separation bit of its AMF is clear)."
    case .biddingDown: "The server prefers EAP-AKA′ and still asked for EAP-AKA (AT_BIDDING)."
    case .card: "The SIM refused the challenge: it is not from the SIM's home network."
    case .library: "libcrypto refused; it has no memory, or its openssl.cnf leaves out an algorithm."
    }
  }
}
