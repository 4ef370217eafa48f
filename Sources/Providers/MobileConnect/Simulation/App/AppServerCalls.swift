import FoundationEssentials
import JSONTree
import NetworkAddress
import OperatorSimulator

/// The calls of the app's server to the exchange and the operator, as a client that is registered
/// there.
struct AppServerCalls {
  /// What is known of the device.
  struct Device {
    /// Digits.
    var msisdn: String?
    var identified: (mcc: String, mnc: String)?
    var selected: (mcc: String, mnc: String)?
    var address: String?
    /// Whether a person is to choose.
    var wantsPage = false
  }

  struct Endpoints: Hashable, Sendable {
    var authorization: String
    var token: String
    var userinfo: String
  }

  enum Finding {
    case `operator`(Endpoints, subscriberID: String?)
    /// Where a person chooses.
    case page(String)
  }

  let application: SimulatedMobileConnectApplication
  let redirectURL: String
  let environment: MobileConnectEnvironment
  let ask: AppServer.Ask

  /// Where the server's calls come from: no bearer.
  private static let address = IPAddress("203.0.113.171")!

  // MARK: Discovery

  /// Nil if the exchange finds nothing.
  func discover(_ device: Device) -> Finding? {
    var parameters: [(String, String?)] = [("Redirect_URL", redirectURL)]
    if let msisdn = device.msisdn {
      parameters.append(("MSISDN", msisdn))
    } else {
      parameters += [
        ("Identified-MCC", device.identified?.mcc), ("Identified-MNC", device.identified?.mnc),
        ("Selected-MCC", device.selected?.mcc), ("Selected-MNC", device.selected?.mnc),
        ("Manually-Select", device.wantsPage ? "true" : nil),
      ]
    }
    var headers = [
      "accept": "application/json", "authorization": basic(application.exchangeID, application.exchangeSecret),
    ]
    headers["x-source-ip"] = device.address
    let url = "https://\(environment.hosts.exchange)/v2/discovery"
    guard let response = call(device.msisdn == nil ? "GET" : "POST", url, parameters, headers) else { return nil }
    let body = JSONValue(parsing: Array(response.body.utf8))
    switch response.status {
    case 200: return body.flatMap(found)
    case 202:
      return body?["links"]?.items.first { $0["rel"]?.string == "operatorSelection" }?["href"]?.string.map { .page($0) }
    default: return nil
    }
  }

  private func found(_ body: JSONValue) -> Finding? {
    var links: [String: String] = [:]
    for link in body["response"]?["apis"]?["operatorid"]?["link"]?.items ?? [] {
      if let rel = link["rel"]?.string { links[rel] = link["href"]?.string }
    }
    // The operator's own metadata takes precedence over the exchange's links.
    let metadata = links["openid-configuration"].flatMap { call("GET", $0) }
      .flatMap { $0.status == 200 ? JSONValue(parsing: Array($0.body.utf8)) : nil }
    let place = { (rel: String, name: String) in metadata?[name]?.string ?? links[rel] }
    guard let authorization = place("authorization", "authorization_endpoint"),
      let token = place("token", "token_endpoint"), let userinfo = place("userinfo", "userinfo_endpoint")
    else { return nil }
    return .operator(
      Endpoints(authorization: authorization, token: token, userinfo: userinfo),
      subscriberID: body["subscriber_id"]?.string)
  }

  /// A login hint of what is known of the device.
  func hint(of device: Device) -> String? { device.msisdn.map { "MSISDN:\($0)" } }

  // MARK: Tokens

  /// Exchanges a code, and checks the tokens and whom they are about.
  func signIn(_ code: String, _ endpoints: Endpoints, nonce: String) -> Bool {
    let response = call(
      "POST", endpoints.token,
      [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURL)],
      ["authorization": basic(application.id, application.secret)])
    guard let response, response.status == 200, let body = JSONValue(parsing: Array(response.body.utf8)),
      let access = body["access_token"]?.string, let token = body["id_token"]?.string,
      let keys = call("GET", "https://\(environment.hosts.operator)/jwks").flatMap({
        JSONValue(parsing: Array($0.body.utf8))
      }),
      let claims = SimulatedSigningKey.claims(of: token, signedBy: keys),
      claims["iss"]?.string == "https://\(environment.hosts.operator)", claims["aud"]?.string == application.id,
      claims["nonce"]?.string == nonce, let end = claims["exp"]?.integer, end > environment.seconds
    else { return false }
    let userinfo = call("GET", endpoints.userinfo, [], ["authorization": "Bearer \(access)"])
      .flatMap { $0.status == 200 ? JSONValue(parsing: Array($0.body.utf8)) : nil }
    return userinfo?["sub"] == claims["sub"]
  }

  // MARK: Requests

  private func basic(_ name: String, _ secret: String) -> String {
    "Basic " + Data("\(name):\(secret)".utf8).base64EncodedString()
  }

  private func call(
    _ method: String, _ url: String, _ parameters: [(String, String?)] = [], _ headers: [String: String] = [:]
  ) -> SimulatedResponse? {
    let text = String(MobileConnectEnvironment.url("", parameters).dropFirst())
    let rest = url.drop { $0 != "/" }.dropFirst(2)
    let host = String(rest.prefix { $0 != "/" })
    let path = String(rest.dropFirst(host.count))
    guard method == "POST" else {
      return ask(
        SimulatedRequest(
          isSecure: true, host: host, path: path, query: FormFields.parse(text), headers: headers,
          source: Self.address, target: text.isEmpty ? path : "\(path)?\(text)"))
    }
    let form = headers.merging(["content-type": "application/x-www-form-urlencoded"]) { $1 }
    return ask(
      SimulatedRequest(
        method: method, isSecure: true, host: host, path: path, headers: form, body: Array(text.utf8),
        source: Self.address))
  }
}
