import ModemModel
import OperatorSimulator

/// What a simulated tru.ID is told to be.
package struct TruIDSimulationSettings: Sendable {
  /// Where something is to go wrong.
  package enum Place: String, Hashable, Sendable, CaseIterable {
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
  package struct Fault: Hashable, Sendable {
    package var place: Place
    /// E.164; nil for every number.
    package var number: String?
    /// Answered with a problem document; nil if the check continues, and ends with an error.
    package var status: Int?
    /// Fragment of the problem's type, or the check's `error_code`.
    package var code: String?
    /// Seconds, sent with the status.
    package var retryAfter: Int?
    /// A page for a person is shown in place of the answer.
    package var isPage: Bool
    /// The answer comes this many milliseconds late.
    package var delay: Int?

    package init(
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
  package struct Hosts: Hashable, Sendable {
    package var api: String
    package var `operator`: String
    package var backend: String

    package init(api: String, operator: String, backend: String) {
      self.api = api
      self.operator = `operator`
      self.backend = backend
    }
  }

  package var hosts: Hosts
  package var clientID = "truid-client"
  package var clientSecret = "truid-secret"
  /// The backend's password for the user `app`; nil for a backend without one.
  package var backendPassword: String?
  /// MCCs with MNCs that are served; nil for all.
  package var operators: Set<String>?
  /// Those that do not take part in checks by redirect.
  package var withoutRedirect: Set<String> = []
  /// Whether only numbers decide, and no operator is asked.
  package var isSandbox = false
  /// Seconds that a check lives.
  package var life = 120
  /// How often a result is still pending when it is asked for.
  package var pending = 0
  /// Whether the backend answers `/subscriber-check/ID`; else it reads the query there too.
  package var hasPathForm = true
  /// Whether the backend takes POST for the exchange of a code.
  package var takesPOST = true
  package var faults: [Fault] = []

  package init(hosts: Hosts) { self.hosts = hosts }

  func fault(at place: Place, of number: String?) -> Fault? {
    faults.first { $0.place == place && ($0.number == nil || $0.number == number) }
  }
}
