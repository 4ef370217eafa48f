/// How a flow of authentication ended, whichever provider it was asked of. New cases may come.
public enum FlowResult: String, Hashable, Sendable, CaseIterable {
  // What was asked is known.
  /// The number is that of the SIM. Where the provider also says that the SIM was changed lately, the result is `simSwapped`.
  case verified
  /// The number is another's.
  case notVerified
  /// The subscription moved to another SIM within the period asked about.
  case simSwapped
  case simUnchanged
  /// The provider gave an answer and does not say whether the SIM was changed.
  case simUnknown
  /// The provider can serve this SIM.
  case covered
  /// An authorization code, or what it was exchanged for, is there.
  case authorized
  /// The provider told the SIM's number.
  case numberRead
  /// A user is signed in.
  case signedIn
  /// A document is signed with an identity that was unlocked for it.
  case signed
  /// An identity was made and is kept on this machine.
  case registered

  // The provider cannot tell, because of the SIM or its network.
  /// The provider saw an address that is no mobile operator's.
  case notMobileIP
  /// The provider does not serve this operator.
  case operatorUnsupported
  /// The address and the number belong to different operators.
  case operatorMismatch
  case operatorTimeout
  case operatorError
  /// The operator does not know the subscriber, often one of a virtual operator.
  case subscriberUnknown
  /// The operator added no header to the cleartext hop.
  case headerMissing

  // The flow needs something else.
  /// A person must answer a page: consent, login.
  case interactionRequired
  /// The provider wants to go on in an instant-message application.
  case messageAppRequired
  /// The code of a message is needed and was not given.
  case codeRequired
  /// The code was not the right one.
  case codeWrong
  /// The check, its code or its token is too old.
  case expired
  case rateLimited
  /// The user said no, or has an account that is locked or belongs to somebody else.
  case userRefused
  /// A token, or what was signed with it, is not what it must be: the outcome's code names the check that it failed.
  case tokenRefused
  /// The PIN was not the right one. Some more tries, and the identity is revoked.
  case pinWrong
  /// The identity is no longer taken, and has to be registered anew.
  case identityRevoked

  // Something is wrong on this side.
  /// The number or another argument is refused by the provider.
  case badRequest
  /// The provider refuses the client: credentials, permission, registration.
  case clientRefused
  /// The provider's configuration on this machine is not enough for the call.
  case notConfigured

  // The way there failed.
  /// No data path over the SIM: `cause` says why.
  case noDataPath
  case redirectError
  case tlsError
  case dnsError
  case timeout
  /// The answer carries another `state`, number or signature than it must.
  case stateMismatch
  /// A backend or the provider's own server failed or could not be reached.
  case providerUnavailable
  /// An answer that means nothing in the provider's protocol.
  case badAnswer
  /// A portal answers in place of the provider: no credit, or a login.
  case captivePortal
  /// The caller left.
  case cancelled

  /// Whether the flow came to its answer, whatever that answer is.
  public var isAnswer: Bool {
    switch self {
    case .verified, .notVerified, .simSwapped, .simUnchanged, .simUnknown, .covered, .authorized, .numberRead,
      .signedIn, .signed, .registered:
      true
    default: false
    }
  }

  /// Whether it is the answer that an application hopes for.
  public var isSuccess: Bool {
    switch self {
    case .verified, .simUnchanged, .covered, .authorized, .numberRead, .signedIn, .signed, .registered: true
    default: false
    }
  }
}

/// What is known of a number that was asked about.
public enum NumberVerdict: String, Hashable, Sendable, CaseIterable {
  case matches, differs
}

/// What is known of the SIM behind a number. Absent is `unknown`, and never read as unchanged.
public enum SIMChange: String, Hashable, Sendable, CaseIterable {
  case changed, unchanged, unknown
}
