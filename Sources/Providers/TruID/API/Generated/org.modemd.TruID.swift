// Written by varlink-generate from org.modemd.TruID.varlink: change that file, then `make generate`.

import ModemAPI
import Varlink

/// tru.ID: PhoneCheck, SubscriberCheck, SIMCheck, coverage and traces, through an application's
/// backend or the API, as configured. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem,
/// PortUnavailable) are those of org.modemd.Modem, and TooManyFlows is that of org.modemd.Check, and
/// InvalidArgument, NoProvider and MoreThanOneProvider are those of org.modemd.Verify. The types
/// Step, Hop and Outcome are the same in every interface of a provider.
///
/// Every method is a stream: `ready`, then a `step` for each action with a `hop` for each request
/// over the bearer, then the `outcome`. Without `more`, only the outcome. Later versions may add
/// fields, and new words to the enums of replies and errors. Replies and errors always have all their
/// fields; a field without a value is null.
public enum TruIDInterface: VarlinkInterface {
  public static let name = "org.modemd.TruID"
  public static let text = #"""
    # tru.ID: PhoneCheck, SubscriberCheck, SIMCheck, coverage and traces, through an application's
    # backend or the API, as configured. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem,
    # PortUnavailable) are those of org.modemd.Modem, and TooManyFlows is that of org.modemd.Check, and
    # InvalidArgument, NoProvider and MoreThanOneProvider are those of org.modemd.Verify. The types
    # Step, Hop and Outcome are the same in every interface of a provider.
    #
    # Every method is a stream: `ready`, then a `step` for each action with a `hop` for each request
    # over the bearer, then the `outcome`. Without `more`, only the outcome. Later versions may add
    # fields, and new words to the enums of replies and errors. Replies and errors always have all their
    # fields; a field without a value is null.
    interface org.modemd.TruID

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

    # The kind of a stream's reply.
    type Event (ready, step, hop, outcome)

    # Who makes checks: an application's backend, or tru.ID's API with the project's credentials.
    type Way (backend, api)

    # tru.ID's data about a check besides its outcome.
    type Check (
      # tru.ID's id of the check; null if a backend does not give it.
      id: ?string,
      # MCC and MNC of the number's network.
      network: ?string,
      # Minutes within which the SIM was changed, as far as the operator reports it; 525601 for more
      # than a year.
      simChangeWithinMinutes: ?int,
      # Minutes that were looked back.
      simChangePeriodMinutes: ?int,
      # When the SIM was last changed, as tru.ID wrote it.
      lastSIMChange: ?string,
      # Requests per hour that tru.ID allows.
      rateLimit: ?int,
      # How many of them are left.
      rateRemaining: ?int
    )

    # A product of tru.ID, and where it can be used.
    type Product (
      # As in pck, sck, suk.
      id: string,
      name: ?string,
      # As in FULL, PARTIAL, COMING_SOON; null if the answer is about one address.
      extent: ?string,
      # MCCs with MNCs.
      networks: []string
    )

    # What tru.ID serves at an address or in a country.
    type Served (
      # MCC and MNC.
      network: ?string,
      networkName: ?string,
      # Other codes of the same network.
      aliases: []string,
      # Two letters.
      country: ?string,
      # As in 44.
      dialingCode: ?string,
      # The address that tru.ID saw: the bearer's public one.
      address: ?string,
      # Null if tru.ID does not list them.
      products: ?[]Product
    )

    # A line of a trace.
    type Entry (
      # As tru.ID wrote it.
      time: string,
      # It may name the number.
      message: string,
      attributes: ?object
    )

    # What tru.ID recorded while it handled a check.
    type Trace (
      id: string,
      entries: []Entry
    )

    # Whether a number is that of the SIM.
    method PhoneCheck(
      # In international form, as in +447700900123.
      number: string,
      # v0.1 or v0.2; null for the configured one.
      version: ?string,
      # Null for the configured one.
      way: ?Way,
      # The caller's own id of the check, 1 to 64 printable characters without blanks; it must not
      # contain personal data.
      reference: ?string,
      # Name of the provider in the configuration; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: Event,
      # Set with `step`.
      step: ?Step,
      # Set with `hop`.
      hop: ?Hop,
      # Set with `outcome`.
      outcome: ?Outcome,
      # Set with `outcome`, if there was a check.
      check: ?Check,
      # With a verdict of an app's backend (way backend, redirect.fetch): its answer, such as its
      # session, if that is a JSON object.
      serverAnswer: ?object
    )

    # Whether a number is that of the SIM, and whether it recently moved to another SIM.
    method SubscriberCheck(
      # In international form, as in +447700900123.
      number: string,
      # How many minutes back a change of the SIM counts, 60 to 540000; null for tru.ID's seven days. A
      # backend decides by itself.
      periodMinutes: ?int,
      # v0.1 or v0.2; null for the configured one.
      version: ?string,
      # Null for the configured one.
      way: ?Way,
      # The caller's own id of the check, 1 to 64 printable characters without blanks; it must not
      # contain personal data.
      reference: ?string,
      # Name of the provider in the configuration; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: Event,
      # Set with `step`.
      step: ?Step,
      # Set with `hop`.
      hop: ?Hop,
      # Set with `outcome`.
      outcome: ?Outcome,
      # Set with `outcome`, if there was a check.
      check: ?Check,
      # With a verdict of an app's backend (way backend, redirect.fetch): its answer, such as its
      # session, if that is a JSON object.
      serverAnswer: ?object
    )

    # Whether a number recently moved to another SIM. Nothing goes over the bearer, and the number may
    # be anybody's.
    method SIMCheck(
      # In international form, as in +447700900123.
      number: string,
      # How many minutes back a change of the SIM counts, 60 to 540000; null for tru.ID's seven days. A
      # backend decides by itself.
      periodMinutes: ?int,
      # Null for the configured one.
      way: ?Way,
      # The caller's own id of the check, 1 to 64 printable characters without blanks; it must not
      # contain personal data.
      reference: ?string,
      # Name of the provider in the configuration; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: Event,
      # Set with `step`.
      step: ?Step,
      # Set with `hop`.
      hop: ?Hop,
      # Set with `outcome`.
      outcome: ?Outcome,
      # Set with `outcome`, if there was a check.
      check: ?Check
    )

    # Whether tru.ID serves the operator of the bearer's address, of a given address, or operators in a
    # country.
    method Coverage(
      # An IPv4 or IPv6 address; null for the bearer's own, which is determined over the bearer.
      address: ?string,
      # Two letters or a dialling code, as in GB and 44; not together with `address`.
      country: ?string,
      # The product that must be served; null for any. Only for the bearer's own address.
      product: ?(phoneCheck, subscriberCheck),
      # Null for the configured one.
      way: ?Way,
      # Name of the provider in the configuration; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: Event,
      # Set with `step`.
      step: ?Step,
      # Set with `hop`.
      hop: ?Hop,
      # Set with `outcome`.
      outcome: ?Outcome,
      # Set with `outcome`, if tru.ID answered.
      served: ?Served
    )

    # What tru.ID recorded while it handled a check, for seven days. It requires credentials of the API.
    method Traces(
      # tru.ID's id of the check.
      check: string,
      # What the check was.
      kind: (phoneCheck, subscriberCheck, simCheck),
      # v0.1 or v0.2; null for the configured one.
      version: ?string,
      # Id of one trace; null for all.
      trace: ?string,
      # Name of the provider in the configuration; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: Event,
      # Set with `step`.
      step: ?Step,
      # Set with `hop`.
      hop: ?Hop,
      # Set with `outcome`.
      outcome: ?Outcome,
      # Set with `outcome`, if tru.ID answered.
      traces: ?[]Trace
    )

    """#

  /// One action of the flow.
  public typealias Step = VerifyInterface.Step

  /// One request over the bearer and its answer.
  public typealias Hop = VerifyInterface.Hop

  /// How the flow ended.
  public typealias Outcome = VerifyInterface.Outcome

  /// The kind of a stream's reply.
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

  /// Who makes checks: an application's backend, or tru.ID's API with the project's credentials.
  public enum Way: String, Codable, CaseIterable, Hashable, Sendable {
    case backend, api
  }

  /// tru.ID's data about a check besides its outcome.
  public struct Check: Codable, Hashable, Sendable {
    /// tru.ID's id of the check; null if a backend does not give it.
    public var id: String?
    /// MCC and MNC of the number's network.
    public var network: String?
    /// Minutes within which the SIM was changed, as far as the operator reports it; 525601 for more
    /// than a year.
    public var simChangeWithinMinutes: Int?
    /// Minutes that were looked back.
    public var simChangePeriodMinutes: Int?
    /// When the SIM was last changed, as tru.ID wrote it.
    public var lastSIMChange: String?
    /// Requests per hour that tru.ID allows.
    public var rateLimit: Int?
    /// How many of them are left.
    public var rateRemaining: Int?

    public init(
      id: String? = nil, network: String? = nil, simChangeWithinMinutes: Int? = nil, simChangePeriodMinutes: Int? = nil,
      lastSIMChange: String? = nil, rateLimit: Int? = nil, rateRemaining: Int? = nil
    ) {
      self.id = id
      self.network = network
      self.simChangeWithinMinutes = simChangeWithinMinutes
      self.simChangePeriodMinutes = simChangePeriodMinutes
      self.lastSIMChange = lastSIMChange
      self.rateLimit = rateLimit
      self.rateRemaining = rateRemaining
    }
  }

  /// A product of tru.ID, and where it can be used.
  public struct Product: Codable, Hashable, Sendable {
    /// As in pck, sck, suk.
    public var id: String
    public var name: String?
    /// As in FULL, PARTIAL, COMING_SOON; null if the answer is about one address.
    public var extent: String?
    /// MCCs with MNCs.
    public var networks: [String]

    public init(id: String, name: String? = nil, extent: String? = nil, networks: [String]) {
      self.id = id
      self.name = name
      self.extent = extent
      self.networks = networks
    }
  }

  /// What tru.ID serves at an address or in a country.
  public struct Served: Codable, Hashable, Sendable {
    /// MCC and MNC.
    public var network: String?
    public var networkName: String?
    /// Other codes of the same network.
    public var aliases: [String]
    /// Two letters.
    public var country: String?
    /// As in 44.
    public var dialingCode: String?
    /// The address that tru.ID saw: the bearer's public one.
    public var address: String?
    /// Null if tru.ID does not list them.
    public var products: [Product]?

    public init(
      network: String? = nil, networkName: String? = nil, aliases: [String], country: String? = nil,
      dialingCode: String? = nil, address: String? = nil, products: [Product]? = nil
    ) {
      self.network = network
      self.networkName = networkName
      self.aliases = aliases
      self.country = country
      self.dialingCode = dialingCode
      self.address = address
      self.products = products
    }
  }

  /// A line of a trace.
  public struct Entry: Codable, Hashable, Sendable {
    /// As tru.ID wrote it.
    public var time: String
    /// It may name the number.
    public var message: String
    public var attributes: JSONValue?

    public init(time: String, message: String, attributes: JSONValue? = nil) {
      self.time = time
      self.message = message
      self.attributes = attributes
    }
  }

  /// What tru.ID recorded while it handled a check.
  public struct Trace: Codable, Hashable, Sendable {
    public var id: String
    public var entries: [Entry]

    public init(id: String, entries: [Entry]) {
      self.id = id
      self.entries = entries
    }
  }

  /// Whether a number is that of the SIM.
  public enum PhoneCheck: FlowMethod {
    public static let name = "org.modemd.TruID.PhoneCheck"

    /// What `PhoneCheck` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "number", "version", "way", "reference", "provider", "modem", "traceparent",
      ]
      /// In international form, as in +447700900123.
      public var number: String
      /// v0.1 or v0.2; null for the configured one.
      public var version: String?
      /// Null for the configured one.
      public var way: Way?
      /// The caller's own id of the check, 1 to 64 printable characters without blanks; it must not
      /// contain personal data.
      public var reference: String?
      /// Name of the provider in the configuration; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        number: String, version: String? = nil, way: Way? = nil, reference: String? = nil, provider: String? = nil,
        modem: String? = nil, traceparent: String? = nil
      ) {
        self.number = number
        self.version = version
        self.way = way
        self.reference = reference
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `PhoneCheck` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// Set with `outcome`, if there was a check.
      public var check: Check?
      /// With a verdict of an app's backend (way backend, redirect.fetch): its answer, such as its
      /// session, if that is a JSON object.
      public var serverAnswer: JSONValue?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, check: Check? = nil,
        serverAnswer: JSONValue? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.check = check
        self.serverAnswer = serverAnswer
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, check: nil, serverAnswer: nil)
      }
    }
  }

  /// Whether a number is that of the SIM, and whether it recently moved to another SIM.
  public enum SubscriberCheck: FlowMethod {
    public static let name = "org.modemd.TruID.SubscriberCheck"

    /// What `SubscriberCheck` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "number", "periodMinutes", "version", "way", "reference", "provider", "modem", "traceparent",
      ]
      /// In international form, as in +447700900123.
      public var number: String
      /// How many minutes back a change of the SIM counts, 60 to 540000; null for tru.ID's seven days. A
      /// backend decides by itself.
      public var periodMinutes: Int?
      /// v0.1 or v0.2; null for the configured one.
      public var version: String?
      /// Null for the configured one.
      public var way: Way?
      /// The caller's own id of the check, 1 to 64 printable characters without blanks; it must not
      /// contain personal data.
      public var reference: String?
      /// Name of the provider in the configuration; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        number: String, periodMinutes: Int? = nil, version: String? = nil, way: Way? = nil, reference: String? = nil,
        provider: String? = nil, modem: String? = nil, traceparent: String? = nil
      ) {
        self.number = number
        self.periodMinutes = periodMinutes
        self.version = version
        self.way = way
        self.reference = reference
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `SubscriberCheck` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// Set with `outcome`, if there was a check.
      public var check: Check?
      /// With a verdict of an app's backend (way backend, redirect.fetch): its answer, such as its
      /// session, if that is a JSON object.
      public var serverAnswer: JSONValue?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, check: Check? = nil,
        serverAnswer: JSONValue? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.check = check
        self.serverAnswer = serverAnswer
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, check: nil, serverAnswer: nil)
      }
    }
  }

  /// Whether a number recently moved to another SIM. Nothing goes over the bearer, and the number may
  /// be anybody's.
  public enum SIMCheck: FlowMethod {
    public static let name = "org.modemd.TruID.SIMCheck"

    /// What `SIMCheck` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "number", "periodMinutes", "way", "reference", "provider", "modem", "traceparent",
      ]
      /// In international form, as in +447700900123.
      public var number: String
      /// How many minutes back a change of the SIM counts, 60 to 540000; null for tru.ID's seven days. A
      /// backend decides by itself.
      public var periodMinutes: Int?
      /// Null for the configured one.
      public var way: Way?
      /// The caller's own id of the check, 1 to 64 printable characters without blanks; it must not
      /// contain personal data.
      public var reference: String?
      /// Name of the provider in the configuration; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        number: String, periodMinutes: Int? = nil, way: Way? = nil, reference: String? = nil, provider: String? = nil,
        modem: String? = nil, traceparent: String? = nil
      ) {
        self.number = number
        self.periodMinutes = periodMinutes
        self.way = way
        self.reference = reference
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `SIMCheck` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// Set with `outcome`, if there was a check.
      public var check: Check?

      public init(event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, check: Check? = nil) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.check = check
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, check: nil)
      }
    }
  }

  /// Whether tru.ID serves the operator of the bearer's address, of a given address, or operators in a
  /// country.
  public enum Coverage: FlowMethod {
    public static let name = "org.modemd.TruID.Coverage"

    /// What `Coverage` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "address", "country", "product", "way", "provider", "modem", "traceparent",
      ]
      /// An IPv4 or IPv6 address; null for the bearer's own, which is determined over the bearer.
      public var address: String?
      /// Two letters or a dialling code, as in GB and 44; not together with `address`.
      public var country: String?
      /// The product that must be served; null for any. Only for the bearer's own address.
      public var product: Product?
      /// Null for the configured one.
      public var way: Way?
      /// Name of the provider in the configuration; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        address: String? = nil, country: String? = nil, product: Product? = nil, way: Way? = nil,
        provider: String? = nil, modem: String? = nil, traceparent: String? = nil
      ) {
        self.address = address
        self.country = country
        self.product = product
        self.way = way
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }

      /// One of the values of `product`.
      public enum Product: String, Codable, CaseIterable, Hashable, Sendable {
        case phoneCheck, subscriberCheck
      }
    }

    /// What `Coverage` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// Set with `outcome`, if tru.ID answered.
      public var served: Served?

      public init(event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, served: Served? = nil) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.served = served
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, served: nil)
      }
    }
  }

  /// What tru.ID recorded while it handled a check, for seven days. It requires credentials of the API.
  public enum Traces: FlowMethod {
    public static let name = "org.modemd.TruID.Traces"

    /// What `Traces` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "check", "kind", "version", "trace", "provider", "modem", "traceparent",
      ]
      /// tru.ID's id of the check.
      public var check: String
      /// What the check was.
      public var kind: Kind
      /// v0.1 or v0.2; null for the configured one.
      public var version: String?
      /// Id of one trace; null for all.
      public var trace: String?
      /// Name of the provider in the configuration; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        check: String, kind: Kind, version: String? = nil, trace: String? = nil, provider: String? = nil,
        modem: String? = nil, traceparent: String? = nil
      ) {
        self.check = check
        self.kind = kind
        self.version = version
        self.trace = trace
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }

      /// One of the values of `kind`.
      public enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
        case phoneCheck, subscriberCheck, simCheck
      }
    }

    /// What `Traces` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// Set with `outcome`, if tru.ID answered.
      public var traces: [Trace]?

      public init(event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, traces: [Trace]? = nil) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.traces = traces
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, traces: nil)
      }
    }
  }
}
