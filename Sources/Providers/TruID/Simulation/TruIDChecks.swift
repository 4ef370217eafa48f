import JSONTree
import ModemModel
import NetworkAddress
import OperatorSimulator
import Synchronization

/// The checks of a simulated tru.ID, which the API, the operator's host and an application's
/// backend see.
final class TruIDChecks: Sendable {
  /// How a check stands.
  enum State: Hashable {
    case accepted
    /// The operator recognised the address.
    case seen(number: String)
    /// The device has finished; a check of v0.2 waits for its code.
    case opened(number: String)
    case completed(number: String)
    case failed(code: String)
  }

  struct Check {
    let id: String
    /// `phone_check` or `subscriber_check`.
    let product: String
    let version: String
    /// E.164 with `+`.
    let number: String
    let address: String?
    let reference: String?
    let redirectURL: String?
    let period: Int
    let created: Timestamp
    var state = State.accepted
    /// Binds the operator's hop to the check's.
    let session: String
    var code: String?
    var isRedeemed = false
    var readings = 0
    var log: [(Timestamp, String)]
  }

  let settings: TruIDSimulationSettings
  let environment: ProviderEnvironment
  private let checks = Mutex<[String: Check]>([:])
  private let tokens = Mutex<[String: Set<String>]>([:])

  init(_ settings: TruIDSimulationSettings, _ environment: ProviderEnvironment) {
    self.settings = settings
    self.environment = environment
  }

  // MARK: Tokens

  /// Makes a token that allows some scopes.
  func makeToken(_ scopes: Set<String>) -> String {
    let token = environment.makeToken("access token", bytes: 20)
    tokens.withLock { $0[token] = scopes }
    return token
  }

  func allows(_ token: String?, _ scope: String) -> Bool {
    token.map { token in tokens.withLock { $0[token]?.contains(scope) == true } } ?? false
  }

  // MARK: Checks

  /// An id is not secret: a token is also required.
  private func makeID() -> String {
    (0..<16).map { _ in
      let byte = environment.randomByte()
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// A check by its id, as long as it is there.
  func check(_ id: String) -> Check? { checks.withLock { $0[id] } }

  /// The check that the operator's hop belongs to.
  func check(ofSession session: String) -> Check? { checks.withLock { $0.values.first { $0.session == session } } }

  func isExpired(_ check: Check) -> Bool {
    environment.now().milliseconds - check.created.milliseconds > Int64(settings.life) * 1000
  }

  func create(_ product: String, _ version: String, _ body: JSONValue?) -> TruIDReply {
    guard let number = Self.number(body?["phone_number"]?.string) else {
      return .problem(400, body == nil ? "bad_request" : "phone_format_invalid")
    }
    let period = body?["period"]?.integer
    if let period, !(60...540_000).contains(period) { return .problem(400, "bad_request") }
    let address = body?["phone_ip"]?.string
    if let address, !settings.isSandbox, let refusal = refusal(of: IPAddress(address), number) { return refusal }
    let check = Check(
      id: makeID(), product: product, version: version, number: number, address: address,
      reference: body?["reference_id"]?.string, redirectURL: body?["redirect_url"]?.string,
      period: period ?? 10_080, created: environment.now(), session: environment.makeToken("session"),
      log: [(environment.now(), "the check was created")])
    checks.withLock { $0[check.id] = check }
    let own = "https://\(settings.hosts.api)/\(product)/\(version)/checks/\(check.id)"
    return TruIDReply(
      201,
      [
        "check_id": .string(check.id), "status": .string("ACCEPTED"), "ttl": .int(settings.life),
        "created_at": .string(check.created.description), "charge_amount": .int(1), "charge_currency": .string("API"),
        "reference_id": check.reference.map { .string($0) },
        "_links": .object([
          "self": .object(["href": .string(own)]), "check_url": .object(["href": .string("\(own)/redirect")]),
        ]),
      ])
  }

  /// Why an address cannot belong to a number; nil if it can.
  func refusal(of address: IPAddress?, _ number: String) -> TruIDReply? {
    guard let address, environment.subscribers.isBearer(address) else { return .problem(412, "not_mobile_ip") }
    guard let network = environment.subscribers.subscriber(at: address)?.network.description else { return nil }
    if let operators = settings.operators, !operators.contains(network) { return .problem(400, "mno_not_supported") }
    if let other = environment.subscribers.subscriber(number)?.network.description, other != network {
      return .problem(409, "ip_msisdn_mismatch")
    }
    return settings.withoutRedirect.contains(network) ? .problem(501, "mno_redirect_unsupported") : nil
  }

  func set(_ state: State, of id: String, _ word: String) {
    let now = environment.now()
    checks.withLock { checks in
      checks[id]?.state = state
      checks[id]?.log.append((now, word))
    }
  }

  /// The device has finished its chain; a check of v0.2 gets its code.
  func end(_ check: Check) -> Check {
    let code = check.version == "v0.2" ? environment.makeToken("check code") : nil
    let now = environment.now()
    return checks.withLock { checks in
      var ended = checks[check.id] ?? check
      if case .seen(let number) = ended.state {
        ended.state = check.version == "v0.2" ? .opened(number: number) : .completed(number: number)
      }
      ended.code = code
      ended.log.append((now, "the device came back"))
      checks[check.id] = ended
      return ended
    }
  }

  /// A code is good once.
  func exchange(_ id: String, _ code: String?) -> TruIDReply {
    guard let check = check(id), !isExpired(check), check.code != nil else { return .problem(404, "check_not_found") }
    let isGood = checks.withLock { checks in
      guard checks[id]?.code == code, checks[id]?.isRedeemed == false else { return false }
      checks[id]?.isRedeemed = true
      return true
    }
    guard isGood else { return .problem(400, "bad_request") }
    if case .opened(let number) = check.state { set(.completed(number: number), of: id, "the code was exchanged") }
    return read(id)
  }

  func read(_ id: String) -> TruIDReply {
    let counted = checks.withLock { checks in
      checks[id]?.readings += 1
      return checks[id]
    }
    guard let check = counted else { return .problem(404, "check_not_found") }
    var members: [String: JSONValue?] = [
      "check_id": .string(id), "created_at": .string(check.created.description), "charge_amount": .int(1),
      "charge_currency": .string("API"), "reference_id": check.reference.map { .string($0) },
    ]
    switch check.state {
    case .failed(let code):
      members["status"] = .string("ERROR")
      members["error_code"] = .string(code)
    case .completed(let number) where check.readings > settings.pending:
      members["status"] = .string("COMPLETED")
      members.merge(findings(check, number)) { $1 }
    default: members["status"] = .string(isExpired(check) ? "EXPIRED" : "PENDING")
    }
    return TruIDReply(200, members)
  }

  private func findings(_ check: Check, _ number: String) -> [String: JSONValue?] {
    var members: [String: JSONValue?] = ["match": .bool(isMatch(check, number))]
    members["network_id"] = environment.subscribers.subscriber(number).map { .string($0.network.description) }
    if check.product == "subscriber_check" {
      members.merge(simChange(of: check.number, period: check.period)) { $1 }
    }
    return members
  }

  private func isMatch(_ check: Check, _ number: String) -> Bool {
    settings.isSandbox ? TruIDSandbox(check.number) == .success : number == check.number
  }

  // MARK: SIM changes

  /// `no_sim_change` and related members; none if the operator does not know.
  func simChange(of number: String, period: Int) -> [String: JSONValue?] {
    if settings.isSandbox { return ["no_sim_change": .bool(TruIDSandbox(number) == .success)] }
    guard let subscriber = environment.subscribers.subscriber(number),
      let change = environment.subscribers.simChange(of: subscriber)
    else { return [:] }
    let minutes = Int((environment.now().milliseconds - change.milliseconds) / 60_000)
    let buckets = [60, 360, 720, 1440, 2880, 4320, 10_080, 43_200, 129_600, 259_200, 525_600]
    return [
      "no_sim_change": .bool(minutes > period), "no_sim_change_period": .int(period),
      "sim_change_within": .int(buckets.first { minutes <= $0 } ?? 525_601),
      "last_sim_change_at": .string(change.description),
    ]
  }

  func simCheck(_ body: JSONValue?) -> TruIDReply {
    guard let number = Self.number(body?["phone_number"]?.string) else { return .problem(400, "phone_format_invalid") }
    let period = body?["period"]?.integer ?? 10_080
    guard (60...540_000).contains(period) else { return .problem(400, "bad_request") }
    var members: [String: JSONValue?] = [
      "check_id": .string(makeID()), "charge_amount": .int(1), "charge_currency": .string("API"),
      "created_at": .string(environment.now().description), "reference_id": body?["reference_id"],
    ]
    let found = simChange(of: number, period: period)
    if let code = simCheckError(number, isKnown: !found.isEmpty) {
      members["status"] = .string("ERROR")
      members["error_code"] = .string(code)
    } else {
      members["status"] = .string("COMPLETED")
      members["network_id"] = environment.subscribers.subscriber(number).map { .string($0.network.description) }
      members.merge(found) { $1 }
    }
    return TruIDReply(201, members)
  }

  private func simCheckError(_ number: String, isKnown: Bool) -> String? {
    if let fault = settings.fault(at: .simCheck, of: number), fault.status == nil { return fault.code }
    if settings.isSandbox { return TruIDSandbox(number) == .error ? "mno_server_error" : nil }
    guard let subscriber = environment.subscribers.subscriber(number) else { return "mno_user_not_found" }
    if let operators = settings.operators, !operators.contains(subscriber.network.description) {
      return "mno_not_supported"
    }
    return isKnown ? nil : "mno_no_data_available"
  }

  /// E.164 with `+`, of digits with or without it.
  static func number(_ text: String?) -> String? {
    guard let text else { return nil }
    let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard (7...15).contains(digits.utf8.count), digits.first != "0",
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return "+\(digits)"
  }
}

/// The sandbox's result for a number, without asking anybody. A final 99 comes first, because it is
/// also odd.
enum TruIDSandbox: Hashable {
  case success, failure, error

  init(_ number: String) {
    let isEven = number.utf8.last.map { ($0 - 0x30) % 2 == 0 } ?? false
    self = number.hasSuffix("99") ? .error : isEven ? .success : .failure
  }
}
