import AuthCore
import JSONTree

/// A signed token as read, before any of it is trusted.
struct SignedToken: Hashable, Sendable {
  let header: JSONValue
  let claims: JSONValue

  /// - Returns: nil for anything but a token of three parts, including an encrypted one.
  init?(_ token: Secret) {
    let parts = token.revealed.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64.decode(parts[0]).flatMap({ JSONValue(parsing: $0) }),
      let claims = Base64.decode(parts[1]).flatMap({ JSONValue(parsing: $0) }), case .object = claims
    else { return nil }
    self.header = header
    self.claims = claims
  }
}

/// What is wrong with a token: the check that failed.
struct TokenFault: Error, Hashable, Sendable {
  enum Check: String, Hashable, Sendable, CaseIterable {
    case form, alg, signature, iss, aud, azp, nonce, sub, exp, iat, acr, amr
    case authTime = "auth_time"
    case atHash = "at_hash"
    case hashedLoginHint = "hashed_login_hint"
    /// There is none.
    case missing = "id_token"
  }

  let check: Check
  /// What is wrong, and what to do.
  let text: String

  init(_ check: Check, _ text: String) {
    self.check = check
    self.text = text
  }

  var outcome: FlowOutcome {
    FlowOutcome(.tokenRefused, code: check.rawValue, "the operator's token is refused: \(text)")
  }

  /// The meaning of the signature's check; nil if it is valid.
  init?(_ verdict: SignatureVerdict) {
    switch verdict {
    case .good: return nil
    case .malformed: self.init(.form, "it is no signed token in compact form; ask the operator")
    case .algorithmRefused:
      self.init(
        .alg, "its algorithm is none, or not RS256, PS256 or ES256; ask the operator to sign it with a published key")
    case .keyMissing:
      self.init(
        .signature, "no key of the operator's key set has its id and algorithm; compare jwks with the operator's")
    case .forged:
      self.init(.signature, "its signature is not of the operator's key; do not trust it, and ask the operator")
    }
  }
}
