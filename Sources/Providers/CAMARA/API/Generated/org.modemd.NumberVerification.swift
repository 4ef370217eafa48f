// Written by varlink-generate from org.modemd.NumberVerification.varlink: change that file, then `make generate`.

import ModemAPI
import Varlink

/// CAMARA's Number Verification: the operator tells by the bearer whose SIM it is.
/// Errors about modems are those of org.modemd.Modem, TooManyFlows is that of org.modemd.Check; InvalidArgument, NoProvider and
/// MoreThanOneProvider are those of org.modemd.Verify. The types Step, Hop and Outcome are the same in every interface of a provider.
/// Later versions may add fields, and words where a reply or an error has one of several words. Each field of a reply or an error is there,
/// null where it has no value.
public enum NumberVerificationInterface: VarlinkInterface {
  public static let name = "org.modemd.NumberVerification"
  public static let text = #"""
    # CAMARA's Number Verification: the operator tells by the bearer whose SIM it is.
    # Errors about modems are those of org.modemd.Modem, TooManyFlows is that of org.modemd.Check; InvalidArgument, NoProvider and
    # MoreThanOneProvider are those of org.modemd.Verify. The types Step, Hop and Outcome are the same in every interface of a provider.
    # Later versions may add fields, and words where a reply or an error has one of several words. Each field of a reply or an error is there,
    # null where it has no value.
    interface org.modemd.NumberVerification

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

    # Asks whether a number is that of the SIM. A stream as that of Verify.Number.
    method Verify(
      # In international form, as in +447700900123.
      number: string,
      # Whether the number's SHA-256 is sent in its place; null for what is configured.
      hashed: ?bool,
      # Name of the provider; null for the only one that is meant for the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string
    ) -> (
      event: (ready, step, hop, outcome),
      # Set with `step`.
      step: ?Step,
      # Set with `hop`.
      hop: ?Hop,
      # Set with `outcome`.
      outcome: ?Outcome,
      # With the outcome: by which the operator finds the calls of this flow.
      correlator: ?string
    )

    # Asks for the SIM's number. A stream as that of Verify.Number.
    method DevicePhoneNumber(
      # Name of the provider; null for the only one that is meant for the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string
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
      # With the outcome: by which the operator finds the calls of this flow.
      correlator: ?string
    )

    """#

  /// One thing that the flow did.
  public typealias Step = VerifyInterface.Step

  /// One request over the bearer and its answer.
  public typealias Hop = VerifyInterface.Hop

  /// How the flow ended.
  public typealias Outcome = VerifyInterface.Outcome

  /// Asks whether a number is that of the SIM. A stream as that of Verify.Number.
  public enum Verify: FlowMethod {
    public static let name = "org.modemd.NumberVerification.Verify"

    /// What `Verify` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["number", "hashed", "provider", "modem"]
      /// In international form, as in +447700900123.
      public var number: String
      /// Whether the number's SHA-256 is sent in its place; null for what is configured.
      public var hashed: Bool?
      /// Name of the provider; null for the only one that is meant for the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?

      public init(number: String, hashed: Bool? = nil, provider: String? = nil, modem: String? = nil) {
        self.number = number
        self.hashed = hashed
        self.provider = provider
        self.modem = modem
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
      /// With the outcome: by which the operator finds the calls of this flow.
      public var correlator: String?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, correlator: String? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.correlator = correlator
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, correlator: nil)
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

  /// Asks for the SIM's number. A stream as that of Verify.Number.
  public enum DevicePhoneNumber: FlowMethod {
    public static let name = "org.modemd.NumberVerification.DevicePhoneNumber"

    /// What `DevicePhoneNumber` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["provider", "modem"]
      /// Name of the provider; null for the only one that is meant for the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?

      public init(provider: String? = nil, modem: String? = nil) {
        self.provider = provider
        self.modem = modem
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
      /// With the outcome: by which the operator finds the calls of this flow.
      public var correlator: String?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, number: String? = nil,
        correlator: String? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.number = number
        self.correlator = correlator
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, number: nil, correlator: nil)
      }

      /// One of the values of `event`.
      public typealias Event = NumberVerificationInterface.Verify.Reply.Event
    }
  }
}
