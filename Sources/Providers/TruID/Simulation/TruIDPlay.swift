import ModemModel

/// What a simulated tru.ID is told to be.
public struct TruIDPlay: Sendable {
  /// Where something is to go wrong.
  public enum Place: String, Hashable, Sendable, CaseIterable {
    /// An access token is asked for.
    case token
    /// A check is created.
    case create
    /// Its URL is opened.
    case redirect
    /// The operator is asked, on the cleartext hop.
    case `operator`
    /// The chain's last hop.
    case end
    /// A redirect URL is signed: the signature is that of another URL.
    case signature
    /// The code is exchanged.
    case exchange
    /// The result is read.
    case result
    case simCheck
    case coverage
    case traces
  }

  /// One failure.
  public struct Fault: Hashable, Sendable {
    public var place: Place
    /// E.164; nil for every number.
    public var number: String?
    /// Answered with a problem document; nil where the check goes on, and ends with an error.
    public var status: Int?
    /// Fragment of the problem's type, or the check's `error_code`.
    public var code: String?
    /// Seconds, sent with the status.
    public var retryAfter: Int?
    /// A page for a person is shown in place of the answer.
    public var isPage: Bool
    /// The answer comes so late, in milliseconds.
    public var delay: Int?

    public init(
      _ place: Place, number: String? = nil, status: Int? = nil, code: String? = nil, retryAfter: Int? = nil,
      isPage: Bool = false, delay: Int? = nil
    ) {
      self.place = place
      self.number = number
      self.status = status
      self.code = code
      self.retryAfter = retryAfter
      self.isPage = isPage
      self.delay = delay
    }
  }

  /// Names of the hosts.
  public struct Hosts: Hashable, Sendable {
    public var api: String
    public var `operator`: String
    public var backend: String

    public init(api: String, operator: String, backend: String) {
      self.api = api
      self.operator = `operator`
      self.backend = backend
    }
  }

  public var hosts: Hosts
  public var clientID = "truid-client"
  public var clientSecret = "truid-secret"
  /// What the backend wants as its password, from the user `app`; nil for a backend open to all.
  public var backendPassword: String?
  /// MCCs with MNCs that are served; nil for all.
  public var operators: Set<String>?
  /// Those that do not take part in checks by redirect.
  public var withoutRedirect: Set<String> = []
  /// Whether numbers alone decide, and no operator is asked.
  public var isSandbox = false
  /// Seconds that a check lives.
  public var life = 120
  /// How often a result is still pending when it is asked for.
  public var pending = 0
  /// Whether the backend answers `/subscriber-check/ID`; else it reads the query there too.
  public var hasPathForm = true
  /// Whether the backend takes POST for the exchange of a code.
  public var takesPOST = true
  public var faults: [Fault] = []

  public init(hosts: Hosts) { self.hosts = hosts }

  func fault(at place: Place, of number: String?) -> Fault? {
    faults.first { $0.place == place && ($0.number == nil || $0.number == number) }
  }
}
