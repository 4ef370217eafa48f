// Written by varlink-generate from org.modemd.Verify.varlink: change that file, then `make generate`.

import Varlink

/// Asks whether a number is that of the SIM, from any provider that is configured and serves the SIM.
/// Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable) are those of
/// org.modemd.Modem, and TooManyFlows is that of org.modemd.Check. The types Step, Hop and Outcome
/// are the same in every interface of a provider. Later versions may add fields, and new words to the
/// enums of replies and errors. Replies and errors always have all their fields; a field without a
/// value is null.
public enum VerifyInterface: VarlinkInterface {
  public static let name = "org.modemd.Verify"
  public static let text = #"""
    # Asks whether a number is that of the SIM, from any provider that is configured and serves the SIM.
    # Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable) are those of
    # org.modemd.Modem, and TooManyFlows is that of org.modemd.Check. The types Step, Hop and Outcome
    # are the same in every interface of a provider. Later versions may add fields, and new words to the
    # enums of replies and errors. Replies and errors always have all their fields; a field without a
    # value is null.
    interface org.modemd.Verify

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

    # A configured provider.
    type Provider (
      # Its name: its file's name without .json.
      name: string,
      # Its kind, as in truID.
      kind: string,
      # MCCs, or MCCs with MNC, of the SIMs that it is for; null for all.
      networks: ?[]string,
      # What it can do, in words such as verifyNumber, simChange, readNumber, coverage, signIn, sign,
      # numberRecycling.
      abilities: ?[]string
    )

    # A provider's file that cannot be used. Its provider is disabled.
    type ProviderFault (
      # The file's name without .json.
      name: string,
      # The file's path.
      file: string,
      # The line that is wrong, from 1; null if it is about no line.
      line: ?int,
      # One sentence for people: what is wrong, and what to do. It holds no secret.
      text: string
    )

    # A key of a provider's file, or one of its credentials.
    type ProviderKey (
      # The key's path, as in backend.url; for a credential, its name after the provider's name and a
      # dot, as in client-secret.
      key: string,
      # What it is.
      meaning: string,
      # What holds without it; null if nothing does, or the meaning says it.
      standard: ?string,
      # Whether every file of this kind needs it, people are asked for it, or few files have it.
      need: (required, asked, optional),
      # What kind of value it has.
      form: (text, number, boolean, list, object),
      # Whether it is a credential, which never stands in the file.
      secret: bool,
      # The key that needs this credential; null if it stands by itself.
      companion: ?string
    )

    # A kind of provider.
    type ProviderKind (
      # As in truID.
      kind: string,
      keys: []ProviderKey
    )

    # A credential with its value.
    type Credential (
      # As in client-secret.
      key: string,
      value: string
    )

    # Asks whether a number is that of the SIM. A stream: `ready`, then a `step` for each action with a
    # `hop` for each request over the bearer, then the `outcome`. Without `more`, only the outcome.
    method Number(
      # In international form, as in +447700900123.
      number: string,
      # Name of the provider; null for all configured ones that serve the SIM's network, in order, until
      # one gives an answer.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # Which providers are asked: those that recognise the SIM by its bearer, those that the SIM
      # answers over any network, or both; null for the configured value, which is `any` by default.
      route: ?(any, bearer, network),
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
      # With a verdict of an app's server that the provider's file names: its answer, such as its
      # session, if that is a JSON object.
      serverAnswer: ?object
    )

    # Lists the configured providers, and the files that cannot be used.
    method Providers() -> (
      providers: []Provider,
      faults: ?[]ProviderFault,
      # How often the service has read its files anew since it started, whether that changed anything or
      # not.
      reloads: ?int,
      # Why the last time changed nothing; null if the files could be used.
      reloadFailure: ?string
    )

    # Lists the kinds of providers, with the keys of their files.
    method ProviderKinds() -> (kinds: []ProviderKind)

    # Reads the text of a provider's file as the service would, without using it.
    method TestProviderFile(
      # The provider's name: the file's name without .json.
      name: string,
      text: string,
      # Credentials that the service does not have yet.
      credentials: []Credential
    ) -> (
      # Null if the file can be used.
      fault: ?ProviderFault
    )

    # Checks a configured provider with requests that cost nothing: whether its service accepts the
    # credentials, and whether it serves the SIM's operator. The second may bring the bearer up.
    method CheckProvider(
      # Name of the provider.
      provider: string,
      # Id, device or interface of the modem; null for the only one, or for none if there are several.
      modem: ?string
    ) -> (
      # Its kind, as in truID.
      kind: string,
      # Whether the service accepts the credentials. `unknown` if it gave no answer that shows it,
      # `notNeeded` without credentials, `notFree` if every request with them costs something.
      credentials: (accepted, refused, unknown, notNeeded, notFree),
      # One sentence for people.
      credentialsText: string,
      # Whether the SIM's operator is served. `notAsked` without a modem, or if the kind has no free
      # request for it.
      coverage: (served, notServed, unknown, notAsked),
      # One sentence for people.
      coverageText: string,
      # The modem whose SIM it is about; null without one.
      modem: ?string
    )

    # An argument is not valid.
    error InvalidArgument (
      argument: string,
      # What was expected.
      expected: string
    )

    # No configured provider can do this.
    error NoProvider (
      # One sentence that explains what is configured, and what to do.
      text: string
    )

    # Several providers can do this: name one.
    error MoreThanOneProvider (providers: []string)

    """#

  /// One action of the flow.
  public struct Step: Codable, Hashable, Sendable {
    /// From 1.
    public var index: Int
    /// The action, as in createCheck.
    public var name: String
    /// The path it took: the SIM's bearer, the machine's own network, the modem itself, or the caller.
    public var lane: Lane
    /// The first host that was asked.
    public var host: String?
    /// HTTP status of the answer; null if none came.
    public var status: Int?
    /// Milliseconds from the flow's start.
    public var start: Double
    /// Milliseconds that it took.
    public var milliseconds: Double
    /// What went wrong, in one sentence for people; null if nothing did.
    public var failure: String?

    public init(
      index: Int, name: String, lane: Lane, host: String? = nil, status: Int? = nil, start: Double,
      milliseconds: Double, failure: String? = nil
    ) {
      self.index = index
      self.name = name
      self.lane = lane
      self.host = host
      self.status = status
      self.start = start
      self.milliseconds = milliseconds
      self.failure = failure
    }

    /// One of the values of `lane`.
    public enum Lane: OpenWord {
      case bearer, host, modem, caller
      case other(String)

      public static let known: [Self] = [.bearer, .host, .modem, .caller]
      public var rawValue: String {
        switch self {
        case .bearer: "bearer"
        case .host: "host"
        case .modem: "modem"
        case .caller: "caller"
        case .other(let word): word
        }
      }
    }
  }

  /// One request over the bearer and its answer.
  public struct Hop: Codable, Hashable, Sendable {
    /// Index of its step.
    public var step: Int
    /// From 1 in its step.
    public var index: Int
    /// Scheme of the URL.
    public var scheme: Scheme
    /// Host of the URL. Path and query are never shown: they may hold secrets.
    public var host: String
    /// The server's address that was used.
    public var address: String?
    /// HTTP status; null if no answer came.
    public var status: Int?
    /// The host that the answer redirects to.
    public var next: String?
    /// Milliseconds from the step's start.
    public var start: Double
    /// Milliseconds to the end of the answer; null if it did not end.
    public var milliseconds: Double?

    public init(
      step: Int, index: Int, scheme: Scheme, host: String, address: String? = nil, status: Int? = nil,
      next: String? = nil, start: Double, milliseconds: Double? = nil
    ) {
      self.step = step
      self.index = index
      self.scheme = scheme
      self.host = host
      self.address = address
      self.status = status
      self.next = next
      self.start = start
      self.milliseconds = milliseconds
    }

    /// One of the values of `scheme`.
    public enum Scheme: OpenWord {
      case http, https
      case other(String)

      public static let known: [Self] = [.http, .https]
      public var rawValue: String {
        switch self {
        case .http: "http"
        case .https: "https"
        case .other(let word): word
        }
      }
    }
  }

  /// How the flow ended.
  public struct Outcome: Codable, Hashable, Sendable {
    /// The result, or why there is none. New words may be added.
    public var result: Result
    /// Whether the number is the SIM's; null if the flow does not determine it. Never read null as
    /// differs.
    public var number: Number?
    /// How the number was proved: by the bearer that a request came over, or by the SIM's answer to a
    /// challenge of its operator; null if it was not, or in another way.
    public var proof: Proof?
    /// Whether the number recently moved to another SIM; null if that was not asked.
    public var sim: Sim?
    /// The provider's own code, as in ip_msisdn_mismatch.
    public var code: String?
    /// HTTP status of the decisive answer.
    public var status: Int?
    /// With noDataPath and other failures of a chain: the cause, in the words of org.modemd.Check.
    public var cause: String?
    /// With rateLimited: when the provider accepts requests again; null if it gave no time.
    public var retryAfterMilliseconds: Int?
    /// One sentence for people: what happened, and what to do if anything can be done.
    public var text: String
    /// Name of the provider in the configuration.
    public var provider: String?
    /// Kind of the provider, as in truID.
    public var kind: String?
    /// Id of the modem.
    public var modem: String?
    /// The bearer's address from which the last chain was sent.
    public var source: String?
    /// From the call to the end.
    public var milliseconds: Double
    /// Id of the trace: 32 hexadecimal digits. Entries of the journal and the history have it.
    public var trace: String?

    public init(
      result: Result, number: Number? = nil, proof: Proof? = nil, sim: Sim? = nil, code: String? = nil,
      status: Int? = nil, cause: String? = nil, retryAfterMilliseconds: Int? = nil, text: String,
      provider: String? = nil, kind: String? = nil, modem: String? = nil, source: String? = nil, milliseconds: Double,
      trace: String? = nil
    ) {
      self.result = result
      self.number = number
      self.proof = proof
      self.sim = sim
      self.code = code
      self.status = status
      self.cause = cause
      self.retryAfterMilliseconds = retryAfterMilliseconds
      self.text = text
      self.provider = provider
      self.kind = kind
      self.modem = modem
      self.source = source
      self.milliseconds = milliseconds
      self.trace = trace
    }

    /// One of the values of `result`.
    public enum Result: OpenWord {
      case verified, notVerified, simSwapped, simUnchanged, simUnknown, covered, authorized, numberRead, signedIn,
        signed, registered, answered, notMobileIP, operatorUnsupported, operatorMismatch, operatorTimeout,
        operatorError, subscriberUnknown, headerMissing, interactionRequired, messageAppRequired, codeRequired,
        codeWrong, expired, rateLimited, userRefused, tokenRefused, pinWrong, identityRevoked, badRequest,
        clientRefused, notConfigured, noSIMAnswer, noDataPath, redirectError, tlsError, dnsError, timeout,
        stateMismatch, providerUnavailable, badAnswer, captivePortal, cancelled
      case other(String)

      public static let known: [Self] = [
        .verified, .notVerified, .simSwapped, .simUnchanged, .simUnknown, .covered, .authorized, .numberRead, .signedIn,
        .signed, .registered, .answered, .notMobileIP, .operatorUnsupported, .operatorMismatch, .operatorTimeout,
        .operatorError, .subscriberUnknown, .headerMissing, .interactionRequired, .messageAppRequired, .codeRequired,
        .codeWrong, .expired, .rateLimited, .userRefused, .tokenRefused, .pinWrong, .identityRevoked, .badRequest,
        .clientRefused, .notConfigured, .noSIMAnswer, .noDataPath, .redirectError, .tlsError, .dnsError, .timeout,
        .stateMismatch, .providerUnavailable, .badAnswer, .captivePortal, .cancelled,
      ]
      public var rawValue: String {
        switch self {
        case .verified: "verified"
        case .notVerified: "notVerified"
        case .simSwapped: "simSwapped"
        case .simUnchanged: "simUnchanged"
        case .simUnknown: "simUnknown"
        case .covered: "covered"
        case .authorized: "authorized"
        case .numberRead: "numberRead"
        case .signedIn: "signedIn"
        case .signed: "signed"
        case .registered: "registered"
        case .answered: "answered"
        case .notMobileIP: "notMobileIP"
        case .operatorUnsupported: "operatorUnsupported"
        case .operatorMismatch: "operatorMismatch"
        case .operatorTimeout: "operatorTimeout"
        case .operatorError: "operatorError"
        case .subscriberUnknown: "subscriberUnknown"
        case .headerMissing: "headerMissing"
        case .interactionRequired: "interactionRequired"
        case .messageAppRequired: "messageAppRequired"
        case .codeRequired: "codeRequired"
        case .codeWrong: "codeWrong"
        case .expired: "expired"
        case .rateLimited: "rateLimited"
        case .userRefused: "userRefused"
        case .tokenRefused: "tokenRefused"
        case .pinWrong: "pinWrong"
        case .identityRevoked: "identityRevoked"
        case .badRequest: "badRequest"
        case .clientRefused: "clientRefused"
        case .notConfigured: "notConfigured"
        case .noSIMAnswer: "noSIMAnswer"
        case .noDataPath: "noDataPath"
        case .redirectError: "redirectError"
        case .tlsError: "tlsError"
        case .dnsError: "dnsError"
        case .timeout: "timeout"
        case .stateMismatch: "stateMismatch"
        case .providerUnavailable: "providerUnavailable"
        case .badAnswer: "badAnswer"
        case .captivePortal: "captivePortal"
        case .cancelled: "cancelled"
        case .other(let word): word
        }
      }
    }

    /// One of the values of `number`.
    public enum Number: OpenWord {
      case matches, differs
      case other(String)

      public static let known: [Self] = [.matches, .differs]
      public var rawValue: String {
        switch self {
        case .matches: "matches"
        case .differs: "differs"
        case .other(let word): word
        }
      }
    }

    /// One of the values of `proof`.
    public enum Proof: OpenWord {
      case bearer, sim
      case other(String)

      public static let known: [Self] = [.bearer, .sim]
      public var rawValue: String {
        switch self {
        case .bearer: "bearer"
        case .sim: "sim"
        case .other(let word): word
        }
      }
    }

    /// One of the values of `sim`.
    public enum Sim: OpenWord {
      case changed, unchanged, unknown
      case other(String)

      public static let known: [Self] = [.changed, .unchanged, .unknown]
      public var rawValue: String {
        switch self {
        case .changed: "changed"
        case .unchanged: "unchanged"
        case .unknown: "unknown"
        case .other(let word): word
        }
      }
    }
  }

  /// A configured provider.
  public struct Provider: Codable, Hashable, Sendable {
    /// Its name: its file's name without .json.
    public var name: String
    /// Its kind, as in truID.
    public var kind: String
    /// MCCs, or MCCs with MNC, of the SIMs that it is for; null for all.
    public var networks: [String]?
    /// What it can do, in words such as verifyNumber, simChange, readNumber, coverage, signIn, sign,
    /// numberRecycling.
    public var abilities: [String]?

    public init(name: String, kind: String, networks: [String]? = nil, abilities: [String]? = nil) {
      self.name = name
      self.kind = kind
      self.networks = networks
      self.abilities = abilities
    }
  }

  /// A provider's file that cannot be used. Its provider is disabled.
  public struct ProviderFault: Codable, Hashable, Sendable {
    /// The file's name without .json.
    public var name: String
    /// The file's path.
    public var file: String
    /// The line that is wrong, from 1; null if it is about no line.
    public var line: Int?
    /// One sentence for people: what is wrong, and what to do. It holds no secret.
    public var text: String

    public init(name: String, file: String, line: Int? = nil, text: String) {
      self.name = name
      self.file = file
      self.line = line
      self.text = text
    }
  }

  /// A key of a provider's file, or one of its credentials.
  public struct ProviderKey: Codable, Hashable, Sendable {
    /// The key's path, as in backend.url; for a credential, its name after the provider's name and a
    /// dot, as in client-secret.
    public var key: String
    /// What it is.
    public var meaning: String
    /// What holds without it; null if nothing does, or the meaning says it.
    public var standard: String?
    /// Whether every file of this kind needs it, people are asked for it, or few files have it.
    public var need: Need
    /// What kind of value it has.
    public var form: Form
    /// Whether it is a credential, which never stands in the file.
    public var secret: Bool
    /// The key that needs this credential; null if it stands by itself.
    public var companion: String?

    public init(
      key: String, meaning: String, standard: String? = nil, need: Need, form: Form, secret: Bool,
      companion: String? = nil
    ) {
      self.key = key
      self.meaning = meaning
      self.standard = standard
      self.need = need
      self.form = form
      self.secret = secret
      self.companion = companion
    }

    /// One of the values of `need`.
    public enum Need: OpenWord {
      case required, asked, optional
      case other(String)

      public static let known: [Self] = [.required, .asked, .optional]
      public var rawValue: String {
        switch self {
        case .required: "required"
        case .asked: "asked"
        case .optional: "optional"
        case .other(let word): word
        }
      }
    }

    /// One of the values of `form`.
    public enum Form: OpenWord {
      case text, number, boolean, list, object
      case other(String)

      public static let known: [Self] = [.text, .number, .boolean, .list, .object]
      public var rawValue: String {
        switch self {
        case .text: "text"
        case .number: "number"
        case .boolean: "boolean"
        case .list: "list"
        case .object: "object"
        case .other(let word): word
        }
      }
    }
  }

  /// A kind of provider.
  public struct ProviderKind: Codable, Hashable, Sendable {
    /// As in truID.
    public var kind: String
    public var keys: [ProviderKey]

    public init(kind: String, keys: [ProviderKey]) {
      self.kind = kind
      self.keys = keys
    }
  }

  /// A credential with its value.
  public struct Credential: Codable, Hashable, Sendable {
    /// As in client-secret.
    public var key: String
    public var value: String

    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  /// Asks whether a number is that of the SIM. A stream: `ready`, then a `step` for each action with a
  /// `hop` for each request over the bearer, then the `outcome`. Without `more`, only the outcome.
  public enum Number: FlowMethod {
    public static let name = "org.modemd.Verify.Number"

    /// What `Number` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["number", "provider", "modem", "route", "traceparent"]
      /// In international form, as in +447700900123.
      public var number: String
      /// Name of the provider; null for all configured ones that serve the SIM's network, in order, until
      /// one gives an answer.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// Which providers are asked: those that recognise the SIM by its bearer, those that the SIM
      /// answers over any network, or both; null for the configured value, which is `any` by default.
      public var route: Route?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        number: String, provider: String? = nil, modem: String? = nil, route: Route? = nil, traceparent: String? = nil
      ) {
        self.number = number
        self.provider = provider
        self.modem = modem
        self.route = route
        self.traceparent = traceparent
      }

      /// One of the values of `route`.
      public enum Route: String, Codable, CaseIterable, Hashable, Sendable {
        case any, bearer, network
      }
    }

    /// What `Number` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      /// Set with `step`.
      public var step: Step?
      /// Set with `hop`.
      public var hop: Hop?
      /// Set with `outcome`.
      public var outcome: Outcome?
      /// With a verdict of an app's server that the provider's file names: its answer, such as its
      /// session, if that is a JSON object.
      public var serverAnswer: JSONValue?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, serverAnswer: JSONValue? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.serverAnswer = serverAnswer
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, serverAnswer: nil)
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

  /// Lists the configured providers, and the files that cannot be used.
  public enum Providers: VarlinkMethod {
    public static let name = "org.modemd.Verify.Providers"

    /// What `Providers` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = []

      public init() {}
    }

    /// What `Providers` answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var providers: [Provider]
      public var faults: [ProviderFault]?
      /// How often the service has read its files anew since it started, whether that changed anything or
      /// not.
      public var reloads: Int?
      /// Why the last time changed nothing; null if the files could be used.
      public var reloadFailure: String?

      public init(
        providers: [Provider], faults: [ProviderFault]? = nil, reloads: Int? = nil, reloadFailure: String? = nil
      ) {
        self.providers = providers
        self.faults = faults
        self.reloads = reloads
        self.reloadFailure = reloadFailure
      }
    }
  }

  /// Lists the kinds of providers, with the keys of their files.
  public enum ProviderKinds: VarlinkMethod {
    public static let name = "org.modemd.Verify.ProviderKinds"

    /// What `ProviderKinds` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = []

      public init() {}
    }

    /// What `ProviderKinds` answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var kinds: [ProviderKind]

      public init(kinds: [ProviderKind]) {
        self.kinds = kinds
      }
    }
  }

  /// Reads the text of a provider's file as the service would, without using it.
  public enum TestProviderFile: VarlinkMethod {
    public static let name = "org.modemd.Verify.TestProviderFile"

    /// What `TestProviderFile` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["name", "text", "credentials"]
      /// The provider's name: the file's name without .json.
      public var name: String
      public var text: String
      /// Credentials that the service does not have yet.
      public var credentials: [Credential]

      public init(name: String, text: String, credentials: [Credential]) {
        self.name = name
        self.text = text
        self.credentials = credentials
      }
    }

    /// What `TestProviderFile` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// Null if the file can be used.
      public var fault: ProviderFault?

      public init(fault: ProviderFault? = nil) {
        self.fault = fault
      }
    }
  }

  /// Checks a configured provider with requests that cost nothing: whether its service accepts the
  /// credentials, and whether it serves the SIM's operator. The second may bring the bearer up.
  public enum CheckProvider: VarlinkMethod {
    public static let name = "org.modemd.Verify.CheckProvider"

    /// What `CheckProvider` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["provider", "modem"]
      /// Name of the provider.
      public var provider: String
      /// Id, device or interface of the modem; null for the only one, or for none if there are several.
      public var modem: String?

      public init(provider: String, modem: String? = nil) {
        self.provider = provider
        self.modem = modem
      }
    }

    /// What `CheckProvider` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// Its kind, as in truID.
      public var kind: String
      /// Whether the service accepts the credentials. `unknown` if it gave no answer that shows it,
      /// `notNeeded` without credentials, `notFree` if every request with them costs something.
      public var credentials: Credentials
      /// One sentence for people.
      public var credentialsText: String
      /// Whether the SIM's operator is served. `notAsked` without a modem, or if the kind has no free
      /// request for it.
      public var coverage: Coverage
      /// One sentence for people.
      public var coverageText: String
      /// The modem whose SIM it is about; null without one.
      public var modem: String?

      public init(
        kind: String, credentials: Credentials, credentialsText: String, coverage: Coverage, coverageText: String,
        modem: String? = nil
      ) {
        self.kind = kind
        self.credentials = credentials
        self.credentialsText = credentialsText
        self.coverage = coverage
        self.coverageText = coverageText
        self.modem = modem
      }

      /// One of the values of `credentials`.
      public enum Credentials: OpenWord {
        case accepted, refused, unknown, notNeeded, notFree
        case other(String)

        public static let known: [Self] = [.accepted, .refused, .unknown, .notNeeded, .notFree]
        public var rawValue: String {
          switch self {
          case .accepted: "accepted"
          case .refused: "refused"
          case .unknown: "unknown"
          case .notNeeded: "notNeeded"
          case .notFree: "notFree"
          case .other(let word): word
          }
        }
      }

      /// One of the values of `coverage`.
      public enum Coverage: OpenWord {
        case served, notServed, unknown, notAsked
        case other(String)

        public static let known: [Self] = [.served, .notServed, .unknown, .notAsked]
        public var rawValue: String {
          switch self {
          case .served: "served"
          case .notServed: "notServed"
          case .unknown: "unknown"
          case .notAsked: "notAsked"
          case .other(let word): word
          }
        }
      }
    }
  }

  /// An argument is not valid.
  public struct InvalidArgument: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Verify.InvalidArgument"
    public var argument: String
    /// What was expected.
    public var expected: String

    public init(argument: String, expected: String) {
      self.argument = argument
      self.expected = expected
    }
  }

  /// No configured provider can do this.
  public struct NoProvider: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Verify.NoProvider"
    /// One sentence that explains what is configured, and what to do.
    public var text: String

    public init(text: String) {
      self.text = text
    }
  }

  /// Several providers can do this: name one.
  public struct MoreThanOneProvider: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Verify.MoreThanOneProvider"
    public var providers: [String]

    public init(providers: [String]) {
      self.providers = providers
    }
  }
}
