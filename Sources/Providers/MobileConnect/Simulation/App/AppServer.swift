import JSONTree
import NetworkAddress
import OperatorSimulator
import Synchronization

/// An app's own server behind a Mobile Connect button. It asks the exchange and the operator
/// itself, redirects the device, and shows the result on a page.
///
/// | path below `/mobile-connect/server_side_api/` | answer |
/// | --- | --- |
/// | `start_discovery` with `msisdn`, `mcc` and `mnc`, `sourceIp` or `subscriberId` | 302 to the operator, or to the page of operators |
/// | `start_discovery_manually` with `msisdn` | 302 to the operator that it knows without discovery |
/// | `discovery_callback` with `mcc_mnc` and `subscriber_id` | what was chosen on the page; 302 to the operator |
/// | `discovery_callback` with `code`, or `error` | the result's page |
final class AppServer: Sendable {
  /// Asks another host of the simulation; nil if nothing serves it.
  typealias Ask = (SimulatedRequest) -> SimulatedResponse?

  /// A sign-in that waits for its callback.
  private struct Session {
    var nonce: String
    var cookie: String
    var endpoints: AppServerCalls.Endpoints
  }

  private let settings: MobileConnectSimulationSettings.AppServer
  private let application: SimulatedMobileConnectApplication
  private let environment: MobileConnectEnvironment
  private let sessions = Mutex<[String: Session]>([:])

  private static let root = "/mobile-connect/server_side_api/"
  static let callback = root + "discovery_callback"

  init(
    _ settings: MobileConnectSimulationSettings.AppServer, of application: SimulatedMobileConnectApplication,
    environment: MobileConnectEnvironment
  ) {
    self.settings = settings
    self.application = application
    self.environment = environment
  }

  func answer(_ request: SimulatedRequest, _ ask: @escaping Ask) -> SimulatedResponse? {
    guard request.method == "GET", request.path.hasPrefix(Self.root) else { return nil }
    let calls = AppServerCalls(application: application, redirectURL: redirectURL, environment: environment, ask: ask)
    let parameters = MobileConnectParameters(request.queryPairs)
    do throws(MobileConnectRefusal) {
      switch request.path.dropFirst(Self.root.count) {
      case "start_discovery": return try start(parameters, request, calls)
      case "start_discovery_manually": return try startManually(parameters, calls)
      case "discovery_callback": return try comeBack(parameters, request, calls)
      default: return nil
      }
    } catch {
      return Self.failure(error, status: error.status)
    }
  }

  private var redirectURL: String { "https://\(environment.hosts.app)\(Self.callback)" }

  // MARK: The beginning

  private func start(
    _ parameters: MobileConnectParameters, _ request: SimulatedRequest, _ calls: AppServerCalls
  ) throws(MobileConnectRefusal) -> SimulatedResponse {
    try parameters.check(known: ["msisdn", "mcc", "mnc", "sourceIp", "ignoreIp", "subscriberId"])
    if let msisdn = parameters["msisdn"], !msisdn.isDigits { throw .invalid("msisdn is not of digits alone") }
    guard (parameters["mcc"] == nil) == (parameters["mnc"] == nil) else { throw .invalid("mcc and mnc go together") }
    var device = AppServerCalls.Device()
    device.msisdn = parameters["msisdn"]
    device.identified = parameters["mcc"].flatMap { mcc in parameters["mnc"].map { (mcc, $0) } }
    device.address = try address(parameters, request)
    // The data about the device may be useless: then a person chooses.
    let finding = calls.discover(device) ?? calls.discover(AppServerCalls.Device(wantsPage: true))
    return send(finding, hint: parameters["subscriberId"].map { "ENCR_MSISDN:\($0)" } ?? calls.hint(of: device), calls)
  }

  /// The device's address: from the app, or the source of its request.
  private func address(
    _ parameters: MobileConnectParameters, _ request: SimulatedRequest
  ) throws(MobileConnectRefusal) -> String? {
    if let text = parameters["sourceIp"] {
      guard IPAddress(text) != nil else { throw .invalid("sourceIp is no address") }
      return text
    }
    return settings.passesAddress && parameters["ignoreIp"] != "true" ? request.source.description : nil
  }

  private func startManually(
    _ parameters: MobileConnectParameters, _ calls: AppServerCalls
  ) throws(MobileConnectRefusal) -> SimulatedResponse {
    try parameters.check(known: ["msisdn"])
    let msisdn = try parameters.required("msisdn")
    guard msisdn.isDigits else { throw .invalid("msisdn is not of digits alone") }
    let root = "https://\(environment.hosts.operator)"
    let endpoints = AppServerCalls.Endpoints(
      authorization: root + "/authorize", token: root + "/token", userinfo: root + "/userinfo")
    return authorize(endpoints, hint: "MSISDN:\(msisdn)")
  }

  private func send(
    _ finding: AppServerCalls.Finding?, hint: String?, _ calls: AppServerCalls
  ) -> SimulatedResponse {
    switch finding {
    case .page(let url)?: return .redirect(to: url)
    case .operator(let endpoints, let subscriberID)?:
      return authorize(endpoints, hint: subscriberID.map { "ENCR_MSISDN:\($0)" } ?? hint)
    case nil: return Self.failure(.init("server_error", "no operator was found"), status: 502)
    }
  }

  private func authorize(_ endpoints: AppServerCalls.Endpoints, hint: String?) -> SimulatedResponse {
    let state = environment.provider.makeToken("state")
    let session = Session(
      nonce: environment.provider.makeToken("nonce"), cookie: environment.provider.makeToken("cookie"),
      endpoints: endpoints)
    sessions.withLock { $0[state] = session }
    return .redirect(
      to: MobileConnectEnvironment.url(
        endpoints.authorization,
        [
          ("client_id", application.id), ("redirect_uri", redirectURL), ("response_type", "code"),
          ("scope", settings.scope), ("version", settings.version), ("acr_values", "2"), ("state", state),
          ("nonce", session.nonce), ("login_hint", hint),
        ]), cookies: ["shop=\(session.cookie); Secure; HttpOnly; Path=/mobile-connect"])
  }

  // MARK: The end

  private func comeBack(
    _ parameters: MobileConnectParameters, _ request: SimulatedRequest, _ calls: AppServerCalls
  ) throws(MobileConnectRefusal) -> SimulatedResponse {
    if let mark = parameters["mcc_mnc"] {
      let halves = mark.split(separator: "_").map(String.init)
      guard halves.count == 2 else { throw .invalid("mcc_mnc is no network") }
      let finding = calls.discover(AppServerCalls.Device(selected: (halves[0], halves[1])))
      return send(finding, hint: parameters["subscriber_id"].map { "ENCR_MSISDN:\($0)" }, calls)
    }
    guard let session = parameters["state"].flatMap({ state in sessions.withLock { $0.removeValue(forKey: state) } })
    else { throw .invalid("state is not known") }
    guard !settings.needsCookie || request.cookies["shop"] == session.cookie else {
      throw .invalid("another browser began")
    }
    if let error = parameters["error"] {
      // As on the demonstration servers: the page looks like any other, and only the URL shows the
      // result.
      return Self.failure(.init(error, parameters["error_description"] ?? ""), status: 200)
    }
    let code = try parameters.required("code")
    guard calls.signIn(code, session.endpoints, nonce: session.nonce) else {
      throw .init("server_error", "the operator's tokens are not good", status: 502)
    }
    return MobileConnectEnvironment.page("Signed in", "<p>Welcome.</p>")
  }

  private static func failure(_ refusal: MobileConnectRefusal, status: Int) -> SimulatedResponse {
    MobileConnectEnvironment.page("Not signed in", "<p>\(refusal.code)</p>", status: status)
  }
}
