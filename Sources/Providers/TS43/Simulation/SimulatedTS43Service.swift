import FoundationEssentials
import JSONTree
import ModemModel
import OperatorSimulator
import Synchronization

/// An operator's entitlement server (GSMA TS.43): logins by EAP, tokens, operations about the
/// number, and temporary tokens.
///
/// | request to `server` | answer |
/// | --- | --- |
/// | `EAP_ID=…` | a challenge for the SIM, and a cookie |
/// | `POST` of a packet, with the cookie | another packet, or the document with TOKEN |
/// | `token=…&IMSI=…`, with `operation` or without | the document with the next TOKEN |
/// | `temporary_token=…&operation=…` | the document with the operation's answer, once |
/// | anything else | 400 |
///
/// `second` is where a login is led to by the fault `detour`.
package final class SimulatedTS43Service: SimulatedService {
  static let relayType = "application/vnd.gsma.eap-relay.v1.0+json"

  /// A login that has begun.
  struct Login: Sendable {
    var server: EAPServer
    var parameters: Parameters
    /// Whether the second host does it, and leads back.
    var isElsewhere = false
  }

  /// What a TOKEN is bound to (TS.43, 2.8.5).
  struct Grant: Hashable, Sendable {
    var imsi: String
    var terminal: String
    var app: String
    var appName: String
    var end: Timestamp
  }

  struct State: Sendable {
    var logins: [String: Login] = [:]
    /// Who logged in at the second host, by the code that it gave.
    var codes: [String: (login: Login, imsi: String)] = [:]
    var tokens: [String: Grant] = [:]
    var used: [SimulatedTS43Fault: Int] = [:]
  }

  let settings: SimulatedTS43.Settings
  private let own: [String: SimulatedTS43.Subscriber]
  let environment: ProviderEnvironment
  let register: HomeRegister
  let state = Mutex(State())

  package init(_ settings: SimulatedTS43.Settings, _ environment: ProviderEnvironment) {
    self.settings = settings
    self.environment = environment
    let own = Dictionary(settings.subscribers.map { ($0.imsi, $0) }, uniquingKeysWith: { first, _ in first })
    self.own = own
    let sims = environment.subscribers
    register = HomeRegister { imsi in
      own[imsi]?.entry ?? sims.subscription(imsi: imsi).map { HomeRegister.Entry($0) }
    }
  }

  /// A subscriber of the scenario's list, or a SIM of the world; nil for another IMSI.
  func subscriber(_ imsi: String) -> SimulatedTS43.Subscriber? {
    own[imsi] ?? environment.subscribers.subscription(imsi: imsi).map { SimulatedTS43.Subscriber($0) }
  }

  /// Of a number that was given out before.
  func subscriber(number: String) -> SimulatedTS43.Subscriber? { own.values.first { $0.number == number } }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    guard request.isSecure, [settings.server, settings.second].contains(request.host) else { return nil }
    let packet = request.method == "POST" && request.mediaType == Self.relayType
    let login = packet ? state.withLock { $0.logins[request.cookies["session"] ?? ""] } : nil
    let parameters = login?.parameters ?? Parameters(request)
    let place: SimulatedTS43Fault.Place = packet ? .relay : parameters["token"] != nil ? .token : .login
    let faults = Faults(take(at: place, parameters["app_name"]))
    if let early = faults.early(request) { return early }
    if packet { return faults.late(relay(request, login, faults)) }
    return faults.late(first(request, parameters, faults))
  }

  /// The faults that concern a request; each counts as used.
  private func take(at place: SimulatedTS43Fault.Place, _ appName: String?) -> [SimulatedTS43Fault] {
    let told = environment.word("ts43.faults").flatMap(SimulatedTS43Fault.list) ?? []
    return state.withLock { state in
      (settings.faults + told).filter { fault in
        guard fault.place == .any || fault.place == place, fault.appName == nil || fault.appName == appName else {
          return false
        }
        let count = state.used[fault, default: 0]
        if let times = fault.times, count >= times { return false }
        state.used[fault] = count + 1
        return true
      }
    }
  }

  func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in environment.randomByte() } }

  func later(_ seconds: Int) -> Timestamp {
    Timestamp(milliseconds: environment.now().milliseconds + Int64(seconds) * 1000)
  }
}

// MARK: - The first request

extension SimulatedTS43Service {
  private func first(_ request: SimulatedRequest, _ parameters: Parameters, _ faults: Faults) -> SimulatedResponse {
    if request.host == settings.second { return elsewhere(request) }
    if let code = parameters["code"] { return comeBack(request, code, faults) }
    if settings.method != .both, request.method != settings.method.rawValue.uppercased() {
      return Self.refusal(405, "another method")
    }
    if parameters["temporary_token"] != nil { return spend(request, parameters, faults) }
    if let missing = ["terminal_id", "app", "entitlement_version"].first(where: { parameters[$0]?.isEmpty != false }) {
      return Self.refusal(400, "\(missing) is missing")
    }
    // TS.43, 2.2.1.
    guard request.headers["user-agent"]?.hasPrefix("PRD-TS43 ") == true else {
      return Self.refusal(400, "the user agent is not of TS.43")
    }
    guard settings.versions.contains(parameters["entitlement_version"] ?? "") else {
      return Self.refusal(406, "this version is not served")
    }
    if let clients = settings.clients, !clients.contains(parameters["app_name"] ?? "") {
      return Self.refusal(403, "the client is not on the list of this operator")
    }
    if let token = parameters["token"] { return enter(request, parameters, token, faults) }
    guard let identity = parameters["EAP_ID"] else { return Self.refusal(511, "no identity") }
    return begin(request, parameters, identity, faults)
  }

  private func begin(
    _ request: SimulatedRequest, _ parameters: Parameters, _ identity: String, _ faults: Faults
  ) -> SimulatedResponse {
    guard request.headers["accept"]?.contains(Self.relayType) == true else {
      return Self.refusal(400, "packets of EAP are not accepted")
    }
    var eap = settings.eap
    eap.method = ["6", "7", "8"].contains(identity.prefix(1)) ? .akaPrime : .aka
    eap.tampering = faults.tampering
    let imsi = register.imsi(of: identity)
    guard imsi.map({ subscriber($0)?.isRefused == false }) ?? settings.eap.givesIdentities else {
      return Self.refusal(403, "the subscriber is not known")
    }
    if faults.has(.sequenceBehind), let imsi { register.fallBehind(imsi) }
    var login = Login(server: EAPServer(eap, register, random: { self.random($0) }), parameters: parameters)
    if faults.has(.detour) {
      login.isElsewhere = true
      let id = environment.makeToken("session")
      state.withLock { [login] in $0.logins[id] = login }
      return .redirect(to: "https://\(settings.second)/authenticate?session=\(id)")
    }
    let step = login.server.begin(identity)
    return advance(login, step, faults, isFirst: true)
  }

  /// The second host begins the login that led to it.
  private func elsewhere(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let id = request.query["session"], var login = state.withLock({ $0.logins.removeValue(forKey: id) }),
      let identity = login.parameters["EAP_ID"]
    else { return Self.refusal(400, "no login is here") }
    let step = login.server.begin(identity)
    return advance(login, step, Faults([]), isFirst: true)
  }

  private func comeBack(_ request: SimulatedRequest, _ code: String, _ faults: Faults) -> SimulatedResponse {
    guard let came = state.withLock({ $0.codes.removeValue(forKey: code) }) else {
      return Self.refusal(511, "the code is not known")
    }
    return document(request, came.login.parameters, came.imsi, faults)
  }

  /// With a TOKEN. It is replaced, and works for what it was given to alone (TS.43, 2.8.5).
  private func enter(
    _ request: SimulatedRequest, _ parameters: Parameters, _ token: String, _ faults: Faults
  ) -> SimulatedResponse {
    let grant = state.withLock { state in
      settings.rotatesTokens ? state.tokens.removeValue(forKey: token) : state.tokens[token]
    }
    guard let grant, !faults.has(.forgetToken), environment.now() < grant.end, grant.imsi == parameters["IMSI"],
      grant.terminal == parameters["terminal_id"], grant.app == parameters["app"],
      grant.appName == parameters["app_name"] ?? ""
    else { return Self.refusal(511, "the token is not known") }
    return document(request, parameters, grant.imsi, faults)
  }
}

// MARK: - Packets

extension SimulatedTS43Service {
  private func relay(_ request: SimulatedRequest, _ login: Login?, _ faults: Faults) -> SimulatedResponse {
    guard var login, let id = request.cookies["session"], state.withLock({ $0.logins.removeValue(forKey: id) }) != nil,
      let text = request.json?["eap-relay-packet"]?.string, let packet = Data(base64Encoded: text)
    else { return faults.relay([4, 0, 0, 4]) }
    environment.issued(text, as: "packet of EAP")
    let step = login.server.receive(Array(packet))
    guard case .accepted(let imsi) = step else { return advance(login, step, faults, isFirst: false, id) }
    guard login.isElsewhere else { return document(request, login.parameters, imsi, faults) }
    let code = environment.makeToken("code")
    state.withLock { $0.codes[code] = (login, imsi) }
    return .redirect(to: "https://\(settings.server)/?code=\(code)")
  }

  /// Sends a step of EAP, and keeps the login under its cookie.
  private func advance(
    _ login: Login, _ step: EAPServer.Step, _ faults: Faults, isFirst: Bool, _ id: String? = nil
  ) -> SimulatedResponse {
    switch step {
    case .accepted: return Self.refusal(500, "nobody can be accepted here")
    case .rejected(let bytes): return faults.relay(bytes)
    case .send(let bytes):
      let id = id ?? environment.makeToken("session")
      state.withLock { $0.logins[id] = login }
      var response = faults.relay(bytes)
      if isFirst, !faults.has(.noCookie) {
        response.headers.append(
          .init(name: "Set-Cookie", value: "session=\(id); Path=/; HttpOnly; Secure; SameSite=Lax"))
        response.headers.append(.init(name: "Set-Cookie", value: "route=a; Path=/"))
      }
      return response
    }
  }

  static func refusal(_ status: Int, _ text: String) -> SimulatedResponse {
    SimulatedResponse(status: status, headers: [("Content-Type", "text/plain")], body: text)
  }
}
