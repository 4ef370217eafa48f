import AuthCore

/// The subject of an authorization, as in `login_hint`.
package enum LoginHint: Hashable, Sendable {
  case number(SubscriberNumber)
  /// The number, encrypted for the operator: `subscriber_id` of the discovery service, in hex.
  case encrypted(Secret)
  /// The pseudonymous customer reference: `sub` of an earlier ID token.
  case customer(Secret)

  /// How operators' metadata names it.
  var method: String {
    switch self {
    case .number: "MSISDN"
    case .encrypted: "ENCR_MSISDN"
    case .customer: "PCR"
    }
  }

  /// In the form that is sent. It identifies a subscriber: not for logs.
  var text: String {
    switch self {
    case .number(let number): "\(method):\(number.digits)"
    case .encrypted(let value), .customer(let value): "\(method):\(value.revealed)"
    }
  }

  /// - Throws: `AuthError` `invalidArgument`.
  func check() throws(AuthError) {
    switch self {
    case .number: return
    case .encrypted(let value):
      let isHex = value.revealed.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
      }
      guard isHex, (2...4096).contains(value.revealed.utf8.count) else {
        throw .invalid("subscriberID", "the hex digits that the discovery service gave")
      }
    case .customer(let value):
      guard (1...512).contains(value.revealed.utf8.count),
        value.revealed.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
      else { throw .invalid("customer", "the `sub` of an earlier ID token") }
    }
  }
}
