import FoundationEssentials
import JSONTree
import MPin
import ModemModel
import NetworkAddress
import OperatorSimulator
import MIRACLSimulation
import Synchronization
import Testing

/// A simulated MIRACL platform by itself, a clock that stands still unless it is told to go on, and
/// a client that does what MIRACL's SDKs do.
struct MIRACLStage {
  static let user = "ada@shop.example"

  /// What a client keeps of a registration.
  struct Member {
    var identity: MPinIdentity
    var token: MPinToken
    var dtas: String
  }

  let platform: MIRACLService
  let site: MIRACLSite
  let mailbox = SimulatedMailbox(host: "mail.example")
  let project: SimulatedMIRACLProject
  let clock = Clock()
  let words = Words()

  final class Clock: Sendable {
    private let time = Mutex(Int64(1_790_000_000_000))
    var now: Timestamp { Timestamp(milliseconds: time.withLock { $0 }) }
    var seconds: Int { Int(now.milliseconds / 1000) }
    func goOn(seconds: Int) { time.withLock { $0 += Int64(seconds) * 1000 } }
  }

  final class Words: Sendable {
    private let words = Mutex<[String: String]>([:])
    subscript(_ name: String) -> String? { words.withLock { $0[name] } }
    func say(_ name: String, _ value: String?) { words.withLock { $0[name] = value } }
  }

  init(_ change: (inout SimulatedMIRACLProject) -> Void = { _ in }) {
    var project = SimulatedMIRACLProject(id: "shop", clientID: "c", clientSecret: "s")
    change(&project)
    self.project = project
    let (clock, words) = (clock, words)
    let subscribers = SimulatedSubscribers([], numbers: [:], start: Timestamp(milliseconds: 0))
    var environment = ProviderEnvironment(subscribers: subscribers, now: { clock.now })
    environment.word = { words[$0] }
    let other = SimulatedMIRACLProject(id: "other", clientID: "o", clientSecret: "t")
    platform = MIRACLService(
      hosts: .init(api: "api.example", authority: "two.example", landing: "mcl.example"), projects: [project, other],
      mailbox: mailbox, environment)
    site = MIRACLSite(host: "site.example", projects: [project], platform: platform)
  }

  // MARK: Calls

  /// What was answered.
  struct Answer {
    let response: SimulatedResponse
    var status: Int { response.status }
    var json: JSONValue { JSONValue(parsing: Array(response.body.utf8)) ?? .null }
    /// The code of an error in either body.
    var code: String? { json["error"]?.string ?? json["error"]?["code"]?.string }
    subscript(_ name: String) -> String? { json[name]?.string }
  }

  func call(
    _ method: String, _ url: String, _ body: JSONValue? = nil, headers: [String: String] = [:]
  ) async throws -> Answer {
    let place = url.split(separator: "://", maxSplits: 1)
    let host = place[1].prefix { $0 != "/" }
    let target = place[1].dropFirst(host.count).split(separator: "?", maxSplits: 1)
    var query: [String: String] = [:]
    for pair in (target.count > 1 ? target[1] : "").split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1)
      query[String(halves[0])] = String(halves[1]).replacing("%40", with: "@")
    }
    let request = SimulatedRequest(
      method: method, isSecure: place[0] == "https", host: String(host), path: String(target.first ?? "/"),
      query: query, headers: headers.merging(["content-type": "application/json"]) { own, _ in own },
      body: Array((body?.text ?? "").utf8), source: IPAddress("192.0.2.2")!)
    for service in [platform, site, mailbox] as [any SimulatedService] {
      if let response = await service.answer(request) { return Answer(response: response) }
    }
    throw Missing(url: url)
  }

  struct Missing: Error { let url: String }

  func post(_ path: String, _ members: [String: JSONValue], headers: [String: String] = [:]) async throws -> Answer {
    try await call("POST", "https://api.example\(path)", .object(members), headers: headers)
  }

  static func basic(_ name: String, _ secret: String) -> [String: String] {
    ["authorization": "Basic " + Data("\(name):\(secret)".utf8).base64EncodedString()]
  }

  // MARK: What a client does

  /// A code by mail, and the activation token for it.
  func activate(_ user: String = user, accessID: String? = nil) async throws -> String {
    var asked: [String: JSONValue] = [
      "projectId": .string(project.id), "userId": .string(user), "deviceName": .string("test"),
    ]
    asked["accessId"] = accessID.map { .string($0) }
    #expect(try await post("/verification/email", asked).status == 200)
    let code = try #require(mailedCode(user))
    let confirmed = try await post("/verification/confirmation", ["userId": .string(user), "code": .string(code)])
    return try #require(confirmed["actToken"])
  }

  /// The code in the newest mail, of the text or of its link.
  func mailedCode(_ user: String = user) -> String? {
    guard let text = mailbox.mails(to: user).last?.text else { return nil }
    if let link = text.split(separator: "&code=").dropFirst().first { return String(link) }
    return text.split(separator: " ").last.map { String($0.dropLast()) }
  }

  func register(_ pin: String, _ activation: String, _ user: String = user) async throws -> Member {
    let keys = try DVSKeyPair()
    let answer = try await post(
      "/registration",
      [
        "userId": .string(user), "deviceName": .string("test"), "activationToken": .string(activation),
        "publicKey": .string(keys.publicKey.hex),
      ])
    let urls = (answer.json["secretUrls"]?.items ?? []).compactMap(\.string)
    try #require(urls.count == 2 && answer["curve"] == "BN254CX" && answer["projectId"] == project.id)
    let shares = [try await call("GET", urls[0]), try await call("GET", urls[1])]
    return try member(
      answer["mpinId"], answer["dtas"], shares.map { $0["dvsClientSecret"] }, keys, pin)
  }

  func member(
    _ mpinID: String?, _ dtas: String?, _ shares: [String?], _ keys: DVSKeyPair, _ pin: String
  ) throws -> Member {
    let identity = try MPinIdentity(mpinIdHex: try #require(mpinID), publicKey: keys.publicKey)
    let points = try shares.map { try ClientSecretShare(hex: try #require($0)) }
    let token = try MPinToken(identity: identity, shares: (points[0], points[1]), keys: keys, pin: UserPIN(pin))
    return Member(identity: identity, token: token, dtas: try #require(dtas))
  }

  /// Pass 1, pass 2 and what came of them.
  func logIn(_ member: Member, _ pin: String, scope: String = "jwt", session: String? = nil) async throws -> Answer {
    let pass = try PassOne(identity: member.identity, token: member.token, pin: UserPIN(pin))
    let first = try await passOne(member, pass.commitment.hex, scope: scope)
    guard let challenge = first["y"] else { return first }
    var members: [String: JSONValue] = [
      "mpin_id": .string(member.identity.mpinIdHex),
      "V": .string(try pass.answer(ServerChallenge(hex: challenge)).hex),
    ]
    members["WID"] = session.map { .string($0) }
    let second = try await post("/rps/v2/pass2", members)
    guard let token = second["authOTT"] else { return second }
    return try await post("/rps/v2/authenticate", ["authOTT": .string(token), "wam": .string("dvs")])
  }

  func passOne(_ member: Member, _ u: String, scope: String = "jwt", dtas: String? = nil) async throws -> Answer {
    try await post(
      "/rps/v2/pass1",
      [
        "mpin_id": .string(member.identity.mpinIdHex), "dtas": .string(dtas ?? member.dtas), "U": .string(u),
        "publicKey": .string(member.identity.publicKey.hex), "scope": .array([.string(scope)]),
      ])
  }

  /// A signature as clients send it.
  func sign(_ hash: [UInt8], _ member: Member, _ pin: String, at time: Int) throws -> JSONValue {
    let signature = try MPinSignature(
      of: hash, timestamp: UInt32(time), identity: member.identity, token: member.token, pin: UserPIN(pin))
    return .object([
      "hash": .string(hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()),
      "u": .string(signature.u.hex), "v": .string(signature.v.hex), "mpinId": .string(member.identity.mpinIdHex),
      "publicKey": .string(member.identity.publicKey.hex), "dtas": .string(member.dtas), "timestamp": .int(time),
    ])
  }
}
