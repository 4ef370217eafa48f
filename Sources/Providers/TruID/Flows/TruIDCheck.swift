import AuthCore
import JSONTree
import RedirectChain
import Web

/// A check as tru.ID or a backend describes it. Every member may be missing, and a missing one is
/// unknown.
struct TruIDCheckDocument: Hashable {
  enum Status: Hashable {
    case accepted, pending, completed, expired, error
    case other(String)

    init(_ word: String) {
      switch word.uppercased() {
      case "ACCEPTED": self = .accepted
      case "PENDING": self = .pending
      case "COMPLETED": self = .completed
      case "EXPIRED": self = .expired
      case "ERROR": self = .error
      default: self = .other(word)
      }
    }
  }

  let id: String?
  let status: Status?
  let matches: Bool?
  let noSIMChange: Bool?
  let problem: TruIDProblem
  /// Where the device goes.
  let checkURL: String?
  /// The check's own URL at the API.
  let selfURL: String?
  /// Seconds.
  let ttl: Int?
  let answer: TruIDCheckAnswer
  /// All of it, if it is an object.
  let whole: JSONValue?

  init(_ json: JSONValue) {
    whole = json.ifObject
    let id = json["check_id"]?.string
    self.id = id
    status = json["status"]?.string.map { Status($0) }
    matches = json["match"]?.boolean
    noSIMChange = json["no_sim_change"]?.boolean
    problem = TruIDProblem(code: json["error_code"]?.string)
    checkURL = json["_links"]?["check_url"]?["href"]?.string ?? json["check_url"]?.string
    selfURL = json["_links"]?["self"]?["href"]?.string
    ttl = json["ttl"]?.integer.flatMap { (1...86_400).contains($0) ? $0 : nil }
    answer = TruIDCheckAnswer(
      checkID: id, network: json["network_id"]?.string, simChangeWithin: json["sim_change_within"]?.integer,
      simChangePeriod: json["no_sim_change_period"]?.integer,
      lastSIMChange: json["last_sim_change_at"]?.string)
  }

  /// An absent value is neither true nor false.
  var simChange: SIMChange { noSIMChange.map { $0 ? .unchanged : .changed } ?? .unknown }

  /// The end of a check that did not complete; nil for a completed one.
  func failure(host: String, httpStatus: Int) -> FlowOutcome? {
    switch status {
    case .error:
      .truID(problem, otherwise: .operatorError, host: host, status: httpStatus)
    case .expired:
      FlowOutcome(
        .expired, code: "EXPIRED", status: httpStatus,
        "the check was not over within its two minutes; start anew")
    case .other(let word):
      FlowOutcome(
        .badAnswer, code: word, status: httpStatus, "\(host) names a status of the check that is not known; ask tru.ID")
    case nil where problem.code != nil: .truID(problem, otherwise: .operatorError, host: host, status: httpStatus)
    case .accepted, .pending, .completed, nil: nil
    }
  }
}

/// Data about a check besides its outcome.
package struct TruIDCheckAnswer: Hashable, Sendable {
  /// The provider's id, with which its traces are found.
  package var checkID: String?
  /// MCC and MNC of the number's network.
  package var network: String?
  /// Minutes within which the SIM was changed, as far as the operator reports it; 525601 for more
  /// than a year.
  package var simChangeWithin: Int?
  /// Minutes that were looked back.
  package var simChangePeriod: Int?
  /// As the provider wrote it.
  package var lastSIMChange: String?
  /// What the provider still allows.
  package var rate: TruIDRate?
  /// What an app's backend answered, if it decided: an object.
  package var serverAnswer: JSONValue?

  init(
    checkID: String? = nil, network: String? = nil, simChangeWithin: Int? = nil, simChangePeriod: Int? = nil,
    lastSIMChange: String? = nil
  ) {
    self.checkID = checkID
    self.network = network
    self.simChangeWithin = simChangeWithin
    self.simChangePeriod = simChangePeriod
    self.lastSIMChange = lastSIMChange
  }

  /// Updated with a later answer about the same check.
  func updated(with later: TruIDCheckAnswer) -> TruIDCheckAnswer {
    var whole = self
    whole.checkID = checkID ?? later.checkID
    whole.network = later.network ?? network
    whole.simChangeWithin = later.simChangeWithin ?? simChangeWithin
    whole.simChangePeriod = later.simChangePeriod ?? simChangePeriod
    whole.lastSIMChange = later.lastSIMChange ?? lastSIMChange
    return whole
  }
}

/// How many requests the provider allows, from the fields of its answers.
package struct TruIDRate: Hashable, Sendable {
  /// In an hour.
  package let limit: Int
  package let remaining: Int?

  init?(_ reply: BackendReply) {
    let number = { (name: String) in reply.header(name).flatMap { Int($0) } }
    guard let limit = number("x-ratelimit-limit") else { return nil }
    self.limit = limit
    remaining = number("x-ratelimit-remaining")
  }
}
