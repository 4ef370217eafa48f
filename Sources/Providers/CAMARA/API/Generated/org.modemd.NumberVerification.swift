// Written by varlink-generate from org.modemd.NumberVerification.varlink: change that file, then `make generate`.

import ModemAPI
import Varlink

/// CAMARA's Number Verification: the operator recognises the SIM by its bearer. Errors about modems
/// are those of org.modemd.Modem, and TooManyFlows is that of org.modemd.Check. InvalidArgument,
/// NoProvider and MoreThanOneProvider are those of org.modemd.Verify. The types Step, Hop and Outcome
/// are the same in every interface of a provider. Later versions may add fields, and new words to the
/// enums of replies and errors. Replies and errors always have all their fields; a field without a
/// value is null.
public enum NumberVerificationInterface: VarlinkInterface {
  public static let name = "org.modemd.NumberVerification"
  public static let text = #"""
    # CAMARA's Number Verification: the operator recognises the SIM by its bearer. Errors about modems
    # are those of org.modemd.Modem, and TooManyFlows is that of org.modemd.Check. InvalidArgument,
    # NoProvider and MoreThanOneProvider are those of org.modemd.Verify. The types Step, Hop and Outcome
    # are the same in every interface of a provider. Later versions may add fields, and new words to the
    # enums of replies and errors. Replies and errors always have all their fields; a field without a
    # value is null.
    interface org.modemd.NumberVerification

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

    # Asks whether a number is that of the SIM. The replies are a stream like that of Verify.Number.
    method Verify(
      # In international form, as in +447700900123.
      number: string,
      # Whether to send the number's SHA-256 instead of the number; null for the configured value.
      hashed: ?bool,
      # Name of the provider; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
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
      # With the outcome: the id with which the operator finds the calls of this flow.
      correlator: ?string,
      # With an answer of the app's own server (redirectIsBackend): that answer, such as its session, if
      # it is a JSON object.
      serverAnswer: ?object
    )

    # Asks for the SIM's number. The replies are a stream like that of Verify.Number.
    method DevicePhoneNumber(
      # Name of the provider; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
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
      # With the result `numberRead`: in international form.
      number: ?string,
      # With the outcome: the id with which the operator finds the calls of this flow.
      correlator: ?string,
      # With an answer of the app's own server (redirectIsBackend): that answer, such as its session, if
      # it is a JSON object.
      serverAnswer: ?object
    )

    """#

  /// One action of the flow.
  public typealias Step = VerifyInterface.Step

  /// One request over the bearer and its answer.
  public typealias Hop = VerifyInterface.Hop

  /// How the flow ended.
  public typealias Outcome = VerifyInterface.Outcome

  /// Asks whether a number is that of the SIM. The replies are a stream like that of Verify.Number.
  public enum Verify: FlowMethod {
    public static let name = "org.modemd.NumberVerification.Verify"

    /// What `Verify` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["number", "hashed", "provider", "modem", "traceparent"]
      /// In international form, as in +447700900123.
      public var number: String
      /// Whether to send the number's SHA-256 instead of the number; null for the configured value.
      public var hashed: Bool?
      /// Name of the provider; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        number: String, hashed: Bool? = nil, provider: String? = nil, modem: String? = nil, traceparent: String? = nil
      ) {
        self.number = number
        self.hashed = hashed
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `Verify` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// With the outcome: the id with which the operator finds the calls of this flow.
      public var correlator: String?
      /// With an answer of the app's own server (redirectIsBackend): that answer, such as its session, if
      /// it is a JSON object.
      public var serverAnswer: JSONValue?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, correlator: String? = nil,
        serverAnswer: JSONValue? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.correlator = correlator
        self.serverAnswer = serverAnswer
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, correlator: nil, serverAnswer: nil)
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

  /// Asks for the SIM's number. The replies are a stream like that of Verify.Number.
  public enum DevicePhoneNumber: FlowMethod {
    public static let name = "org.modemd.NumberVerification.DevicePhoneNumber"

    /// What `DevicePhoneNumber` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["provider", "modem", "traceparent"]
      /// Name of the provider; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(provider: String? = nil, modem: String? = nil, traceparent: String? = nil) {
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `DevicePhoneNumber` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// With the result `numberRead`: in international form.
      public var number: String?
      /// With the outcome: the id with which the operator finds the calls of this flow.
      public var correlator: String?
      /// With an answer of the app's own server (redirectIsBackend): that answer, such as its session, if
      /// it is a JSON object.
      public var serverAnswer: JSONValue?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, number: String? = nil,
        correlator: String? = nil, serverAnswer: JSONValue? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.number = number
        self.correlator = correlator
        self.serverAnswer = serverAnswer
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, number: nil, correlator: nil, serverAnswer: nil)
      }

      /// One of the values of `event`.
      public typealias Event = NumberVerificationInterface.Verify.Reply.Event
    }
  }
}
