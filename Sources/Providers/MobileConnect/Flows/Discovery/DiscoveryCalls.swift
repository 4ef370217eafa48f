import AuthCore
import ModemModel
import NetworkAddress
import RedirectChain
import Web

/// The requests to a discovery service (GSMA Discovery API, `/v2/discovery`).
struct DiscoveryCalls: Hashable, Sendable {
  /// A request on its way.
  enum Call: Hashable, Sendable {
    case bearer(BearerCall)
    case backend(BackendCall)
  }

  let discovery: MobileConnectDiscovery
  let question: DiscoveryQuestion
  let route: BackendRoute
  var cookies: DiscoveryCookies

  /// The ways that are possible with the known data, in order.
  var ways: [MobileConnectDiscovery.Way] {
    if question.selection != nil { return [.network] }
    return (question.way.map { [$0] } ?? discovery.ways).filter { way in
      switch way {
      case .network: question.network != nil
      case .number: question.number != nil
      case .address: discovery.addressForm == .bearer || source != nil
      case .page: true
      }
    }
  }

  /// The request of a way.
  func call(_ way: MobileConnectDiscovery.Way) -> Call {
    switch way {
    case .network: .backend(get("discoverByNetwork", withNetwork))
    case .number: .backend(post)
    case .page:
      .backend(
        get("askForPage", withPage, accept: discovery.asksForHTML ? "text/html" : "application/json", page: true))
    case .address:
      discovery.addressForm == .bearer ? .bearer(overBearer) : .backend(get("discoverByAddress", common))
    }
  }

  // MARK: Parameters

  private var common: FormFields {
    var fields = FormFields(["Redirect_URL": discovery.redirectURL])
    switch discovery.usingMobileData {
    case .number: fields.add("Using-Mobile-Data", "1")
    case .word: fields.add("Using-Mobile-Data", "true")
    case .none: break
    }
    if discovery.sendsLocalAddress { fields.add("Local-Client-IP", question.address?.description) }
    if !discovery.keepsCookies { fields.add("Ignore-Cookies", "true") }
    fields.add("correlation_id", question.correlationID)
    return fields
  }

  private var withNetwork: FormFields {
    var fields = common
    let network = question.selection?.network ?? question.network
    // A person's choice counts as selected, whatever is configured.
    let isSelected = question.selection != nil || discovery.networkForm == .selected
    fields.add(isSelected ? "Selected-MCC" : "Identified-MCC", network?.mcc)
    fields.add(isSelected ? "Selected-MNC" : "Identified-MNC", network?.mnc)
    return fields
  }

  private var withPage: FormFields {
    var fields = common
    fields.add("Manually-Select", "true")
    return fields
  }

  // MARK: Headers

  /// The bearer's address if servers can see it, else the configured one.
  private var source: IPAddress? {
    question.address.flatMap { $0.isPublic ? $0 : nil } ?? discovery.sourceAddress
  }

  private func headers(accept: String = "application/json", page: Bool = false) -> [WebHeader] {
    var headers: [WebHeader] = [
      .basic(discovery.client.id, discovery.client.secret), .accept(accept),
    ]
    let add = { (name: String, value: String?) in
      if let value { headers.append(WebHeader(name: name, value: value)) }
    }
    add("X-Source-IP", discovery.addressForm == .header ? source?.description : nil)
    add("X-Redirect", discovery.suppressesPage && !page ? "APP" : nil)
    add("SDK-Version", discovery.libraryVersion)
    add("Client-Side-Version", discovery.clientVersion)
    add("Server-Side-Version", discovery.serverVersion)
    if discovery.keepsCookies, let cookie = cookies.header { headers.append(cookie) }
    return headers
  }

  // MARK: Calls

  private func get(
    _ step: String, _ query: FormFields, accept: String = "application/json", page: Bool = false
  ) -> BackendCall {
    BackendCall(
      step, .get, discovery.url.adding(query), headers: headers(accept: accept, page: page), route: route)
  }

  /// A number must not appear in a URL.
  private var post: BackendCall {
    var fields = common
    fields.add("MSISDN", question.number?.digits)
    return BackendCall("discoverByNumber", .post, discovery.url, headers: headers(), body: .form(fields), route: route)
  }

  /// The service uses the address of the request.
  private var overBearer: BearerCall {
    var call = BearerCall.api("discoverByAddress", discovery.url.adding(common), headers: headers())
    // A redirect to the service's page is an answer.
    call.request.policy.stopFields = ["location"]
    return call
  }
}
