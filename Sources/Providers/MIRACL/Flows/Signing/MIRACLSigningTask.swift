import AuthCore

/// What is to be signed.
public enum MIRACLSigningTask: Hashable, Sendable {
  /// This hash; the signature goes to the caller.
  case hash(MIRACLHash)
  /// What a website's session wants signed; the signature goes to it.
  case link(MIRACLLink)
  /// What an older signing session wants signed, by its id.
  case session(Secret)
}

/// What an older signing session is about.
struct MIRACLSigningSession: Sendable {
  let hash: MIRACLHash
  let user: MIRACLUser?
  let description: String?
}
