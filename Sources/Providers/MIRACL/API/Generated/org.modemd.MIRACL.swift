// Written by varlink-generate from org.modemd.MIRACL.varlink: change that file, then `make generate`.

import ModemAPI
import Varlink

/// Registers users with a MIRACL Trust project, logs them in at its websites with a PIN, and signs.
/// This machine stores a user's identity but never the PIN, which is asked for each time. Access
/// needs its own entry in the access table. Without one, only root may call, because callers can try
/// PINs and use up an identity's attempts. Errors about modems (NoModem, MoreThanOneModem,
/// NoSuchModem, PortUnavailable) are those of org.modemd.Modem, and TooManyFlows is that of
/// org.modemd.Check, and InvalidArgument, NoProvider and MoreThanOneProvider are those of
/// org.modemd.Verify. The types Step, Hop and Outcome are the same in every interface of a provider.
/// Later versions may add fields, and new words to the enums of replies and errors. Replies and
/// errors always have all their fields; a field without a value is null.
public enum MIRACLInterface: VarlinkInterface {
  public static let name = "org.modemd.MIRACL"
  public static let text = #"""
    # Registers users with a MIRACL Trust project, logs them in at its websites with a PIN, and signs.
    # This machine stores a user's identity but never the PIN, which is asked for each time. Access
    # needs its own entry in the access table. Without one, only root may call, because callers can try
    # PINs and use up an identity's attempts. Errors about modems (NoModem, MoreThanOneModem,
    # NoSuchModem, PortUnavailable) are those of org.modemd.Modem, and TooManyFlows is that of
    # org.modemd.Check, and InvalidArgument, NoProvider and MoreThanOneProvider are those of
    # org.modemd.Verify. The types Step, Hop and Outcome are the same in every interface of a provider.
    # Later versions may add fields, and new words to the enums of replies and errors. Replies and
    # errors always have all their fields; a field without a value is null.
    interface org.modemd.MIRACL

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

    # What a flow asks for, by GivePIN or GiveMail.
    type Question (
      # What is needed: a PIN, or the link or the code from a mail.
      what: (pin, mailLink, mailCode),
      # With pin: the least number of digits.
      shortest: ?int,
      # With pin: the greatest number of digits.
      longest: ?int,
      # With pin: whether the user chooses a new one, in which case it is best asked for twice.
      isNew: ?bool,
      # What the answer is for, in the words of the requester: the website's name, or what is to be
      # signed. Show it before the PIN is typed.
      purpose: ?string,
      # How long to wait for the answer.
      seconds: int
    )

    # A user's identity on this machine.
    type Identity (
      # The user's name in the project, usually a mail address.
      user: string,
      # The project's id.
      project: string,
      # The platform's URL.
      service: string,
      # Revoked and expired identities cannot be used: register the user again.
      state: (active, revoked, expired),
      # The number of digits of the PIN.
      pinLength: int,
      # RFC 3339.
      created: string
    )

    # A website's description of its session.
    type Session (
      # The project's name.
      project: ?string,
      # A picture of it.
      logo: ?string,
      # The user that the website expects; null for any user.
      user: ?string,
      # How many digits PINs have.
      pinLength: ?int,
      # How users are verified, in the platform's words.
      verificationMethod: ?string,
      # The project's own page for verification.
      verificationURL: ?string,
      verificationText: ?string,
      # The kind of a user's name, as in email, and its label.
      identityType: ?string,
      identityLabel: ?string,
      # Whether a quick code registers another device.
      allowsQuickCode: ?bool,
      # Whether that is only for verified users.
      limitsQuickCode: ?bool,
      # Set if something must be signed: its hash in hexadecimal digits.
      hash: ?string,
      # What it is, for people.
      description: ?string
    )

    # A signature of a document's hash.
    type Signature (
      # For the verifier: hash, u, v, mpinId, publicKey, dtas and timestamp. The M-Pin id contains the
      # user's name.
      document: object,
      # Seconds since 1970.
      timestamp: int
    )

    # Asks for the subject of the session of a website's link. Replies: `ready`, then a `step` for each
    # action with a `hop` for each request over the bearer, then the `outcome`. Without `more`, only the
    # outcome.
    method GetSession(
      # The text of the website's QR code, or the object of its push message.
      link: string,
      # Name of the provider; null for the only one of the kind miracl that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem, for a provider whose calls go over its bearer; null for
      # the only one.
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
      # Set with `outcome` if there is such a session.
      session: ?Session
    )

    # Tells a session that nobody will log in or sign. Replies like GetSession.
    method AbortSession(
      # As with GetSession; null with `signingSession`.
      link: ?string,
      # Id of a signing session of the older kind.
      signingSession: ?string,
      # As with GetSession.
      provider: ?string,
      # As with GetSession.
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
      outcome: ?Outcome
    )

    # Verifies a user, makes an identity with a PIN that the caller chooses, and stores it in place of
    # an earlier one. It goes on where the same caller's last call for this user stopped, for an hour
    # after a mail and for 10 minutes after the verification: no other mail is sent, and no link or code
    # is wanted twice. Only with `more`: `ready`, then `step` and `hop`, `question` when GivePIN or
    # GiveMail must be called, then the `outcome`.
    method Register(
      # The user's name in the project.
      user: string,
      # How to verify the user: by a mail, by this machine as the project's own backend, by an existing
      # link, or by an activation, which is the quick code of another device or a token. Null means by
      # mail.
      verification: ?(mail, backend, link, activation),
      # With link and activation: that.
      proof: ?string,
      # The link of the website that the user came from.
      link: ?string,
      # True to begin anew, with another mail; null to go on.
      anew: ?bool,
      # As with GetSession.
      provider: ?string,
      # As with GetSession.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: (ready, step, hop, question, outcome),
      # Set with `step`.
      step: ?Step,
      # Set with `hop`.
      hop: ?Hop,
      # Set with `ready` and `question`: identifies this call for GivePIN and GiveMail. A caller who
      # knows it and is the same user may answer.
      flow: ?string,
      # Set with `question`.
      question: ?Question,
      # Set with `outcome`.
      outcome: ?Outcome,
      # Set with `outcome` if the user is registered.
      identity: ?Identity
    )

    # Logs a user in at a website, or gets a token for an application's own backend. Only with `more`,
    # like Register.
    method Login(
      # As with GetSession; null for a token.
      link: ?string,
      # Null for the user that the website expects, else for the only registered one.
      user: ?string,
      # As with GetSession.
      provider: ?string,
      # As with GetSession.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: (ready, step, hop, question, outcome),
      # Set with `step`.
      step: ?Step,
      # Set with `hop`.
      hop: ?Hop,
      # As with Register.
      flow: ?string,
      # Set with `question`.
      question: ?Question,
      # Set with `outcome`.
      outcome: ?Outcome,
      # Set with `outcome` if the user is known.
      user: ?string,
      # Set with `outcome` if there is one.
      session: ?Session,
      # Set with `outcome` if no website was named: a JSON Web Token for the application's backend,
      # which verifies it.
      token: ?string,
      # Set with `outcome`: whether the identity's secret was renewed in the process.
      renewed: ?bool
    )

    # Signs a document's hash, or the hash that a session needs signed, which then gets the signature.
    # Give exactly one of the first three. Only with `more`, like Register.
    method Sign(
      # The document's hash: 16 to 64 bytes in hexadecimal digits.
      hash: ?string,
      # As with GetSession.
      link: ?string,
      # Id of a signing session of the older kind.
      signingSession: ?string,
      # As with Login.
      user: ?string,
      # As with GetSession.
      provider: ?string,
      # As with GetSession.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: (ready, step, hop, question, outcome),
      # Set with `step`.
      step: ?Step,
      # Set with `hop`.
      hop: ?Hop,
      # As with Register.
      flow: ?string,
      # Set with `question`.
      question: ?Question,
      # Set with `outcome`.
      outcome: ?Outcome,
      # Set with `outcome` if the user is known.
      user: ?string,
      # The website's description of what is signed.
      description: ?string,
      # Set with `outcome` if there is one.
      signature: ?Signature
    )

    # Asks the platform to verify a signature, with the credentials of the project's own backend.
    # Replies like GetSession.
    method VerifySignature(
      # As Signature.document has it.
      signature: object,
      # Seconds since 1970; null for the one in the signature.
      timestamp: ?int,
      # As with GetSession.
      provider: ?string,
      # As with GetSession.
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
      # Set with `outcome` if the signature is valid: a JSON Web Token of the platform.
      certificate: ?string
    )

    # Gets a code that registers another device of a user. It asks for the PIN. Only with `more`, like
    # Register.
    method QuickCode(
      # As with Login.
      user: ?string,
      # As with GetSession.
      provider: ?string,
      # As with GetSession.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: (ready, step, hop, question, outcome),
      # Set with `step`.
      step: ?Step,
      # Set with `hop`.
      hop: ?Hop,
      # As with Register.
      flow: ?string,
      # Set with `question`.
      question: ?Question,
      # Set with `outcome`.
      outcome: ?Outcome,
      # Set with `outcome` if there is one.
      code: ?string,
      # Seconds since 1970.
      expires: ?int,
      # Seconds for which it is valid.
      seconds: ?int
    )

    # Gives the PIN that a call waits for. A PIN of the wrong length is refused, and the call continues
    # to wait.
    method GivePIN(
      # As `question` has it.
      flow: string,
      # Digits.
      pin: string
    ) -> ()

    # Gives what the mail contained: the complete link, or the code.
    method GiveMail(
      # As `question` has it.
      flow: string,
      # The link or the code.
      mail: string
    ) -> ()

    # Lists what this machine keeps.
    method Identities() -> (
      identities: []Identity,
      # One sentence for each file that cannot be read.
      damaged: []string
    )

    # Deletes a user's identity from this machine. The service is not told.
    method Forget(
      # The user's name in the project.
      user: string,
      # The project's id; required if the user is registered with several.
      project: ?string,
      # The platform's URL; required if the project is on several.
      service: ?string
    ) -> ()

    # No call of this user has the id, or it does not wait for this now.
    error NoSuchFlow ()

    # The same answer was given before for this call, and was wrong. The call continues to wait.
    error GivenBefore ()

    # This machine has no identity of this user.
    error NoSuchIdentity ()

    # The identities on this machine cannot be read or written.
    error StoreFailed (
      # One sentence that names the file.
      text: string
    )

    """#

  /// One action of the flow.
  public typealias Step = VerifyInterface.Step

  /// One request over the bearer and its answer.
  public typealias Hop = VerifyInterface.Hop

  /// How the flow ended.
  public typealias Outcome = VerifyInterface.Outcome

  /// What a flow asks for, by GivePIN or GiveMail.
  public struct Question: Codable, Hashable, Sendable {
    /// What is needed: a PIN, or the link or the code from a mail.
    public var what: What
    /// With pin: the least number of digits.
    public var shortest: Int?
    /// With pin: the greatest number of digits.
    public var longest: Int?
    /// With pin: whether the user chooses a new one, in which case it is best asked for twice.
    public var isNew: Bool?
    /// What the answer is for, in the words of the requester: the website's name, or what is to be
    /// signed. Show it before the PIN is typed.
    public var purpose: String?
    /// How long to wait for the answer.
    public var seconds: Int

    public init(
      what: What, shortest: Int? = nil, longest: Int? = nil, isNew: Bool? = nil, purpose: String? = nil, seconds: Int
    ) {
      self.what = what
      self.shortest = shortest
      self.longest = longest
      self.isNew = isNew
      self.purpose = purpose
      self.seconds = seconds
    }

    /// One of the values of `what`.
    public enum What: OpenWord {
      case pin, mailLink, mailCode
      case other(String)

      public static let known: [Self] = [.pin, .mailLink, .mailCode]
      public var rawValue: String {
        switch self {
        case .pin: "pin"
        case .mailLink: "mailLink"
        case .mailCode: "mailCode"
        case .other(let word): word
        }
      }
    }
  }

  /// A user's identity on this machine.
  public struct Identity: Codable, Hashable, Sendable {
    /// The user's name in the project, usually a mail address.
    public var user: String
    /// The project's id.
    public var project: String
    /// The platform's URL.
    public var service: String
    /// Revoked and expired identities cannot be used: register the user again.
    public var state: State
    /// The number of digits of the PIN.
    public var pinLength: Int
    /// RFC 3339.
    public var created: String

    public init(user: String, project: String, service: String, state: State, pinLength: Int, created: String) {
      self.user = user
      self.project = project
      self.service = service
      self.state = state
      self.pinLength = pinLength
      self.created = created
    }

    /// One of the values of `state`.
    public enum State: OpenWord {
      case active, revoked, expired
      case other(String)

      public static let known: [Self] = [.active, .revoked, .expired]
      public var rawValue: String {
        switch self {
        case .active: "active"
        case .revoked: "revoked"
        case .expired: "expired"
        case .other(let word): word
        }
      }
    }
  }

  /// A website's description of its session.
  public struct Session: Codable, Hashable, Sendable {
    /// The project's name.
    public var project: String?
    /// A picture of it.
    public var logo: String?
    /// The user that the website expects; null for any user.
    public var user: String?
    /// How many digits PINs have.
    public var pinLength: Int?
    /// How users are verified, in the platform's words.
    public var verificationMethod: String?
    /// The project's own page for verification.
    public var verificationURL: String?
    public var verificationText: String?
    /// The kind of a user's name, as in email, and its label.
    public var identityType: String?
    public var identityLabel: String?
    /// Whether a quick code registers another device.
    public var allowsQuickCode: Bool?
    /// Whether that is only for verified users.
    public var limitsQuickCode: Bool?
    /// Set if something must be signed: its hash in hexadecimal digits.
    public var hash: String?
    /// What it is, for people.
    public var description: String?

    public init(
      project: String? = nil, logo: String? = nil, user: String? = nil, pinLength: Int? = nil,
      verificationMethod: String? = nil, verificationURL: String? = nil, verificationText: String? = nil,
      identityType: String? = nil, identityLabel: String? = nil, allowsQuickCode: Bool? = nil,
      limitsQuickCode: Bool? = nil, hash: String? = nil, description: String? = nil
    ) {
      self.project = project
      self.logo = logo
      self.user = user
      self.pinLength = pinLength
      self.verificationMethod = verificationMethod
      self.verificationURL = verificationURL
      self.verificationText = verificationText
      self.identityType = identityType
      self.identityLabel = identityLabel
      self.allowsQuickCode = allowsQuickCode
      self.limitsQuickCode = limitsQuickCode
      self.hash = hash
      self.description = description
    }
  }

  /// A signature of a document's hash.
  public struct Signature: Codable, Hashable, Sendable {
    /// For the verifier: hash, u, v, mpinId, publicKey, dtas and timestamp. The M-Pin id contains the
    /// user's name.
    public var document: JSONValue
    /// Seconds since 1970.
    public var timestamp: Int

    public init(document: JSONValue, timestamp: Int) {
      self.document = document
      self.timestamp = timestamp
    }
  }

  /// Asks for the subject of the session of a website's link. Replies: `ready`, then a `step` for each
  /// action with a `hop` for each request over the bearer, then the `outcome`. Without `more`, only the
  /// outcome.
  public enum GetSession: FlowMethod {
    public static let name = "org.modemd.MIRACL.GetSession"

    /// What `GetSession` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["link", "provider", "modem", "traceparent"]
      /// The text of the website's QR code, or the object of its push message.
      public var link: String
      /// Name of the provider; null for the only one of the kind miracl that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem, for a provider whose calls go over its bearer; null for
      /// the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(link: String, provider: String? = nil, modem: String? = nil, traceparent: String? = nil) {
        self.link = link
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `GetSession` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// Set with `outcome` if there is such a session.
      public var session: Session?

      public init(event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, session: Session? = nil) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.session = session
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, session: nil)
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

  /// Tells a session that nobody will log in or sign. Replies like GetSession.
  public enum AbortSession: FlowMethod {
    public static let name = "org.modemd.MIRACL.AbortSession"

    /// What `AbortSession` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["link", "signingSession", "provider", "modem", "traceparent"]
      /// As with GetSession; null with `signingSession`.
      public var link: String?
      /// Id of a signing session of the older kind.
      public var signingSession: String?
      /// As with GetSession.
      public var provider: String?
      /// As with GetSession.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        link: String? = nil, signingSession: String? = nil, provider: String? = nil, modem: String? = nil,
        traceparent: String? = nil
      ) {
        self.link = link
        self.signingSession = signingSession
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `AbortSession` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `outcome`.
      public var outcome: Outcome?

      public init(event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil)
      }

      /// One of the values of `event`.
      public typealias Event = MIRACLInterface.GetSession.Reply.Event
    }
  }

  /// Verifies a user, makes an identity with a PIN that the caller chooses, and stores it in place of
  /// an earlier one. It goes on where the same caller's last call for this user stopped, for an hour
  /// after a mail and for 10 minutes after the verification: no other mail is sent, and no link or code
  /// is wanted twice. Only with `more`: `ready`, then `step` and `hop`, `question` when GivePIN or
  /// GiveMail must be called, then the `outcome`.
  public enum Register: FlowMethod {
    public static let name = "org.modemd.MIRACL.Register"

    /// What `Register` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "user", "verification", "proof", "link", "anew", "provider", "modem", "traceparent",
      ]
      /// The user's name in the project.
      public var user: String
      /// How to verify the user: by a mail, by this machine as the project's own backend, by an existing
      /// link, or by an activation, which is the quick code of another device or a token. Null means by
      /// mail.
      public var verification: Verification?
      /// With link and activation: that.
      public var proof: String?
      /// The link of the website that the user came from.
      public var link: String?
      /// True to begin anew, with another mail; null to go on.
      public var anew: Bool?
      /// As with GetSession.
      public var provider: String?
      /// As with GetSession.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        user: String, verification: Verification? = nil, proof: String? = nil, link: String? = nil, anew: Bool? = nil,
        provider: String? = nil, modem: String? = nil, traceparent: String? = nil
      ) {
        self.user = user
        self.verification = verification
        self.proof = proof
        self.link = link
        self.anew = anew
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }

      /// One of the values of `verification`.
      public enum Verification: String, Codable, CaseIterable, Hashable, Sendable {
        case mail, backend, link, activation
      }
    }

    /// What `Register` answers.
    public struct Reply: AskingMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `ready` and `question`: identifies this call for GivePIN and GiveMail. A caller who
      /// knows it and is the same user may answer.
      public var flow: String?
      /// Set with `question`.
      public var question: Question?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// Set with `outcome` if the user is registered.
      public var identity: Identity?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, flow: String? = nil, question: Question? = nil,
        outcome: Outcome? = nil, identity: Identity? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.flow = flow
        self.question = question
        self.outcome = outcome
        self.identity = identity
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, flow: nil, question: nil, outcome: nil, identity: nil)
      }

      /// One of the values of `event`.
      public enum Event: OpenWord {
        case ready, step, hop, question, outcome
        case other(String)

        public static let known: [Self] = [.ready, .step, .hop, .question, .outcome]
        public var rawValue: String {
          switch self {
          case .ready: "ready"
          case .step: "step"
          case .hop: "hop"
          case .question: "question"
          case .outcome: "outcome"
          case .other(let word): word
          }
        }
      }
    }
  }

  /// Logs a user in at a website, or gets a token for an application's own backend. Only with `more`,
  /// like Register.
  public enum Login: FlowMethod {
    public static let name = "org.modemd.MIRACL.Login"

    /// What `Login` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["link", "user", "provider", "modem", "traceparent"]
      /// As with GetSession; null for a token.
      public var link: String?
      /// Null for the user that the website expects, else for the only registered one.
      public var user: String?
      /// As with GetSession.
      public var provider: String?
      /// As with GetSession.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        link: String? = nil, user: String? = nil, provider: String? = nil, modem: String? = nil,
        traceparent: String? = nil
      ) {
        self.link = link
        self.user = user
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `Login` answers.
    public struct Reply: AskingMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// As with Register.
      public var flow: String?
      /// Set with `question`.
      public var question: Question?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// Set with `outcome` if the user is known.
      public var user: String?
      /// Set with `outcome` if there is one.
      public var session: Session?
      /// Set with `outcome` if no website was named: a JSON Web Token for the application's backend,
      /// which verifies it.
      public var token: String?
      /// Set with `outcome`: whether the identity's secret was renewed in the process.
      public var renewed: Bool?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, flow: String? = nil, question: Question? = nil,
        outcome: Outcome? = nil, user: String? = nil, session: Session? = nil, token: String? = nil,
        renewed: Bool? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.flow = flow
        self.question = question
        self.outcome = outcome
        self.user = user
        self.session = session
        self.token = token
        self.renewed = renewed
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(
          event: event, step: nil, hop: nil, flow: nil, question: nil, outcome: nil, user: nil, session: nil,
          token: nil, renewed: nil
        )
      }

      /// One of the values of `event`.
      public typealias Event = MIRACLInterface.Register.Reply.Event
    }
  }

  /// Signs a document's hash, or the hash that a session needs signed, which then gets the signature.
  /// Give exactly one of the first three. Only with `more`, like Register.
  public enum Sign: FlowMethod {
    public static let name = "org.modemd.MIRACL.Sign"

    /// What `Sign` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "hash", "link", "signingSession", "user", "provider", "modem", "traceparent",
      ]
      /// The document's hash: 16 to 64 bytes in hexadecimal digits.
      public var hash: String?
      /// As with GetSession.
      public var link: String?
      /// Id of a signing session of the older kind.
      public var signingSession: String?
      /// As with Login.
      public var user: String?
      /// As with GetSession.
      public var provider: String?
      /// As with GetSession.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        hash: String? = nil, link: String? = nil, signingSession: String? = nil, user: String? = nil,
        provider: String? = nil, modem: String? = nil, traceparent: String? = nil
      ) {
        self.hash = hash
        self.link = link
        self.signingSession = signingSession
        self.user = user
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `Sign` answers.
    public struct Reply: AskingMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// As with Register.
      public var flow: String?
      /// Set with `question`.
      public var question: Question?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// Set with `outcome` if the user is known.
      public var user: String?
      /// The website's description of what is signed.
      public var description: String?
      /// Set with `outcome` if there is one.
      public var signature: Signature?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, flow: String? = nil, question: Question? = nil,
        outcome: Outcome? = nil, user: String? = nil, description: String? = nil, signature: Signature? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.flow = flow
        self.question = question
        self.outcome = outcome
        self.user = user
        self.description = description
        self.signature = signature
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(
          event: event, step: nil, hop: nil, flow: nil, question: nil, outcome: nil, user: nil, description: nil,
          signature: nil
        )
      }

      /// One of the values of `event`.
      public typealias Event = MIRACLInterface.Register.Reply.Event
    }
  }

  /// Asks the platform to verify a signature, with the credentials of the project's own backend.
  /// Replies like GetSession.
  public enum VerifySignature: FlowMethod {
    public static let name = "org.modemd.MIRACL.VerifySignature"

    /// What `VerifySignature` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["signature", "timestamp", "provider", "modem", "traceparent"]
      /// As Signature.document has it.
      public var signature: JSONValue
      /// Seconds since 1970; null for the one in the signature.
      public var timestamp: Int?
      /// As with GetSession.
      public var provider: String?
      /// As with GetSession.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        signature: JSONValue, timestamp: Int? = nil, provider: String? = nil, modem: String? = nil,
        traceparent: String? = nil
      ) {
        self.signature = signature
        self.timestamp = timestamp
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `VerifySignature` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// Set with `outcome` if the signature is valid: a JSON Web Token of the platform.
      public var certificate: String?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, certificate: String? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.certificate = certificate
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, certificate: nil)
      }

      /// One of the values of `event`.
      public typealias Event = MIRACLInterface.GetSession.Reply.Event
    }
  }

  /// Gets a code that registers another device of a user. It asks for the PIN. Only with `more`, like
  /// Register.
  public enum QuickCode: FlowMethod {
    public static let name = "org.modemd.MIRACL.QuickCode"

    /// What `QuickCode` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["user", "provider", "modem", "traceparent"]
      /// As with Login.
      public var user: String?
      /// As with GetSession.
      public var provider: String?
      /// As with GetSession.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(user: String? = nil, provider: String? = nil, modem: String? = nil, traceparent: String? = nil) {
        self.user = user
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `QuickCode` answers.
    public struct Reply: AskingMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// As with Register.
      public var flow: String?
      /// Set with `question`.
      public var question: Question?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// Set with `outcome` if there is one.
      public var code: String?
      /// Seconds since 1970.
      public var expires: Int?
      /// Seconds for which it is valid.
      public var seconds: Int?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, flow: String? = nil, question: Question? = nil,
        outcome: Outcome? = nil, code: String? = nil, expires: Int? = nil, seconds: Int? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.flow = flow
        self.question = question
        self.outcome = outcome
        self.code = code
        self.expires = expires
        self.seconds = seconds
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(
          event: event, step: nil, hop: nil, flow: nil, question: nil, outcome: nil, code: nil, expires: nil,
          seconds: nil
        )
      }

      /// One of the values of `event`.
      public typealias Event = MIRACLInterface.Register.Reply.Event
    }
  }

  /// Gives the PIN that a call waits for. A PIN of the wrong length is refused, and the call continues
  /// to wait.
  public enum GivePIN: VarlinkMethod {
    public static let name = "org.modemd.MIRACL.GivePIN"

    /// What `GivePIN` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["flow", "pin"]
      /// As `question` has it.
      public var flow: String
      /// Digits.
      public var pin: String

      public init(flow: String, pin: String) {
        self.flow = flow
        self.pin = pin
      }
    }

    /// What `GivePIN` answers.
    public struct Reply: Codable, Hashable, Sendable {

      public init() {}
    }
  }

  /// Gives what the mail contained: the complete link, or the code.
  public enum GiveMail: VarlinkMethod {
    public static let name = "org.modemd.MIRACL.GiveMail"

    /// What `GiveMail` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["flow", "mail"]
      /// As `question` has it.
      public var flow: String
      /// The link or the code.
      public var mail: String

      public init(flow: String, mail: String) {
        self.flow = flow
        self.mail = mail
      }
    }

    /// What `GiveMail` answers.
    public struct Reply: Codable, Hashable, Sendable {

      public init() {}
    }
  }

  /// Lists what this machine keeps.
  public enum Identities: VarlinkMethod {
    public static let name = "org.modemd.MIRACL.Identities"

    /// What `Identities` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = []

      public init() {}
    }

    /// What `Identities` answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var identities: [Identity]
      /// One sentence for each file that cannot be read.
      public var damaged: [String]

      public init(identities: [Identity], damaged: [String]) {
        self.identities = identities
        self.damaged = damaged
      }
    }
  }

  /// Deletes a user's identity from this machine. The service is not told.
  public enum Forget: VarlinkMethod {
    public static let name = "org.modemd.MIRACL.Forget"

    /// What `Forget` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["user", "project", "service"]
      /// The user's name in the project.
      public var user: String
      /// The project's id; required if the user is registered with several.
      public var project: String?
      /// The platform's URL; required if the project is on several.
      public var service: String?

      public init(user: String, project: String? = nil, service: String? = nil) {
        self.user = user
        self.project = project
        self.service = service
      }
    }

    /// What `Forget` answers.
    public struct Reply: Codable, Hashable, Sendable {

      public init() {}
    }
  }

  /// No call of this user has the id, or it does not wait for this now.
  public struct NoSuchFlow: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.MIRACL.NoSuchFlow"

    public init() {}
  }

  /// The same answer was given before for this call, and was wrong. The call continues to wait.
  public struct GivenBefore: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.MIRACL.GivenBefore"

    public init() {}
  }

  /// This machine has no identity of this user.
  public struct NoSuchIdentity: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.MIRACL.NoSuchIdentity"

    public init() {}
  }

  /// The identities on this machine cannot be read or written.
  public struct StoreFailed: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.MIRACL.StoreFailed"
    /// One sentence that names the file.
    public var text: String

    public init(text: String) {
      self.text = text
    }
  }
}
