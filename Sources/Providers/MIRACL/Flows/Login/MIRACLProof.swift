import AuthCore
import JSONTree
import MPin

/// What is proved, and its purpose.
struct MIRACLProof: Sendable {
  /// The purpose of the proof, in the platform's words.
  enum Scope: String, Hashable, Sendable {
    /// A token for an application's backend.
    case token = "jwt"
    /// A website's session.
    case website = "oidc"
    /// A code that registers another device.
    case quickCode = "reg-code"
    /// A signature.
    case signature = "dvs-auth"
  }

  var identity: MIRACLIdentity
  var scope: Scope
  /// The website's session, if there is one.
  var session: Secret?
  /// The requester or the signed content, in its own words; nil if not given.
  var purpose: String?
  /// Nil to ask the caller for it.
  var pin: UserPIN?
}

/// A platform's answer to a proof.
struct MIRACLProven: Sendable {
  /// The PIN that was used, for actions that follow at once.
  let pin: UserPIN
  /// For an application's backend, which verifies it: RS256, with the keys at `/.well-known/jwks`.
  let token: Secret?
  /// The token to make a new secret with, if the platform requires renewal.
  let renewal: Secret?
}

/// The end of a completed proof, successful or not.
enum MIRACLProofEnd: Sendable {
  case proven(MIRACLProven)
  /// The identity can no longer be used.
  case dead(MIRACLIdentity.State)
}
