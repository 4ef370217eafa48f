import OperatorSimulator

/// The scopes that the operator knows.
enum MobileConnectScopes {
  /// Those that premiuminfo answers.
  static let identity: Set<String> = [
    "mc_identity_phonenumber", "mc_identity_signup", "mc_identity_signupplus", "mc_identity_nationalid",
    "mc_phonenumber", "mc_signup", "mc_nationalid", "mc_kyc_plain", "mc_kyc_hashed", "mc_attr_vm_match",
    "mc_attr_vm_match_hash", "mc_attr_vm_share", "mc_attr_vm_share_hash",
  ]

  static let all: Set<String> = identity.union([
    "openid", "mc_authn", "mc_authz", "mc_mnv_validate", "mc_mnv_validate_plus", "mc_identity_phonenumber_hashed",
    "mc_india_tc", "mc_atp", "profile", "email", "address", "phone", "offline_access",
  ])

  /// Those that compare a number with the login hint.
  static let validation: Set<String> = ["mc_mnv_validate", "mc_mnv_validate_plus"]

  /// Reads the words of a `scope` parameter.
  static func read(_ text: String) throws(MobileConnectRefusal) -> [String] {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.first == "openid" else { throw .init("invalid_scope", "scope does not begin with openid") }
    guard Set(words).count == words.count, words.allSatisfy(all.contains) else {
      throw .init("invalid_scope", "a scope is not known, or there twice")
    }
    return words
  }
}
