// Written by varlink-generate from org.modemd.IPification.varlink: change that file, then `make generate`.

import ModemAPI
import Varlink

/// IPification: whether the operator of the SIM is served, an authorization over the bearer, and what it leads to.
/// Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable) are those of org.modemd.Modem, TooManyFlows is that of
/// org.modemd.Check, those about arguments and providers (InvalidArgument, NoProvider, MoreThanOneProvider) are those of org.modemd.Verify.
/// The types Step, Hop and Outcome are the same in every interface of a provider.
/// Later versions may add fields, and words where a reply or an error has one of several words. Each field of a reply or an error is there,
/// null where it has no value.
public enum IPificationInterface: VarlinkInterface {
  public static let name = "org.modemd.IPification"
  public static let text = #"""
    # IPification: whether the operator of the SIM is served, an authorization over the bearer, and what it leads to.
    # Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable) are those of org.modemd.Modem, TooManyFlows is that of
    # org.modemd.Check, those about arguments and providers (InvalidArgument, NoProvider, MoreThanOneProvider) are those of org.modemd.Verify.
    # The types Step, Hop and Outcome are the same in every interface of a provider.
    # Later versions may add fields, and words where a reply or an error has one of several words. Each field of a reply or an error is there,
    # null where it has no value.
    interface org.modemd.IPification

    # One thing that the flow did.
    type Step (
      # From 1.
      index: int,
      # What was done, as in createCheck.
      name: string,
      # Which way it took: the SIM's bearer, the machine's own network, the modem itself, or the caller.
      lane: (bearer, host, modem, caller),
      # The first host that was asked.
      host: ?string,
      # HTTP status of the answer; null where none came.
      status: ?int,
      # Milliseconds from the flow's start.
      start: float,
      # Milliseconds that it took.
      milliseconds: float,
      # What went wrong, in one sentence for people; null where nothing did.
      failure: ?string
    )

    # One request over the bearer and its answer.
    type Hop (
      # Index of the step that it belongs to.
      step: int,
      # From 1 in its step.
      index: int,
      # Scheme of the URL.
      scheme: (http, https),
      # Host of the URL. Path and query are never shown: they may hold secrets.
      host: string,
      # The server's address that was used.
      address: ?string,
      # HTTP status; null when no answer came.
      status: ?int,
      # The host that the answer points to.
      next: ?string,
      # Milliseconds from the step's start.
      start: float,
      # Milliseconds to the end of the answer; null when it did not end.
      milliseconds: ?float
    )

    # How the flow ended.
    type Outcome (
      # What was found, or why nothing could be found. New words may come.
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
      # Whether the number is the SIM's; null where the flow says nothing of that. Absent is never to be read as differs.
      number: ?(matches, differs),
      # Whether the number moved to another SIM lately; null where that was not asked.
      sim: ?(changed, unchanged, unknown),
      # The provider's own code, as in ip_msisdn_mismatch.
      code: ?string,
      # HTTP status of the answer that decided.
      status: ?int,
      # With noDataPath and other failures of a chain: the cause, in the words of org.modemd.Check.
      cause: ?string,
      # With rateLimited: when the provider wants to be asked again; null where it did not say.
      retryAfterMilliseconds: ?int,
      # One sentence for people: what happened, and what to do where there is something to do.
      text: string,
      # Name of the provider in the configuration.
      provider: ?string,
      # Kind of the provider, as in truID.
      kind: ?string,
      # Id of the modem.
      modem: ?string,
      # The bearer's address that the last chain left from.
      source: ?string,
      # From the call to the end.
      milliseconds: float
    )

    # What the application's backend exchanges for tokens (RFC 6749, 4.1.3). It is used once, and soon too old.
    type Authorization (
      code: string,
      # As it was sent and came back.
      state: string,
      # For the ID token to repeat; null where none was sent.
      nonce: ?string,
      # The whole redirect URI with its parameters.
      redirect: string
    )

    # An answer that leads into an application for messages. The links hold secrets.
    type Messages (
      session: string,
      # Where the session is asked about.
      endpoint: ?string,
      # By channel: wa, telegram, viber.
      links: [string]string
    )

    # What the provider tells of the subscriber, by the scope that was asked for.
    type Subject (
      # The provider's id of the subscriber for this client.
      id: ?string,
      # With the scope ip:phone.
      number: ?string,
      # With the scope ip:mobile_id: the operator's hash of number, SIM and device. Another one means another SIM or device.
      mobileID: ?string,
      # As it came, for the application's own use.
      idToken: ?string
    )

    # Asks whether the provider serves the operator of the bearer's address. A stream as that of Verify.Number.
    method Coverage(
      # In international form; whether the number is that operator's is asked too. Null for the address alone.
      number: ?string,
      # An IPv4 or IPv6 address to be asked about in place of the bearer's, by the machine's own network.
      address: ?string,
      # Name of the provider; null for the only one that is meant for the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string
    ) -> (
      event: (ready, step, hop, outcome),
      step: ?Step,
      hop: ?Hop,
      outcome: ?Outcome,
      # With the outcome: what the provider calls the operator; null where it does not say.
      operatorCode: ?string
    )

    # Gets an authorization code over the bearer, for the application's own backend. A stream as that of Verify.Number.
    method Authorize(
      # In international form; needed for the scopes openid alone, ip:phone_verify and ip:profile.
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
      # A signed request (JWT) that is passed on as it is. Scope, consent and number are then left out of the URL.
      requestObject: ?string,
      provider: ?string,
      modem: ?string
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

    # Asks whether a number is the SIM's: coverage, authorization, and its exchange by this machine or by the application's backend, as
    # configured. A stream as that of Verify.Number.
    method Verify(
      # In international form; needed as for Authorize.
      number: ?string,
      # Null for the configured ones.
      scope: ?[]string,
      state: ?string,
      nonce: ?string,
      locales: ?[]string,
      channels: ?[]string,
      requestObject: ?string,
      # The mobileID of an earlier answer: another one now counts as a changed SIM.
      earlierMobileID: ?string,
      provider: ?string,
      modem: ?string
    ) -> (
      event: (ready, step, hop, outcome),
      step: ?Step,
      hop: ?Hop,
      outcome: ?Outcome,
      # With the outcome of an answer.
      subject: ?Subject,
      # With the result `messageAppRequired`.
      messages: ?Messages
    )

    """#

  /// One thing that the flow did.
  public typealias Step = VerifyInterface.Step

  /// One request over the bearer and its answer.
  public typealias Hop = VerifyInterface.Hop

  /// How the flow ended.
  public typealias Outcome = VerifyInterface.Outcome

  /// What the application's backend exchanges for tokens (RFC 6749, 4.1.3). It is used once, and soon too old.
  public struct Authorization: Codable, Hashable, Sendable {
    public var code: String
    /// As it was sent and came back.
    public var state: String
    /// For the ID token to repeat; null where none was sent.
    public var nonce: String?
    /// The whole redirect URI with its parameters.
    public var redirect: String

    public init(code: String, state: String, nonce: String? = nil, redirect: String) {
      self.code = code
      self.state = state
      self.nonce = nonce
      self.redirect = redirect
    }
  }

  /// An answer that leads into an application for messages. The links hold secrets.
  public struct Messages: Codable, Hashable, Sendable {
    public var session: String
    /// Where the session is asked about.
    public var endpoint: String?
    /// By channel: wa, telegram, viber.
    public var links: [String: String]

    public init(session: String, endpoint: String? = nil, links: [String: String]) {
      self.session = session
      self.endpoint = endpoint
      self.links = links
    }
  }

  /// What the provider tells of the subscriber, by the scope that was asked for.
  public struct Subject: Codable, Hashable, Sendable {
    /// The provider's id of the subscriber for this client.
    public var id: String?
    /// With the scope ip:phone.
    public var number: String?
    /// With the scope ip:mobile_id: the operator's hash of number, SIM and device. Another one means another SIM or device.
    public var mobileID: String?
    /// As it came, for the application's own use.
    public var idToken: String?

    public init(id: String? = nil, number: String? = nil, mobileID: String? = nil, idToken: String? = nil) {
      self.id = id
      self.number = number
      self.mobileID = mobileID
      self.idToken = idToken
    }
  }

  /// Asks whether the provider serves the operator of the bearer's address. A stream as that of Verify.Number.
  public enum Coverage: FlowMethod {
    public static let name = "org.modemd.IPification.Coverage"

    /// What `Coverage` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["number", "address", "provider", "modem"]
      /// In international form; whether the number is that operator's is asked too. Null for the address alone.
      public var number: String?
      /// An IPv4 or IPv6 address to be asked about in place of the bearer's, by the machine's own network.
      public var address: String?
      /// Name of the provider; null for the only one that is meant for the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?

      public init(number: String? = nil, address: String? = nil, provider: String? = nil, modem: String? = nil) {
        self.number = number
        self.address = address
        self.provider = provider
        self.modem = modem
      }
    }

    /// What `Coverage` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      public var step: Step?
      public var hop: Hop?
      public var outcome: Outcome?
      /// With the outcome: what the provider calls the operator; null where it does not say.
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

  /// Gets an authorization code over the bearer, for the application's own backend. A stream as that of Verify.Number.
  public enum Authorize: FlowMethod {
    public static let name = "org.modemd.IPification.Authorize"

    /// What `Authorize` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "number", "scope", "state", "nonce", "locales", "channels", "requestObject", "provider", "modem",
      ]
      /// In international form; needed for the scopes openid alone, ip:phone_verify and ip:profile.
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
      /// A signed request (JWT) that is passed on as it is. Scope, consent and number are then left out of the URL.
      public var requestObject: String?
      public var provider: String?
      public var modem: String?

      public init(
        number: String? = nil, scope: [String]? = nil, state: String? = nil, nonce: String? = nil,
        locales: [String]? = nil, channels: [String]? = nil, requestObject: String? = nil, provider: String? = nil,
        modem: String? = nil
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

  /// Asks whether a number is the SIM's: coverage, authorization, and its exchange by this machine or by the application's backend, as
  /// configured. A stream as that of Verify.Number.
  public enum Verify: FlowMethod {
    public static let name = "org.modemd.IPification.Verify"

    /// What `Verify` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "number", "scope", "state", "nonce", "locales", "channels", "requestObject", "earlierMobileID", "provider",
        "modem",
      ]
      /// In international form; needed as for Authorize.
      public var number: String?
      /// Null for the configured ones.
      public var scope: [String]?
      public var state: String?
      public var nonce: String?
      public var locales: [String]?
      public var channels: [String]?
      public var requestObject: String?
      /// The mobileID of an earlier answer: another one now counts as a changed SIM.
      public var earlierMobileID: String?
      public var provider: String?
      public var modem: String?

      public init(
        number: String? = nil, scope: [String]? = nil, state: String? = nil, nonce: String? = nil,
        locales: [String]? = nil, channels: [String]? = nil, requestObject: String? = nil,
        earlierMobileID: String? = nil, provider: String? = nil, modem: String? = nil
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
      }
    }

    /// What `Verify` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      public var step: Step?
      public var hop: Hop?
      public var outcome: Outcome?
      /// With the outcome of an answer.
      public var subject: Subject?
      /// With the result `messageAppRequired`.
      public var messages: Messages?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, subject: Subject? = nil,
        messages: Messages? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.subject = subject
        self.messages = messages
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, subject: nil, messages: nil)
      }

      /// One of the values of `event`.
      public typealias Event = IPificationInterface.Coverage.Reply.Event
    }
  }
}
