import AuthCore

/// A caller's request for a phone sign-in.
package struct SignInRequest: Hashable, Sendable {
  /// What happens to an account that is already signed in.
  package struct Account: Hashable, Sendable {
    /// `operation` of `signInWithPhoneNumber`.
    package enum Operation: String, Hashable, Sendable, CaseIterable {
      case signUpOrIn = "SIGN_UP_OR_IN"
      case reauthenticate = "REAUTH"
      case update = "UPDATE"
      case link = "LINK"
    }

    package var idToken: Secret
    /// Nil for Firebase's default: to link.
    package var operation: Operation?

    package init(idToken: Secret, operation: Operation? = nil) {
      self.idToken = idToken
      self.operation = operation
    }
  }

  /// Where the code comes from.
  package enum CodeSource: Hashable, Sendable {
    /// The modem's messages or, if they cannot be read, the caller.
    case messages
    case caller
  }

  package var number: SubscriberNumber
  package var verification: AppVerification?
  package var codeSource: CodeSource
  /// Whether the caller can be asked for a code.
  package var canAsk: Bool
  /// Instead of a code: the proof that an earlier sign-in gave for this number.
  package var temporaryProof: Secret?
  /// Instead of another message: what an earlier sign-in's message belongs to.
  package var verificationID: Secret?
  package var account: Account?

  package init(
    _ number: SubscriberNumber, verification: AppVerification? = nil, codeFrom codeSource: CodeSource = .messages,
    canAsk: Bool = false, temporaryProof: Secret? = nil, verificationID: Secret? = nil, account: Account? = nil
  ) {
    self.verificationID = verificationID
    self.number = number
    self.verification = verification
    self.codeSource = codeSource
    self.canAsk = canAsk
    self.temporaryProof = temporaryProof
    self.account = account
  }
}
