import AuthCore

/// What is to be signed.
package enum MIRACLSigningTask: Hashable, Sendable {
  /// This hash; the signature goes to the caller.
  case hash(MIRACLHash)
  /// The content that a website's session needs signed; the signature goes to the session.
  case link(MIRACLLink)
  /// The content that an older signing session needs signed, by its id.
  case session(Secret)
}

/// The subject of an older signing session.
struct MIRACLSigningSession: Sendable {
  let hash: MIRACLHash
  let user: MIRACLUser?
  let description: String?
}
