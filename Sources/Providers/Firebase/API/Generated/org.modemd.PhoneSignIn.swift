// Written by varlink-generate from org.modemd.PhoneSignIn.varlink: change that file, then `make generate`.

import ModemAPI
import Varlink

/// Signs users in at Firebase by their phone number, after checking that the number has not moved to
/// another SIM: a changed SIM stops it before any message is sent. Access needs its own entry in the
/// access table. Without one, only root may call, because the codes are read from the SIM's messages.
/// Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable) are those of
/// org.modemd.Modem, and TooManyFlows is that of org.modemd.Check, and InvalidArgument, NoProvider
/// and MoreThanOneProvider are those of org.modemd.Verify. The types Step, Hop and Outcome are the
/// same in every interface of a provider. Later versions may add fields, and new words to the enums
/// of replies and errors. Replies and errors always have all their fields; a field without a value is
/// null.
public enum PhoneSignInInterface: VarlinkInterface {
  public static let name = "org.modemd.PhoneSignIn"
  public static let text = #"""
    # Signs users in at Firebase by their phone number, after checking that the number has not moved to
    # another SIM: a changed SIM stops it before any message is sent. Access needs its own entry in the
    # access table. Without one, only root may call, because the codes are read from the SIM's messages.
    # Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable) are those of
    # org.modemd.Modem, and TooManyFlows is that of org.modemd.Check, and InvalidArgument, NoProvider
    # and MoreThanOneProvider are those of org.modemd.Verify. The types Step, Hop and Outcome are the
    # same in every interface of a provider. Later versions may add fields, and new words to the enums
    # of replies and errors. Replies and errors always have all their fields; a field without a value is
    # null.
    interface org.modemd.PhoneSignIn

    # One action of the flow.
    type Step (
      # From 1.
      index: int,
      # The action, as in createCheck.
      name: string,
      # The path it took: the SIM's bearer, the machine's own network, the modem itself, or the caller.
      lane: (bearer, host, modem, caller),
      # The first host that was asked.
      host: ?string,
      # HTTP status of the answer; null if none came.
      status: ?int,
      # Milliseconds from the flow's start.
      start: float,
      # Milliseconds that it took.
      milliseconds: float,
      # What went wrong, in one sentence for people; null if nothing did.
      failure: ?string
    )

    # One request over the bearer and its answer.
    type Hop (
      # Index of its step.
      step: int,
      # From 1 in its step.
      index: int,
      # Scheme of the URL.
      scheme: (http, https),
      # Host of the URL. Path and query are never shown: they may hold secrets.
      host: string,
      # The server's address that was used.
      address: ?string,
      # HTTP status; null if no answer came.
      status: ?int,
      # The host that the answer redirects to.
      next: ?string,
      # Milliseconds from the step's start.
      start: float,
      # Milliseconds to the end of the answer; null if it did not end.
      milliseconds: ?float
    )

    # How the flow ended.
    type Outcome (
      # The result, or why there is none. New words may be added.
      result: (
        verified,
        notVerified,
        simSwapped,
        simUnchanged,
        simUnknown,
        covered,
        authorized,
        numberRead,
        signedIn,
        signed,
        registered,
        answered,
        notMobileIP,
        operatorUnsupported,
        operatorMismatch,
        operatorTimeout,
        operatorError,
        subscriberUnknown,
        headerMissing,
        interactionRequired,
        messageAppRequired,
        codeRequired,
        codeWrong,
        expired,
        rateLimited,
        userRefused,
        tokenRefused,
        pinWrong,
        identityRevoked,
        badRequest,
        clientRefused,
        notConfigured,
        noSIMAnswer,
        noDataPath,
        redirectError,
        tlsError,
        dnsError,
        timeout,
        stateMismatch,
        providerUnavailable,
        badAnswer,
        captivePortal,
        cancelled
      ),
      # Whether the number is the SIM's; null if the flow does not determine it. Never read null as
      # differs.
      number: ?(matches, differs),
      # How the number was proved: by the bearer that a request came over, or by the SIM's answer to a
      # challenge of its operator; null if it was not, or in another way.
      proof: ?(bearer, sim),
      # Whether the number recently moved to another SIM; null if that was not asked.
      sim: ?(changed, unchanged, unknown),
      # The provider's own code, as in ip_msisdn_mismatch.
      code: ?string,
      # HTTP status of the decisive answer.
      status: ?int,
      # With noDataPath and other failures of a chain: the cause, in the words of org.modemd.Check.
      cause: ?string,
      # With rateLimited: when the provider accepts requests again; null if it gave no time.
      retryAfterMilliseconds: ?int,
      # One sentence for people: what happened, and what to do if anything can be done.
      text: string,
      # Name of the provider in the configuration.
      provider: ?string,
      # Kind of the provider, as in truID.
      kind: ?string,
      # Id of the modem.
      modem: ?string,
      # The bearer's address from which the last chain was sent.
      source: ?string,
      # From the call to the end.
      milliseconds: float,
      # Id of the trace: 32 hexadecimal digits. Entries of the journal and the history have it.
      trace: ?string
    )

    # Firebase's answer. modemd verifies none of it: the backend that trusts it must do so.
    type User (
      # The user's id in the project.
      user: ?string,
      # In international form.
      number: ?string,
      # A JSON Web Token that identifies the user.
      idToken: ?string,
      # Refresh exchanges it for a new ID token.
      refreshToken: ?string,
      # Seconds for which the ID token is valid.
      expiresIn: ?int,
      # Whether this call created the user; null if Firebase does not report it.
      isNew: ?bool,
      # With userRefused, instead of tokens: proves the number, which belongs to another account.
      temporaryProof: ?string,
      # Seconds for which the proof is valid.
      temporaryProofExpiresIn: ?int
    )

    # Asks whether the number moved to another SIM, requests a message with a code for it, reads the
    # code, and exchanges it for tokens. A stream: `ready`, then a `step` for each action, with a `hop`
    # for each request over the bearer, `codeWanted` when GiveCode must be called, then the `outcome`.
    # Without `more`, only the outcome; nobody can be asked for a code then.
    method SignIn(
      # In international form, as in +447700900123.
      number: string,
      # Where the code comes from; null for messages. No message is sent if it is known before that it
      # would not come to the SIM of this modem, or that it cannot be read. If messages turn out to be
      # unreadable after it was sent, the caller is asked.
      codeFrom: ?(messages, caller),
      # Shows Firebase that the request comes from the project's own app. A front end of the app makes
      # it: an object with recaptchaToken, with playIntegrityToken, with safetyNetToken, with iosReceipt
      # and iosSecret, or with captchaResponse, clientType and recaptchaVersion. Null for test numbers
      # of the project and for the auth emulator.
      appVerification: ?object,
      # Instead of a code: the proof that an earlier call gave for this number.
      temporaryProof: ?string,
      # Instead of another message: the verificationID that an earlier call gave for this number.
      # Whether the number moved to another SIM is asked again.
      verificationID: ?string,
      # An account that is already signed in, by its ID token; null for none.
      idToken: ?string,
      # With `idToken`: what to do with that account.
      operation: ?(signUpOrIn, reauthenticate, update, link),
      # Name of the provider; null for the only one of the kind firebase that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      # `messageSent` comes once a message was sent whose code is read from the modem's messages.
      event: (ready, step, hop, codeWanted, messageSent, outcome),
      # Set with `step`.
      step: ?Step,
      # Set with `hop`.
      hop: ?Hop,
      # Set with `ready` and `codeWanted`: identifies this call for GiveCode. A caller who knows it and
      # is the same user may give the code.
      flow: ?string,
      # Set with `codeWanted`: whether the code that was given last was wrong.
      codeWrong: ?bool,
      # Set with `codeWanted` after a wrong code: how many more are tried.
      attemptsLeft: ?int,
      # Set with `messageSent` and `codeWanted`, and with `outcome` if a message was sent and no code
      # was the right one: a later call goes on with it. It is worth nothing without the code, and
      # expires soon.
      verificationID: ?string,
      # Set with `outcome`.
      outcome: ?Outcome,
      # Set with `outcome` if Firebase gave anything.
      user: ?User
    )

    # Gives the code that a call of SignIn waits for. After a wrong code, the call asks again, a limited
    # number of times.
    method GiveCode(
      # As `codeWanted` has it.
      flow: string,
      # 4 to 16 letters and digits.
      code: string
    ) -> ()

    # Exchanges a refresh token for a new ID token. Replies like SignIn.
    method Refresh(
      refreshToken: string,
      # As with SignIn.
      provider: ?string,
      # As with SignIn: the provider is chosen for its network.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: (ready, step, hop, outcome),
      # Set with `step`.
      step: ?Step,
      # Set with `hop`.
      hop: ?Hop,
      # Set with `outcome`.
      outcome: ?Outcome,
      # Set with `outcome` if Firebase gave anything.
      user: ?User
    )

    # No call of SignIn by this user has the id, or it does not wait for a code now.
    error NoSuchFlow ()

    # The code was given before for this call, and was wrong. The call continues to wait.
    error CodeRefused ()

    """#

  /// One action of the flow.
  public typealias Step = VerifyInterface.Step

  /// One request over the bearer and its answer.
  public typealias Hop = VerifyInterface.Hop

  /// How the flow ended.
  public typealias Outcome = VerifyInterface.Outcome

  /// Firebase's answer. modemd verifies none of it: the backend that trusts it must do so.
  public struct User: Codable, Hashable, Sendable {
    /// The user's id in the project.
    public var user: String?
    /// In international form.
    public var number: String?
    /// A JSON Web Token that identifies the user.
    public var idToken: String?
    /// Refresh exchanges it for a new ID token.
    public var refreshToken: String?
    /// Seconds for which the ID token is valid.
    public var expiresIn: Int?
    /// Whether this call created the user; null if Firebase does not report it.
    public var isNew: Bool?
    /// With userRefused, instead of tokens: proves the number, which belongs to another account.
    public var temporaryProof: String?
    /// Seconds for which the proof is valid.
    public var temporaryProofExpiresIn: Int?

    public init(
      user: String? = nil, number: String? = nil, idToken: String? = nil, refreshToken: String? = nil,
      expiresIn: Int? = nil, isNew: Bool? = nil, temporaryProof: String? = nil, temporaryProofExpiresIn: Int? = nil
    ) {
      self.user = user
      self.number = number
      self.idToken = idToken
      self.refreshToken = refreshToken
      self.expiresIn = expiresIn
      self.isNew = isNew
      self.temporaryProof = temporaryProof
      self.temporaryProofExpiresIn = temporaryProofExpiresIn
    }
  }

  /// Asks whether the number moved to another SIM, requests a message with a code for it, reads the
  /// code, and exchanges it for tokens. A stream: `ready`, then a `step` for each action, with a `hop`
  /// for each request over the bearer, `codeWanted` when GiveCode must be called, then the `outcome`.
  /// Without `more`, only the outcome; nobody can be asked for a code then.
  public enum SignIn: FlowMethod {
    public static let name = "org.modemd.PhoneSignIn.SignIn"

    /// What `SignIn` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "number", "codeFrom", "appVerification", "temporaryProof", "verificationID", "idToken", "operation", "provider",
        "modem", "traceparent",
      ]
      /// In international form, as in +447700900123.
      public var number: String
      /// Where the code comes from; null for messages. No message is sent if it is known before that it
      /// would not come to the SIM of this modem, or that it cannot be read. If messages turn out to be
      /// unreadable after it was sent, the caller is asked.
      public var codeFrom: CodeFrom?
      /// Shows Firebase that the request comes from the project's own app. A front end of the app makes
      /// it: an object with recaptchaToken, with playIntegrityToken, with safetyNetToken, with iosReceipt
      /// and iosSecret, or with captchaResponse, clientType and recaptchaVersion. Null for test numbers
      /// of the project and for the auth emulator.
      public var appVerification: JSONValue?
      /// Instead of a code: the proof that an earlier call gave for this number.
      public var temporaryProof: String?
      /// Instead of another message: the verificationID that an earlier call gave for this number.
      /// Whether the number moved to another SIM is asked again.
      public var verificationID: String?
      /// An account that is already signed in, by its ID token; null for none.
      public var idToken: String?
      /// With `idToken`: what to do with that account.
      public var operation: Operation?
      /// Name of the provider; null for the only one of the kind firebase that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        number: String, codeFrom: CodeFrom? = nil, appVerification: JSONValue? = nil, temporaryProof: String? = nil,
        verificationID: String? = nil, idToken: String? = nil, operation: Operation? = nil, provider: String? = nil,
        modem: String? = nil, traceparent: String? = nil
      ) {
        self.number = number
        self.codeFrom = codeFrom
        self.appVerification = appVerification
        self.temporaryProof = temporaryProof
        self.verificationID = verificationID
        self.idToken = idToken
        self.operation = operation
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }

      /// One of the values of `codeFrom`.
      public enum CodeFrom: String, Codable, CaseIterable, Hashable, Sendable {
        case messages, caller
      }

      /// One of the values of `operation`.
      public enum Operation: String, Codable, CaseIterable, Hashable, Sendable {
        case signUpOrIn, reauthenticate, update, link
      }
    }

    /// What `SignIn` answers.
    public struct Reply: AskingMethodReply {
      /// `messageSent` comes once a message was sent whose code is read from the modem's messages.
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `ready` and `codeWanted`: identifies this call for GiveCode. A caller who knows it and
      /// is the same user may give the code.
      public var flow: String?
      /// Set with `codeWanted`: whether the code that was given last was wrong.
      public var codeWrong: Bool?
      /// Set with `codeWanted` after a wrong code: how many more are tried.
      public var attemptsLeft: Int?
      /// Set with `messageSent` and `codeWanted`, and with `outcome` if a message was sent and no code
      /// was the right one: a later call goes on with it. It is worth nothing without the code, and
      /// expires soon.
      public var verificationID: String?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// Set with `outcome` if Firebase gave anything.
      public var user: User?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, flow: String? = nil, codeWrong: Bool? = nil,
        attemptsLeft: Int? = nil, verificationID: String? = nil, outcome: Outcome? = nil, user: User? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.flow = flow
        self.codeWrong = codeWrong
        self.attemptsLeft = attemptsLeft
        self.verificationID = verificationID
        self.outcome = outcome
        self.user = user
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(
          event: event, step: nil, hop: nil, flow: nil, codeWrong: nil, attemptsLeft: nil, verificationID: nil,
          outcome: nil, user: nil
        )
      }

      /// One of the values of `event`.
      public enum Event: OpenWord {
        case ready, step, hop, codeWanted, messageSent, outcome
        case other(String)

        public static let known: [Self] = [.ready, .step, .hop, .codeWanted, .messageSent, .outcome]
        public var rawValue: String {
          switch self {
          case .ready: "ready"
          case .step: "step"
          case .hop: "hop"
          case .codeWanted: "codeWanted"
          case .messageSent: "messageSent"
          case .outcome: "outcome"
          case .other(let word): word
          }
        }
      }
    }
  }

  /// Gives the code that a call of SignIn waits for. After a wrong code, the call asks again, a limited
  /// number of times.
  public enum GiveCode: VarlinkMethod {
    public static let name = "org.modemd.PhoneSignIn.GiveCode"

    /// What `GiveCode` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["flow", "code"]
      /// As `codeWanted` has it.
      public var flow: String
      /// 4 to 16 letters and digits.
      public var code: String

      public init(flow: String, code: String) {
        self.flow = flow
        self.code = code
      }
    }

    /// What `GiveCode` answers.
    public struct Reply: Codable, Hashable, Sendable {

      public init() {}
    }
  }

  /// Exchanges a refresh token for a new ID token. Replies like SignIn.
  public enum Refresh: FlowMethod {
    public static let name = "org.modemd.PhoneSignIn.Refresh"

    /// What `Refresh` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["refreshToken", "provider", "modem", "traceparent"]
      public var refreshToken: String
      /// As with SignIn.
      public var provider: String?
      /// As with SignIn: the provider is chosen for its network.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(refreshToken: String, provider: String? = nil, modem: String? = nil, traceparent: String? = nil) {
        self.refreshToken = refreshToken
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `Refresh` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// Set with `outcome` if Firebase gave anything.
      public var user: User?

      public init(event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, user: User? = nil) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.user = user
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, user: nil)
      }

      /// One of the values of `event`.
      public enum Event: OpenWord {
        case ready, step, hop, outcome
        case other(String)

        public static let known: [Self] = [.ready, .step, .hop, .outcome]
        public var rawValue: String {
          switch self {
          case .ready: "ready"
          case .step: "step"
          case .hop: "hop"
          case .outcome: "outcome"
          case .other(let word): word
          }
        }
      }
    }
  }

  /// No call of SignIn by this user has the id, or it does not wait for a code now.
  public struct NoSuchFlow: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.PhoneSignIn.NoSuchFlow"

    public init() {}
  }

  /// The code was given before for this call, and was wrong. The call continues to wait.
  public struct CodeRefused: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.PhoneSignIn.CodeRefused"

    public init() {}
  }
}
