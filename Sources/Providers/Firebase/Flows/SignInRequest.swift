import AuthCore

/// A caller's request for a phone sign-in.
public struct SignInRequest: Hashable, Sendable {
  /// What happens to an account that is already signed in.
  public struct Account: Hashable, Sendable {
    /// `operation` of `signInWithPhoneNumber`.
    public enum Operation: String, Hashable, Sendable, CaseIterable {
      case signUpOrIn = "SIGN_UP_OR_IN"
      case reauthenticate = "REAUTH"
      case update = "UPDATE"
      case link = "LINK"
    }

    public var idToken: Secret
    /// Nil for Firebase's default: to link.
    public var operation: Operation?

    public init(idToken: Secret, operation: Operation? = nil) {
      self.idToken = idToken
      self.operation = operation
    }
  }

  /// Where the code comes from.
  public enum CodeSource: Hashable, Sendable {
    /// The modem's messages or, if they cannot be read, the caller.
    case messages
    case caller
  }

  public var number: SubscriberNumber
  public var verification: AppVerification?
  public var codeSource: CodeSource
  /// Whether the caller can be asked for a code.
  public var canAsk: Bool
  /// Instead of a code: the proof that an earlier sign-in gave for this number.
  public var temporaryProof: Secret?
  public var account: Account?

  public init(
    _ number: SubscriberNumber, verification: AppVerification? = nil, codeFrom codeSource: CodeSource = .messages,
    canAsk: Bool = false, temporaryProof: Secret? = nil, account: Account? = nil
  ) {
    self.number = number
    self.verification = verification
    self.codeSource = codeSource
    self.canAsk = canAsk
    self.temporaryProof = temporaryProof
    self.account = account
  }
}
