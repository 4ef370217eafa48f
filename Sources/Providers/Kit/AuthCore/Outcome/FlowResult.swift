/// The result of an authentication flow, for any provider. New cases may be added.
package enum FlowResult: String, Hashable, Sendable, CaseIterable {
  // What was asked is known.
  /// The number is that of the SIM. If the provider also reports a recent SIM change, the result is
  /// `simSwapped`.
  case verified
  /// The number is another's.
  case notVerified
  /// The subscription moved to another SIM within the requested period.
  case simSwapped
  case simUnchanged
  /// The provider answered without stating whether the SIM was changed.
  case simUnknown
  /// The provider can serve this SIM.
  case covered
  /// An authorization code, or what it was exchanged for, is available.
  case authorized
  /// The provider gave the SIM's number.
  case numberRead
  /// A user is signed in.
  case signedIn
  /// A document was signed with an identity unlocked for it.
  case signed
  /// An identity was made and stored on this machine.
  case registered
  /// The provider answered a question that is not about the SIM's number or its change. The flow's
  /// own fields have the answer.
  case answered

  // The provider cannot answer because of the SIM or its network.
  /// The provider saw an address that is not a mobile operator's.
  case notMobileIP
  /// The provider does not serve this operator.
  case operatorUnsupported
  /// The address and the number belong to different operators.
  case operatorMismatch
  case operatorTimeout
  case operatorError
  /// The operator does not know the subscriber, who often belongs to a virtual operator.
  case subscriberUnknown
  /// The operator added no header to the cleartext hop.
  case headerMissing

  // The flow needs something else.
  /// A person must answer a page: consent, login.
  case interactionRequired
  /// The provider wants to continue in a messaging application.
  case messageAppRequired
  /// A message's code is required and was not given.
  case codeRequired
  /// The code was wrong.
  case codeWrong
  /// The check, its code or its token has expired.
  case expired
  case rateLimited
  /// The user refused, or the account is locked or belongs to somebody else.
  case userRefused
  /// A token, or data signed with it, is invalid; the outcome's code names the failed check.
  case tokenRefused
  /// The PIN was wrong. After some more tries, the identity is revoked.
  case pinWrong
  /// The identity is no longer accepted, and must be registered again.
  case identityRevoked

  // Something is wrong on this side.
  /// The number or another argument is refused by the provider.
  case badRequest
  /// The provider refuses the client because of its credentials, permission or registration.
  case clientRefused
  /// The provider's configuration on this machine is insufficient for the call.
  case notConfigured

  // The way there failed.
  /// The SIM could not answer its operator's challenge: it is absent or locked, the modem has no
  /// way to ask it, or it does not accept the challenge; `code` says which.
  case noSIMAnswer
  /// No data path over the SIM; `cause` holds the reason.
  case noDataPath
  case redirectError
  case tlsError
  case dnsError
  case timeout
  /// The answer carries a wrong `state`, number or signature.
  case stateMismatch
  /// A backend or the provider's own server failed or could not be reached.
  case providerUnavailable
  /// An answer with no meaning in the provider's protocol.
  case badAnswer
  /// A portal answers instead of the provider: no credit, or a login.
  case captivePortal
  /// The caller left.
  case cancelled

  /// Whether the flow reached an answer of any kind.
  package var isAnswer: Bool {
    switch self {
    case .verified, .notVerified, .simSwapped, .simUnchanged, .simUnknown, .covered, .authorized, .numberRead,
      .signedIn, .signed, .registered, .answered:
      true
    default: false
    }
  }

  /// Whether it is the answer that an application hopes for.
  package var isSuccess: Bool {
    switch self {
    case .verified, .simUnchanged, .covered, .authorized, .numberRead, .signedIn, .signed, .registered,
      .answered:
      true
    default: false
    }
  }
}

/// The verdict on a requested number.
package enum NumberVerdict: String, Hashable, Sendable, CaseIterable {
  case matches, differs
}

/// The verdict on the SIM behind a number. An absent value is `unknown`, and never counts as
/// unchanged.
package enum SIMChange: String, Hashable, Sendable, CaseIterable {
  case changed, unchanged, unknown
}

/// How a number was proved.
package enum NumberProof: String, Hashable, Sendable, CaseIterable {
  /// The operator recognised the bearer that a request came over.
  case bearer
  /// The SIM answered a challenge of its operator.
  case sim
}
