// Written by varlink-generate from org.modemd.TS43.varlink: change that file, then `make generate`.

import ModemAPI
import Varlink

/// GSMA TS.43: the SIM answers a challenge of its operator over any network, and the operator's
/// entitlement server tells its number. Errors about modems are those of org.modemd.Modem, and
/// TooManyFlows is that of org.modemd.Check. InvalidArgument, NoProvider and MoreThanOneProvider are
/// those of org.modemd.Verify. The types Step, Hop and Outcome are the same in every interface of a
/// provider. Later versions may add fields, and new words to the enums of replies and errors. Replies
/// and errors always have all their fields; a field without a value is null.
public enum TS43Interface: VarlinkInterface {
  public static let name = "org.modemd.TS43"
  public static let text = #"""
    # GSMA TS.43: the SIM answers a challenge of its operator over any network, and the operator's
    # entitlement server tells its number. Errors about modems are those of org.modemd.Modem, and
    # TooManyFlows is that of org.modemd.Check. InvalidArgument, NoProvider and MoreThanOneProvider are
    # those of org.modemd.Verify. The types Step, Hop and Outcome are the same in every interface of a
    # provider. Later versions may add fields, and new words to the enums of replies and errors. Replies
    # and errors always have all their fields; a field without a value is null.
    interface org.modemd.TS43

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

    # Asks whether a number is that of the SIM. The server is told the number and answers yes or no;
    # this machine does not learn the SIM's number. The replies are a stream like that of Verify.Number.
    method Verify(
      # In international form, as in +447700900123.
      number: string,
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
      outcome: ?Outcome
    )

    # Asks for the SIM's number. The replies are a stream like that of Verify.Number.
    method PhoneNumber(
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
      # With the result `numberRead`: the number that the operator has for the SIM, in international
      # form.
      number: ?string,
      # With the result `numberRead`: the number that stands on the SIM (EF_MSISDN); null if it has
      # none, or if the caller may not call org.modemd.Modem.Get.
      simNumber: ?string,
      # Whether the two are the same; null if one of them is. Operators keep the first; the second is
      # what was once written on the card.
      same: ?bool
    )

    # Asks what the operator has about the SIM's subscription. The replies are a stream like that of
    # Verify.Number.
    method SubscriberInfo(
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
      # With the result `answered`: the number, in international form; null if the operator does not
      # tell.
      number: ?string,
      # With the result `answered`: the kind of the SIM's id, as in iccid, in the operator's words; null
      # if it does not tell.
      simIDType: ?string,
      # With the result `answered`: that id; null if the operator does not tell.
      simID: ?string,
      # With the result `answered`: the virtual operator; null if there is none.
      virtualOperator: ?string
    )

    # Gets a token for one operation, which the caller's own server then asks of the operator. Whoever
    # has it may ask in the SIM's name, once, within minutes. modemd does not keep it. It needs its own
    # entry in the access table; without one, only root may call. The replies are a stream like that of
    # Verify.Number.
    method TemporaryToken(
      # What the token is for.
      operation: (phoneNumber, verify),
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
      # With the result `authorized`: the token. It is a secret.
      token: ?string,
      # With the result `authorized`: when it ends (RFC 3339); null if the operator does not tell.
      expires: ?string,
      # With the result `authorized`: mobile country code of the operator that has to be asked.
      mcc: ?string,
      # With the result `authorized`: its mobile network code, of two or three digits.
      mnc: ?string,
      # With the result `authorized`: the SIM's Group Identifier Level 1 in hexadecimal digits, by which
      # virtual operators are told apart; null if the SIM has none.
      gid1: ?string
    )

    """#

  /// One action of the flow.
  public typealias Step = VerifyInterface.Step

  /// One request over the bearer and its answer.
  public typealias Hop = VerifyInterface.Hop

  /// How the flow ended.
  public typealias Outcome = VerifyInterface.Outcome

  /// Asks whether a number is that of the SIM. The server is told the number and answers yes or no;
  /// this machine does not learn the SIM's number. The replies are a stream like that of Verify.Number.
  public enum Verify: FlowMethod {
    public static let name = "org.modemd.TS43.Verify"

    /// What `Verify` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["number", "provider", "modem", "traceparent"]
      /// In international form, as in +447700900123.
      public var number: String
      /// Name of the provider; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(number: String, provider: String? = nil, modem: String? = nil, traceparent: String? = nil) {
        self.number = number
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
  public enum PhoneNumber: FlowMethod {
    public static let name = "org.modemd.TS43.PhoneNumber"

    /// What `PhoneNumber` takes.
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

    /// What `PhoneNumber` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// With the result `numberRead`: the number that the operator has for the SIM, in international
      /// form.
      public var number: String?
      /// With the result `numberRead`: the number that stands on the SIM (EF_MSISDN); null if it has
      /// none, or if the caller may not call org.modemd.Modem.Get.
      public var simNumber: String?
      /// Whether the two are the same; null if one of them is. Operators keep the first; the second is
      /// what was once written on the card.
      public var same: Bool?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, number: String? = nil,
        simNumber: String? = nil, same: Bool? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.number = number
        self.simNumber = simNumber
        self.same = same
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, number: nil, simNumber: nil, same: nil)
      }

      /// One of the values of `event`.
      public typealias Event = TS43Interface.Verify.Reply.Event
    }
  }

  /// Asks what the operator has about the SIM's subscription. The replies are a stream like that of
  /// Verify.Number.
  public enum SubscriberInfo: FlowMethod {
    public static let name = "org.modemd.TS43.SubscriberInfo"

    /// What `SubscriberInfo` takes.
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

    /// What `SubscriberInfo` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// With the result `answered`: the number, in international form; null if the operator does not
      /// tell.
      public var number: String?
      /// With the result `answered`: the kind of the SIM's id, as in iccid, in the operator's words; null
      /// if it does not tell.
      public var simIDType: String?
      /// With the result `answered`: that id; null if the operator does not tell.
      public var simID: String?
      /// With the result `answered`: the virtual operator; null if there is none.
      public var virtualOperator: String?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, number: String? = nil,
        simIDType: String? = nil, simID: String? = nil, virtualOperator: String? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.number = number
        self.simIDType = simIDType
        self.simID = simID
        self.virtualOperator = virtualOperator
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(
          event: event, step: nil, hop: nil, outcome: nil, number: nil, simIDType: nil, simID: nil, virtualOperator: nil
        )
      }

      /// One of the values of `event`.
      public typealias Event = TS43Interface.Verify.Reply.Event
    }
  }

  /// Gets a token for one operation, which the caller's own server then asks of the operator. Whoever
  /// has it may ask in the SIM's name, once, within minutes. modemd does not keep it. It needs its own
  /// entry in the access table; without one, only root may call. The replies are a stream like that of
  /// Verify.Number.
  public enum TemporaryToken: FlowMethod {
    public static let name = "org.modemd.TS43.TemporaryToken"

    /// What `TemporaryToken` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["operation", "provider", "modem", "traceparent"]
      /// What the token is for.
      public var operation: Operation
      /// Name of the provider; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(operation: Operation, provider: String? = nil, modem: String? = nil, traceparent: String? = nil) {
        self.operation = operation
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }

      /// One of the values of `operation`.
      public enum Operation: String, Codable, CaseIterable, Hashable, Sendable {
        case phoneNumber, verify
      }
    }

    /// What `TemporaryToken` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// With the result `authorized`: the token. It is a secret.
      public var token: String?
      /// With the result `authorized`: when it ends (RFC 3339); null if the operator does not tell.
      public var expires: String?
      /// With the result `authorized`: mobile country code of the operator that has to be asked.
      public var mcc: String?
      /// With the result `authorized`: its mobile network code, of two or three digits.
      public var mnc: String?
      /// With the result `authorized`: the SIM's Group Identifier Level 1 in hexadecimal digits, by which
      /// virtual operators are told apart; null if the SIM has none.
      public var gid1: String?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, token: String? = nil,
        expires: String? = nil, mcc: String? = nil, mnc: String? = nil, gid1: String? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.token = token
        self.expires = expires
        self.mcc = mcc
        self.mnc = mnc
        self.gid1 = gid1
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(
          event: event, step: nil, hop: nil, outcome: nil, token: nil, expires: nil, mcc: nil, mnc: nil, gid1: nil
        )
      }

      /// One of the values of `event`.
      public typealias Event = TS43Interface.Verify.Reply.Event
    }
  }
}
