// Written by varlink-generate from org.modemd.IPification.varlink: change that file, then `make generate`.

import ModemAPI
import Varlink

/// IPification: whether the operator of the SIM is served, an authorization over the bearer, and its
/// result. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable) are those of
/// org.modemd.Modem, and TooManyFlows is that of org.modemd.Check, and those about arguments and
/// providers (InvalidArgument, NoProvider, MoreThanOneProvider) are those of org.modemd.Verify. The
/// types Step, Hop and Outcome are the same in every interface of a provider. Later versions may add
/// fields, and new words to the enums of replies and errors. Replies and errors always have all their
/// fields; a field without a value is null.
public enum IPificationInterface: VarlinkInterface {
  public static let name = "org.modemd.IPification"
  public static let text = #"""
    # IPification: whether the operator of the SIM is served, an authorization over the bearer, and its
    # result. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable) are those of
    # org.modemd.Modem, and TooManyFlows is that of org.modemd.Check, and those about arguments and
    # providers (InvalidArgument, NoProvider, MoreThanOneProvider) are those of org.modemd.Verify. The
    # types Step, Hop and Outcome are the same in every interface of a provider. Later versions may add
    # fields, and new words to the enums of replies and errors. Replies and errors always have all their
    # fields; a field without a value is null.
    interface org.modemd.IPification

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

    # What the application's backend exchanges for tokens (RFC 6749, 4.1.3). It works once, and soon
    # expires.
    type Authorization (
      code: string,
      # As it was sent and came back.
      state: string,
      # For the ID token to repeat; null if none was sent.
      nonce: ?string,
      # The complete redirect URI with its parameters.
      redirect: string
    )

    # An answer that leads into a messaging application. The links hold secrets.
    type Messages (
      session: string,
      # Where to ask about the session.
      endpoint: ?string,
      # By channel: wa, telegram, viber.
      links: [string]string
    )

    # The provider's data about the subscriber, depending on the requested scope.
    type Subject (
      # The provider's id of the subscriber for this client.
      id: ?string,
      # With the scope ip:phone.
      number: ?string,
      # With the scope ip:mobile_id: the operator's hash of number, SIM and device. It changes with the
      # SIM or device.
      mobileID: ?string,
      # Unchanged, for the application's own use.
      idToken: ?string
    )

    # Asks whether the provider serves the operator of the bearer's address. The replies are a stream
    # like that of Verify.Number.
    method Coverage(
      # In international form: also asks whether the number is that operator's. Null only asks for the
      # address.
      number: ?string,
      # An IPv4 or IPv6 address to ask about instead of the bearer's, over the machine's own network.
      address: ?string,
      # Name of the provider; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: (ready, step, hop, outcome),
      step: ?Step,
      hop: ?Hop,
      outcome: ?Outcome,
      # With the outcome: the provider's code for the operator; null if it gives none.
      operatorCode: ?string
    )

    # Gets an authorization code over the bearer, for the application's own backend. The replies are a
    # stream like that of Verify.Number.
    method Authorize(
      # In international form; required for the scopes openid alone, ip:phone_verify and ip:profile.
      number: ?string,
      # Null for the configured ones.
      scope: ?[]string,
      # Compared with the answer's; null for a random one.
      state: ?string,
      nonce: ?string,
      # Language tags; null for the configured ones.
      locales: ?[]string,
      # ip, wa, viber, telegram; null for the configured ones.
      channels: ?[]string,
      # A signed request (JWT) that is passed on unchanged. Scope, consent and number are then omitted
      # from the URL.
      requestObject: ?string,
      provider: ?string,
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: (ready, step, hop, outcome),
      step: ?Step,
      hop: ?Hop,
      outcome: ?Outcome,
      # With the result `authorized`.
      authorization: ?Authorization,
      # With the result `messageAppRequired`.
      messages: ?Messages
    )

    # Asks whether a number is the SIM's: coverage, authorization, and its exchange by this machine or
    # by the application's backend, as configured. The replies are a stream like that of Verify.Number.
    method Verify(
      # In international form; required as for Authorize.
      number: ?string,
      # Null for the configured ones.
      scope: ?[]string,
      state: ?string,
      nonce: ?string,
      locales: ?[]string,
      channels: ?[]string,
      requestObject: ?string,
      # The mobileID of an earlier answer: a different one now counts as a changed SIM.
      earlierMobileID: ?string,
      provider: ?string,
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: (ready, step, hop, outcome),
      step: ?Step,
      hop: ?Hop,
      outcome: ?Outcome,
      # Set with the outcome of an answer.
      subject: ?Subject,
      # With the result `messageAppRequired`.
      messages: ?Messages,
      # With a verdict of the app's own server (backend, redirectIsBackend): its answer, such as its
      # session, if that is a JSON object.
      serverAnswer: ?object
    )

    """#

  /// One action of the flow.
  public typealias Step = VerifyInterface.Step

  /// One request over the bearer and its answer.
  public typealias Hop = VerifyInterface.Hop

  /// How the flow ended.
  public typealias Outcome = VerifyInterface.Outcome

  /// What the application's backend exchanges for tokens (RFC 6749, 4.1.3). It works once, and soon
  /// expires.
  public struct Authorization: Codable, Hashable, Sendable {
    public var code: String
    /// As it was sent and came back.
    public var state: String
    /// For the ID token to repeat; null if none was sent.
    public var nonce: String?
    /// The complete redirect URI with its parameters.
    public var redirect: String

    public init(code: String, state: String, nonce: String? = nil, redirect: String) {
      self.code = code
      self.state = state
      self.nonce = nonce
      self.redirect = redirect
    }
  }

  /// An answer that leads into a messaging application. The links hold secrets.
  public struct Messages: Codable, Hashable, Sendable {
    public var session: String
    /// Where to ask about the session.
    public var endpoint: String?
    /// By channel: wa, telegram, viber.
    public var links: [String: String]

    public init(session: String, endpoint: String? = nil, links: [String: String]) {
      self.session = session
      self.endpoint = endpoint
      self.links = links
    }
  }

  /// The provider's data about the subscriber, depending on the requested scope.
  public struct Subject: Codable, Hashable, Sendable {
    /// The provider's id of the subscriber for this client.
    public var id: String?
    /// With the scope ip:phone.
    public var number: String?
    /// With the scope ip:mobile_id: the operator's hash of number, SIM and device. It changes with the
    /// SIM or device.
    public var mobileID: String?
    /// Unchanged, for the application's own use.
    public var idToken: String?

    public init(id: String? = nil, number: String? = nil, mobileID: String? = nil, idToken: String? = nil) {
      self.id = id
      self.number = number
      self.mobileID = mobileID
      self.idToken = idToken
    }
  }

  /// Asks whether the provider serves the operator of the bearer's address. The replies are a stream
  /// like that of Verify.Number.
  public enum Coverage: FlowMethod {
    public static let name = "org.modemd.IPification.Coverage"

    /// What `Coverage` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["number", "address", "provider", "modem", "traceparent"]
      /// In international form: also asks whether the number is that operator's. Null only asks for the
      /// address.
      public var number: String?
      /// An IPv4 or IPv6 address to ask about instead of the bearer's, over the machine's own network.
      public var address: String?
      /// Name of the provider; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        number: String? = nil, address: String? = nil, provider: String? = nil, modem: String? = nil,
        traceparent: String? = nil
      ) {
        self.number = number
        self.address = address
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `Coverage` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      public var step: Step?
      public var hop: Hop?
      public var outcome: Outcome?
      /// With the outcome: the provider's code for the operator; null if it gives none.
      public var operatorCode: String?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, operatorCode: String? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.operatorCode = operatorCode
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, operatorCode: nil)
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

  /// Gets an authorization code over the bearer, for the application's own backend. The replies are a
  /// stream like that of Verify.Number.
  public enum Authorize: FlowMethod {
    public static let name = "org.modemd.IPification.Authorize"

    /// What `Authorize` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "number", "scope", "state", "nonce", "locales", "channels", "requestObject", "provider", "modem", "traceparent",
      ]
      /// In international form; required for the scopes openid alone, ip:phone_verify and ip:profile.
      public var number: String?
      /// Null for the configured ones.
      public var scope: [String]?
      /// Compared with the answer's; null for a random one.
      public var state: String?
      public var nonce: String?
      /// Language tags; null for the configured ones.
      public var locales: [String]?
      /// ip, wa, viber, telegram; null for the configured ones.
      public var channels: [String]?
      /// A signed request (JWT) that is passed on unchanged. Scope, consent and number are then omitted
      /// from the URL.
      public var requestObject: String?
      public var provider: String?
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        number: String? = nil, scope: [String]? = nil, state: String? = nil, nonce: String? = nil,
        locales: [String]? = nil, channels: [String]? = nil, requestObject: String? = nil, provider: String? = nil,
        modem: String? = nil, traceparent: String? = nil
      ) {
        self.number = number
        self.scope = scope
        self.state = state
        self.nonce = nonce
        self.locales = locales
        self.channels = channels
        self.requestObject = requestObject
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `Authorize` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      public var step: Step?
      public var hop: Hop?
      public var outcome: Outcome?
      /// With the result `authorized`.
      public var authorization: Authorization?
      /// With the result `messageAppRequired`.
      public var messages: Messages?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, authorization: Authorization? = nil,
        messages: Messages? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.authorization = authorization
        self.messages = messages
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, authorization: nil, messages: nil)
      }

      /// One of the values of `event`.
      public typealias Event = IPificationInterface.Coverage.Reply.Event
    }
  }

  /// Asks whether a number is the SIM's: coverage, authorization, and its exchange by this machine or
  /// by the application's backend, as configured. The replies are a stream like that of Verify.Number.
  public enum Verify: FlowMethod {
    public static let name = "org.modemd.IPification.Verify"

    /// What `Verify` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "number", "scope", "state", "nonce", "locales", "channels", "requestObject", "earlierMobileID", "provider",
        "modem", "traceparent",
      ]
      /// In international form; required as for Authorize.
      public var number: String?
      /// Null for the configured ones.
      public var scope: [String]?
      public var state: String?
      public var nonce: String?
      public var locales: [String]?
      public var channels: [String]?
      public var requestObject: String?
      /// The mobileID of an earlier answer: a different one now counts as a changed SIM.
      public var earlierMobileID: String?
      public var provider: String?
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        number: String? = nil, scope: [String]? = nil, state: String? = nil, nonce: String? = nil,
        locales: [String]? = nil, channels: [String]? = nil, requestObject: String? = nil,
        earlierMobileID: String? = nil, provider: String? = nil, modem: String? = nil, traceparent: String? = nil
      ) {
        self.number = number
        self.scope = scope
        self.state = state
        self.nonce = nonce
        self.locales = locales
        self.channels = channels
        self.requestObject = requestObject
        self.earlierMobileID = earlierMobileID
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `Verify` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      public var step: Step?
      public var hop: Hop?
      public var outcome: Outcome?
      /// Set with the outcome of an answer.
      public var subject: Subject?
      /// With the result `messageAppRequired`.
      public var messages: Messages?
      /// With a verdict of the app's own server (backend, redirectIsBackend): its answer, such as its
      /// session, if that is a JSON object.
      public var serverAnswer: JSONValue?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, subject: Subject? = nil,
        messages: Messages? = nil, serverAnswer: JSONValue? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.subject = subject
        self.messages = messages
        self.serverAnswer = serverAnswer
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, subject: nil, messages: nil, serverAnswer: nil)
      }

      /// One of the values of `event`.
      public typealias Event = IPificationInterface.Coverage.Reply.Event
    }
  }
}
