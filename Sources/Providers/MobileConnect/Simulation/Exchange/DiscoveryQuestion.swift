import ModemModel
import NetworkAddress
import OperatorSimulator

/// A discovery request that is as it must be: what it says of the device, and how it wants its answer.
struct DiscoveryQuestion: Sendable {
  var redirectURL: String
  /// Digits without `+`.
  var msisdn: String?
  /// The operator that the user or the app chose.
  var selected: PLMN?
  /// The network that the device is on.
  var identified: PLMN?
  /// The device's address, as a server says it.
  var sourceAddress: IPAddress?
  /// Whether it asks for the page, whatever else it says.
  var wantsPage = false
  var ignoresCookies = false
  /// Whether an operator that is not supported is an error and not a page (`X-Redirect: APP`).
  var refusesPage: Bool
  /// Whether it wants a redirect to the page and not a link (`Accept: text/html`).
  var isBrowser: Bool
  var correlationID: String?

  private static let known: Set<String> = [
    "Redirect_URL", "MSISDN", "Identified-MCC", "Identified-MNC", "Selected-MCC", "Selected-MNC", "Local-Client-IP",
    "Using-Mobile-Data", "Manually-Select", "correlation_id", "Ignore-Cookies",
  ]

  init(_ request: SimulatedRequest, _ application: SimulatedMobileConnectApplication) throws(MobileConnectRefusal) {
    let parameters = try Self.parameters(of: request)
    try parameters.check(known: Self.known)
    redirectURL = try parameters.required("Redirect_URL")
    guard application.redirectURIs.contains(redirectURL) else { throw .invalid("Redirect_URL is not registered") }
    msisdn = parameters["MSISDN"]
    if let msisdn, !msisdn.isDigits { throw .invalid("MSISDN is not of digits alone") }
    // A number in a query would stand in every log on the way.
    if (msisdn != nil) != (request.method == "POST") { throw .invalid("MSISDN is sent by POST, and nothing else is") }
    selected = try Self.network("Selected", parameters)
    identified = try Self.network("Identified", parameters)
    sourceAddress = try Self.address(request.headers["x-source-ip"], "X-Source-IP")
    _ = try Self.address(parameters["Local-Client-IP"], "Local-Client-IP")
    _ = try Self.flag("Using-Mobile-Data", parameters)
    wantsPage = try Self.flag("Manually-Select", parameters)
    ignoresCookies = try Self.flag("Ignore-Cookies", parameters)
    refusesPage = request.headers["x-redirect"] == "APP"
    let accepted = request.headers["accept"] ?? ""
    isBrowser = accepted.contains("text/html")
    guard isBrowser || accepted.contains("application/json") else {
      throw .init("invalid_request", "Accept names neither application/json nor text/html", status: 406)
    }
    correlationID = try parameters.correlationID()
  }

  private static func parameters(of request: SimulatedRequest) throws(MobileConnectRefusal) -> MobileConnectParameters {
    guard request.method == "POST" else { return MobileConnectParameters(request.queryPairs) }
    guard request.queryPairs.isEmpty, let form = request.formPairs else {
      throw .init("invalid_request", "the body is no form", status: 415)
    }
    return MobileConnectParameters(form)
  }

  private static func network(
    _ prefix: String, _ parameters: MobileConnectParameters
  ) throws(MobileConnectRefusal) -> PLMN? {
    switch (parameters["\(prefix)-MCC"], parameters["\(prefix)-MNC"]) {
    case (nil, nil): return nil
    case (let mcc?, let mnc?):
      guard let network = PLMN(mcc: mcc, mnc: mnc) else { throw .invalid("\(prefix)-MCC and -MNC are no network") }
      return network
    default: throw .invalid("\(prefix)-MCC and \(prefix)-MNC go together")
    }
  }

  private static func address(_ text: String?, _ name: String) throws(MobileConnectRefusal) -> IPAddress? {
    guard let text else { return nil }
    guard let address = IPAddress(text) else { throw .invalid("\(name) is no address") }
    return address
  }

  private static func flag(_ name: String, _ parameters: MobileConnectParameters) throws(MobileConnectRefusal) -> Bool {
    switch parameters[name]?.lowercased() {
    case nil, "0", "false": return false
    case "1", "true": return true
    default: throw .invalid("\(name) is neither true nor false")
    }
  }
}
