import AuthCore
import JSONTree
import MPin

/// What is proved, and to what end.
struct MIRACLProof: Sendable {
  /// What the proof is for, in the platform's words.
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
  /// The website's session, where there is one.
  var session: Secret?
  /// Who wants it, or what is signed, in their words; nil where nobody says.
  var purpose: String?
  /// Nil where the caller is asked for it.
  var pin: UserPIN?
}

/// What a platform answers to a proof.
struct MIRACLProven: Sendable {
  /// The PIN that was used, for what must follow at once.
  let pin: UserPIN
  /// For an application's backend, which verifies it: RS256, by the keys at `/.well-known/jwks`.
  let token: Secret?
  /// What a new secret is made with, where the platform wants the old one gone.
  let renewal: Secret?
}

/// Where a proof came to, right or wrong.
enum MIRACLProofEnd: Sendable {
  case proven(MIRACLProven)
  /// The identity can be used no more.
  case dead(MIRACLIdentity.State)
}
