// Written by varlink-generate from org.modemd.SIMSwap.varlink: change that file, then `make generate`.

import ModemAPI
import Varlink

/// Whether, and when, a number moved to another SIM: by CAMARA's SIM Swap, or by another provider that checks it.
/// Errors about modems are those of org.modemd.Modem, TooManyFlows is that of org.modemd.Check; InvalidArgument, NoProvider and
/// MoreThanOneProvider are those of org.modemd.Verify. The types Step, Hop and Outcome are the same in every interface of a provider.
/// Later versions may add fields, and words where a reply or an error has one of several words. Each field of a reply or an error is there,
/// null where it has no value.
public enum SIMSwapInterface: VarlinkInterface {
  public static let name = "org.modemd.SIMSwap"
  public static let text = #"""
    # Whether, and when, a number moved to another SIM: by CAMARA's SIM Swap, or by another provider that checks it.
    # Errors about modems are those of org.modemd.Modem, TooManyFlows is that of org.modemd.Check; InvalidArgument, NoProvider and
    # MoreThanOneProvider are those of org.modemd.Verify. The types Step, Hop and Outcome are the same in every interface of a provider.
    # Later versions may add fields, and words where a reply or an error has one of several words. Each field of a reply or an error is there,
    # null where it has no value.
    interface org.modemd.SIMSwap

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

    # Asks whether a number moved to another SIM lately. A stream as that of Verify.Number.
    method Check(
      # In international form; null for the SIM in this machine, which the operator knows by the bearer.
      number: ?string,
      # How many hours ago a change still counts, 1 to 2400; null for 240.
      maximumAgeHours: ?int,
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
      # With the outcome: when the number moved, in the form of RFC 3339; null where the provider does not tell.
      changedAt: ?string,
      # With the outcome: the hours that the answer speaks of.
      periodHours: ?int
    )

    # Asks CAMARA's SIM Swap when a number moved to another SIM. The outcome says whether that was within the hours. A stream as that of
    # Verify.Number.
    method RetrieveDate(
      # In international form; null for the SIM in this machine, which the operator knows by the bearer.
      number: ?string,
      # As with Check.
      maximumAgeHours: ?int,
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
      # With the outcome: when the number moved, in the form of RFC 3339, or when the SIM was first used; null where it did not move in the
      # time that is watched, or where that may not be told.
      changedAt: ?string,
      # With the outcome: how many days back the operator watches changes; null where it does not say.
      monitoredDays: ?int
    )

    """#

  /// One thing that the flow did.
  public typealias Step = VerifyInterface.Step

  /// One request over the bearer and its answer.
  public typealias Hop = VerifyInterface.Hop

  /// How the flow ended.
  public typealias Outcome = VerifyInterface.Outcome

  /// Asks whether a number moved to another SIM lately. A stream as that of Verify.Number.
  public enum Check: FlowMethod {
    public static let name = "org.modemd.SIMSwap.Check"

    /// What `Check` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["number", "maximumAgeHours", "provider", "modem"]
      /// In international form; null for the SIM in this machine, which the operator knows by the bearer.
      public var number: String?
      /// How many hours ago a change still counts, 1 to 2400; null for 240.
      public var maximumAgeHours: Int?
      /// Name of the provider; null for the only one that is meant for the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?

      public init(number: String? = nil, maximumAgeHours: Int? = nil, provider: String? = nil, modem: String? = nil) {
        self.number = number
        self.maximumAgeHours = maximumAgeHours
        self.provider = provider
        self.modem = modem
      }
    }

    /// What `Check` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// With the outcome: when the number moved, in the form of RFC 3339; null where the provider does not tell.
      public var changedAt: String?
      /// With the outcome: the hours that the answer speaks of.
      public var periodHours: Int?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, changedAt: String? = nil,
        periodHours: Int? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.changedAt = changedAt
        self.periodHours = periodHours
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, changedAt: nil, periodHours: nil)
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

  /// Asks CAMARA's SIM Swap when a number moved to another SIM. The outcome says whether that was within the hours. A stream as that of
  /// Verify.Number.
  public enum RetrieveDate: FlowMethod {
    public static let name = "org.modemd.SIMSwap.RetrieveDate"

    /// What `RetrieveDate` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["number", "maximumAgeHours", "provider", "modem"]
      /// In international form; null for the SIM in this machine, which the operator knows by the bearer.
      public var number: String?
      /// As with Check.
      public var maximumAgeHours: Int?
      /// Name of the provider; null for the only one that is meant for the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?

      public init(number: String? = nil, maximumAgeHours: Int? = nil, provider: String? = nil, modem: String? = nil) {
        self.number = number
        self.maximumAgeHours = maximumAgeHours
        self.provider = provider
        self.modem = modem
      }
    }

    /// What `RetrieveDate` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// With the outcome: when the number moved, in the form of RFC 3339, or when the SIM was first used; null where it did not move in the
      /// time that is watched, or where that may not be told.
      public var changedAt: String?
      /// With the outcome: how many days back the operator watches changes; null where it does not say.
      public var monitoredDays: Int?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, changedAt: String? = nil,
        monitoredDays: Int? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.changedAt = changedAt
        self.monitoredDays = monitoredDays
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, changedAt: nil, monitoredDays: nil)
      }

      /// One of the values of `event`.
      public typealias Event = SIMSwapInterface.Check.Reply.Event
    }
  }
}
