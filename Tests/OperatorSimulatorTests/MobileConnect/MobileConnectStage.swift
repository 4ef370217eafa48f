import FoundationEssentials
import JSONTree
import ModemModel
import NetworkAddress
import OperatorSimulator
import MobileConnectSimulation
import Synchronization

/// A simulated Mobile Connect with a clock that stands still unless it is told to go on, and what a
/// client of it does.
struct MobileConnectStage {
  static let bearer = IPAddress("10.64.0.2")!
  static let elsewhere = IPAddress("192.0.2.9")!
  static let own = "+4915112345678"
  static let stranger = "+4915155555502"
  /// Of another operator.
  static let foreigner = "+4915299999999"
  static let callback = "app://back"

  final class Notes: Sendable {
    private let state = Mutex(
      (time: Int64(1_790_000_000_000), words: [String: String](), count: 0, kinds: [String: String]()))
    var now: Timestamp { Timestamp(milliseconds: state.withLock { $0.time }) }
    func goOn(seconds: Int64) { state.withLock { $0.time += seconds * 1000 } }
    func word(_ name: String) -> String? { state.withLock { $0.words[name] } }
    func say(_ name: String, _ value: String?) { state.withLock { $0.words[name] = value } }
    func next() -> Int {
      state.withLock {
        $0.count += 1
        return $0.count
      }
    }
    func issued(_ kind: String, _ value: String) { state.withLock { $0.kinds[value] = kind } }
    /// What a secret is; nil for what was not reported.
    func kind(of value: String) -> String? { state.withLock { $0.kinds[value] } }
  }

  let service: MobileConnectService
  let notes = Notes()

  /// All applications that tests need, on keys that are made once.
  static let shared = MobileConnectStage()

  init(_ change: (inout MobileConnectSimulationSettings) -> Void = { _ in }) {
    var settings = MobileConnectSimulationSettings(
      hosts: .init(exchange: "ex.example", operator: "op.example", enrichment: "he.example", app: "shop.example"))
    settings.applications = [Self.application("plain"), Self.application("other")]
    settings.applications += SimulatedMobileConnectApplication.Fault.allCases.map { fault in
      var application = Self.application(fault.rawValue)
      application.faults = [fault]
      return application
    }
    change(&settings)
    let subscribers = SimulatedSubscribers(
      [
        .init(number: Self.own, network: PLMN("26201")!), .init(number: Self.stranger, network: PLMN("26201")!),
        .init(number: Self.foreigner, network: PLMN("26202")!),
      ], numbers: [Self.bearer: Self.own], start: Timestamp(milliseconds: 0))
    let notes = notes
    var environment = ProviderEnvironment(
      subscribers: subscribers, now: { notes.now }, report: { notes.issued($0, $1) })
    environment.word = { notes.word($0) }
    service = MobileConnectService(settings, environment)
  }

  static func application(_ id: String) -> SimulatedMobileConnectApplication {
    SimulatedMobileConnectApplication(
      id: id, secret: "\(id)-secret", exchangeID: "\(id)-ex", exchangeSecret: "\(id)-ex-secret",
      redirectURIs: [callback])
  }

  // MARK: Requests

  static func basic(_ name: String, _ secret: String) -> [String: String] {
    ["authorization": "Basic " + Data("\(name):\(secret)".utf8).base64EncodedString()]
  }

  /// Sends a request; nil where nobody serves the host.
  func send(
    _ url: String, form: String? = nil, headers: [String: String] = [:], from source: IPAddress = bearer
  ) async -> SimulatedResponse? {
    let rest = url.drop { $0 != "/" }.dropFirst(2)
    let host = String(rest.prefix { $0 != "/" })
    let target = String(rest.dropFirst(host.count))
    let halves = target.split(separator: "?", maxSplits: 1)
    var headers = headers
    if form != nil { headers["content-type"] = headers["content-type"] ?? "application/x-www-form-urlencoded" }
    return await service.answer(
      SimulatedRequest(
        method: form == nil ? "GET" : "POST", isSecure: url.hasPrefix("https:"), host: host, path: String(halves[0]),
        query: Self.fields(halves.count > 1 ? halves[1] : ""), headers: headers, body: Array((form ?? "").utf8),
        source: source, target: target))
  }

  static func fields(_ text: some StringProtocol) -> [String: String] {
    var fields: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1)
      fields[String(halves[0])] = halves.count > 1 ? decoded(halves[1]) : ""
    }
    return fields
  }

  private static func decoded(_ text: some StringProtocol) -> String {
    let parts = text.split(separator: "%", omittingEmptySubsequences: false)
    let tail = parts.dropFirst().map { part in
      String(UnicodeScalar(UInt8(part.prefix(2), radix: 16)!)) + part.dropFirst(2)
    }
    return parts[0] + tail.joined()
  }

  // MARK: Discovery

  /// Asks the exchange as an application.
  func discover(
    _ query: String, form: String? = nil, as application: String = "plain", headers: [String: String] = [:],
    from source: IPAddress = elsewhere
  ) async -> SimulatedResponse {
    let all = Self.basic("\(application)-ex", "\(application)-ex-secret").merging(["accept": "application/json"]) { $1 }
      .merging(headers) { $1 }
    return await send(
      "https://ex.example/v2/discovery\(query.isEmpty ? "" : "?" + query)", form: form, headers: all, from: source)!
  }

  // MARK: Authorization

  /// A request's parameters as they should be, with another nonce each time.
  func query(_ application: String = "plain", _ others: String = "") -> String {
    "client_id=\(application)&redirect_uri=\(Self.callback)&response_type=code&scope=openid%20mc_authn&state=st"
      + "&nonce=n\(notes.next())&version=mc_di_r2_v2.3&acr_values=2\(others.isEmpty ? "" : "&" + others)"
  }

  /// Where a chain ends, and how it came there.
  struct End {
    /// Of the redirect URI; empty for a chain that ended elsewhere.
    var fields: [String: String] = [:]
    /// The last answer.
    var response: SimulatedResponse?
    /// As in `https op.example /authorize`.
    var hops: [String] = []
    var location = ""
  }

  /// Walks a chain as a browser does, with its cookies.
  func walk(_ url: String, from source: IPAddress = bearer, limit: Int = 24) async -> End {
    var end = End(location: url)
    var cookies: [String: [String: String]] = [:]
    while end.hops.count < limit, end.location.hasPrefix("http") {
      let host = String(end.location.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" })
      end.hops.append("\(end.location.prefix { $0 != ":" }) \(host)")
      let isSecure = end.location.hasPrefix("https:")
      let sent = isSecure ? (cookies[host] ?? [:]).map { "\($0.key)=\($0.value)" }.joined(separator: "; ") : ""
      let response = await send(end.location, headers: sent.isEmpty ? [:] : ["cookie": sent], from: source)
      end.response = response
      for header in response?.headers ?? [] where header.name == "Set-Cookie" {
        let pair = header.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
        cookies[host, default: [:]][String(pair[0])] = String(pair[1])
      }
      guard let location = response?.headers.first(where: { $0.name == "Location" })?.value else { return end }
      end.location = location
    }
    if end.location.hasPrefix("http") { return end }
    end.fields = Self.fields(end.location.drop { $0 != "?" }.dropFirst())
    return end
  }

  func authorize(
    _ application: String = "plain", _ others: String = "", from source: IPAddress = bearer
  ) async -> End {
    await walk("https://op.example/authorize?\(query(application, others))", from: source)
  }

  // MARK: Tokens

  func token(
    _ form: String, as application: String = "plain", at path: String = "token", headers: [String: String] = [:]
  ) async -> (status: Int, body: JSONValue) {
    let all = Self.basic(application, "\(application)-secret").merging(headers) { $1 }
    let response = await send("https://op.example/\(path)", form: form, headers: all, from: Self.elsewhere)!
    return (response.status, JSONValue(parsing: Array(response.body.utf8)) ?? .null)
  }

  /// Tokens of a new authorization.
  func signIn(_ application: String = "plain", _ others: String = "") async -> JSONValue {
    let end = await authorize(application, others)
    let form = "grant_type=authorization_code&code=\(end.fields["code"] ?? "")&redirect_uri=\(Self.callback)"
    return await token(form, as: application).body
  }
}

extension SimulatedResponse {
  var json: JSONValue { JSONValue(parsing: Array(body.utf8)) ?? .null }
  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
