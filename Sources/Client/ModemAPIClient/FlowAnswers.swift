import FirebaseAPI
import MIRACLAPI
import ModemAPI
import Varlink

/// Who answers what a flow asks for. A closure may take its time, and its task is cancelled when
/// the flow no longer waits. With nil the call ends with `UnansweredQuestion`.
public struct FlowAnswers: Sendable {
  /// Asks somebody.
  public typealias Closure<Question> = @Sendable (Question) async throws -> String?

  /// For a one-time code. Spaces and hyphens in the answer do not count.
  public var code: Closure<CodeQuestion>?
  /// For a PIN, in digits.
  public var pin: Closure<MIRACLQuestion>?
  /// For the whole link, or the code, of a mail.
  public var mail: Closure<MIRACLQuestion>?

  public init(
    code: Closure<CodeQuestion>? = nil, pin: Closure<MIRACLQuestion>? = nil, mail: Closure<MIRACLQuestion>? = nil
  ) {
    self.code = code
    self.pin = pin
    self.mail = mail
  }

  /// A one-time code is wanted (org.modemd.PhoneSignIn.SignIn).
  public struct CodeQuestion: Sendable {
    /// What the flow says of the question, as whether the last code was wrong.
    public let reply: PhoneSignInInterface.SignIn.Reply
    /// Why modemd did not take the last answer: of the wrong form, or given before.
    public let refusal: VarlinkError?
  }

  /// A PIN is wanted, or what a mail contains (org.modemd.MIRACL).
  public struct MIRACLQuestion: Sendable {
    /// What is asked, and what it is for: show that before the PIN is typed.
    public let question: MIRACLInterface.Question
    /// Why modemd did not take the last answer: of the wrong form, or given before.
    public let refusal: VarlinkError?
  }
}

/// A flow asks for something that the program has no answer for.
public struct UnansweredQuestion: Error, Hashable, Sendable, CustomStringConvertible {
  /// modemd's word for it, as in mailLink.
  public let what: String

  public var description: String { "modemd asks for “\(what)”, and the program has no answer" }
}
