import JSONTree
import ModemModel
import NetworkAddress
import OperatorSimulator
import IPificationSimulation
import Synchronization
import Testing

/// The simulated IPification by itself: what it must refuse, and what it must do once.
@Suite struct IPificationServiceTests {
  static let bearer = IPAddress("10.64.0.2")!
  static let uri = "app://cb"
  static let realm = "/auth/realms/ipification"

  /// The service, with a clock that stands still unless it is told to go on.
  struct Stage {
    let service: IPificationService
    let clock: Clock

    init(_ change: (inout SimulatedIPificationClient) -> Void = { _ in }) {
      var client = SimulatedIPificationClient(id: "c", secret: "s", redirectURI: uri)
      change(&client)
      let subscribers = SimulatedSubscribers(
        [.init(number: "+4915112345678", network: PLMN("26201")!), .init(number: "+4915199", network: PLMN("26202")!)],
        numbers: [bearer: "+4915112345678"], start: Timestamp(milliseconds: 0))
      let clock = Clock()
      self.clock = clock
      service = IPificationService(
        hosts: .init(api: "api.example", operator: "op.example", backend: "app.example"), clients: [client],
        networks: ["26201"], ProviderEnvironment(subscribers: subscribers, now: { clock.now }))
    }
  }

  final class Clock: Sendable {
    private let time = Mutex(Int64(1_790_000_000_000))
    var now: Timestamp { Timestamp(milliseconds: time.withLock { $0 }) }
    func goOn(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
  }

  static func get(_ url: String, cookie: String = "", from source: IPAddress = bearer) -> SimulatedRequest {
    let isSecure = url.hasPrefix("https:")
    let rest = url.drop { $0 != "/" }.dropFirst(2)
    let host = rest.prefix { $0 != "/" }
    let target = rest.dropFirst(host.count).split(separator: "?", maxSplits: 1)
    var query: [String: String] = [:]
    for pair in (target.count > 1 ? target[1] : "").split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1)
      query[String(halves[0])] = halves.count > 1 ? String(halves[1]) : ""
    }
    return SimulatedRequest(
      isSecure: isSecure, host: String(host), path: String(target[0]), query: query,
      headers: cookie.isEmpty ? [:] : ["cookie": cookie], source: source)
  }

  static func post(_ path: String, _ form: String) -> SimulatedRequest {
    SimulatedRequest(
      method: "POST", isSecure: true, host: "api.example", path: realm + "/protocol/openid-connect/" + path,
      headers: ["content-type": "application/x-www-form-urlencoded"], body: Array(form.utf8), source: bearer)
  }

  /// Walks to the redirect URI, and gives it.
  static func walk(_ service: IPificationService, _ query: String, from source: IPAddress = bearer) async -> String? {
    var url = "https://api.example\(realm)/protocol/openid-connect/auth?\(query)"
    for _ in 0..<5 {
      guard let answer = await service.answer(get(url, from: source)),
        let location = answer.headers.first(where: { $0.name == "Location" })?.value
      else { return nil }
      guard location.hasPrefix("http") else { return location }
      url = location
    }
    return nil
  }

  static let query =
    "client_id=c&redirect_uri=\(uri)&response_type=code&scope=openid ip:phone_verify&login_hint=4915112345678&state=x"

  @Test func `a code is good once, for its client and its redirect URI, and not for long`() async throws {
    for (form, wait, error) in [
      ("client_id=c&client_secret=s&redirect_uri=app://cb", Int64(0), nil),
      ("client_id=c&client_secret=t&redirect_uri=app://cb", 0, "invalid_client"),
      ("client_id=c&client_secret=s&redirect_uri=app://cc", 0, "invalid_grant"),
      ("client_id=c&client_secret=s&redirect_uri=app://cb", 61_000, "invalid_grant"),
    ] as [(String, Int64, String?)] {
      let stage = Stage()
      let service = stage.service
      let end = try #require(await Self.walk(service, Self.query))
      let code = try #require(end.split(separator: "=").dropFirst().first?.prefix(32))
      #expect(end.hasSuffix("&state=x"))
      stage.clock.goOn(wait)
      let request = Self.post("token", "grant_type=authorization_code&code=\(code)&\(form)")
      let first = JSONValue(parsing: Array(try #require(await service.answer(request)).body.utf8))
      #expect(first?["error"]?.string == error)
      #expect((first?["access_token"] != nil) == (error == nil))
      guard error == nil, let token = first?["access_token"]?.string else { continue }
      let again = JSONValue(parsing: Array(try #require(await service.answer(request)).body.utf8))
      #expect(again?["error"]?.string == "invalid_grant")
      let userinfo = try #require(await service.answer(Self.post("userinfo", "access_token=\(token)")))
      #expect(JSONValue(parsing: Array(userinfo.body.utf8))?["phone_number_verified"]?.string == "true")
      #expect(await service.answer(Self.post("userinfo", "access_token=x"))?.status == 401)
    }
  }

  @Test(arguments: [
    ("response_type", "token", "unsupported_response_type"), ("scope", "ip:phone", "invalid_scope"),
    ("login_hint", "x", "invalid_request"), ("request", "a.b.c", "invalid_request_object"),
  ])
  func `a request that is not as it must be is refused at the redirect URI`(
    name: String, value: String, error: String
  ) async throws {
    let others = Self.query.split(separator: "&").filter { !$0.hasPrefix(name + "=") }
    let query = others.joined(separator: "&") + "&\(name)=\(value)"
    let end = try #require(await Self.walk(Stage().service, query))
    #expect(end.hasPrefix("app://cb?error=\(error)&"), "\(end)")
  }

  @Test func `an address that is no bearer is nobody's, and a request without its cookie is refused`() async throws {
    let stranger = IPAddress("192.0.2.9")!
    let end = try #require(await Self.walk(Stage().service, Self.query, from: stranger))
    #expect(end.hasPrefix("app://cb?error=access_denied"))
    let refused = try #require(await Self.walk(Stage { $0.needsCookie = true }.service, Self.query))
    #expect(refused.hasPrefix("app://cb?error=invalid_request"))
  }

  @Test(arguments: [
    ("/coverage?client_id=c", "10.64.0.2", #"{"available":true,"operator_code":"26201"}"#),
    ("/coverage?client_id=c&phone=4915112345678", "10.64.0.2", #"{"available":true,"operator_code":"26201"}"#),
    ("/coverage?client_id=c&phone=4915199", "10.64.0.2", #"{"available":false}"#),
    ("/coverage?client_id=c", "192.0.2.9", #"{"available":false}"#),
    ("/coverage/10.64.0.2?client_id=c", "192.0.2.9", #"{"available":true,"operator_code":"26201"}"#),
    ("/coverage/1.2.3.4?client_id=c", "192.0.2.9", #"{"available":true,"operator_code":"00101"}"#),
    ("/coverage?client_id=x", "10.64.0.2", #"{"errorMessage":"invalid_client"}"#),
  ])
  func `coverage is told of the address, and of the number's operator`(
    path: String, source: String, body: String
  ) async throws {
    let request = Self.get("https://api.example\(Self.realm)\(path)", from: IPAddress(source)!)
    #expect(await Stage().service.answer(request)?.body == body)
  }
}
