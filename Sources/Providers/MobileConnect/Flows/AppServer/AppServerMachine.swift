import AuthCore
import JSONTree
import ModemModel
import NetworkAddress
import RedirectChain
import Web
import AuthFlows

/// The button of the client-side libraries. The device's data is sent to an app's server, and the
/// redirects that it returns are followed over the bearer to their end. The server gets the code,
/// and signs its user in.
struct AppServerMachine: FlowMachine {
  /// The state at its end.
  struct End: Hashable, Sendable {
    /// The page where a person must answer.
    var page: Secret?
    /// The server's own answer at the end of a sign-in, if it is a JSON object.
    var answer: JSONValue?
  }

  /// The data sent about the device.
  struct Device: Hashable, Sendable {
    var number: SubscriberNumber?
    var network: PLMN?
    /// The bearer's own.
    var address: IPAddress?
    /// The number, encrypted by the discovery service.
    var subscriberID: Secret?
  }

  static var usesBearer: Bool { true }

  private let call: BearerCall

  init(_ device: Device, _ server: MobileConnectAppServer, _ settings: MobileConnectSettings) {
    let path = server.isManual ? "/start_discovery_manually" : "/start_discovery"
    let version = WebHeader(name: "Client-Side-Version", value: server.clientVersion)
    call = BearerCall(
      "performRedirects",
      ChainRequest(
        url: server.root.appending(path, Self.query(device, server)), headers: [version], policy: settings.chainPolicy))
  }

  /// The number if it is known, else the network. Without either, the server shows its page for
  /// selecting the operator.
  private static func query(_ device: Device, _ server: MobileConnectAppServer) -> FormFields {
    var query = FormFields()
    let number = server.sendsNumber ? device.number : nil
    query.add("msisdn", number?.digits)
    // Without discovery, the network is not needed.
    guard !server.isManual else { return query }
    if number == nil {
      query.add("mcc", device.network?.mcc)
      query.add("mnc", device.network?.mnc)
    }
    query.add("subscriberId", device.subscriberID?.revealed)
    // A private address is useless to a server.
    let seen = server.sourceAddress ?? device.address.flatMap { $0.isPublic ? $0 : nil }
    if server.sendsAddress { query.add("sourceIp", seen?.description) }
    return query
  }

  mutating func start(at now: Timestamp) -> FlowAction<End> { .open(call) }

  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<End> {
    guard case .opened(let reply) = event else { return .unexpected(event) }
    let visited = AppServerRedirects(reply.visited, server: call.request.url)
    switch reply.result {
    case .answer(let answer): return finish(answer, visited)
    case .failed(let failure):
      if let refusal = visited.refusal { return .finish(refusal, End()) }
      return failure.cause == .interactionRequired ? page(visited) : .finish(FlowOutcome(failure), End())
    case .redirectReached: return .unexpected(event)
    }
  }

  /// The last page is for people, so its URL and status show the result. Its origin shows whose it
  /// is: a page in cleartext, on another port or on another host is not the server's.
  private func finish(_ answer: ChainAnswer, _ visited: AppServerRedirects) -> FlowAction<End> {
    if let refusal = visited.refusal { return .finish(refusal, End()) }
    let own = answer.verified(from: TrustedOrigins(call.request.url))
    let json = own?.json ?? JSONValue(parsing: answer.hearsay.body)
    if let word = json?["error"]?.string {
      let told = MobileConnectProblem.special(word, (json?["error_description"] ?? json?["description"])?.string)
      return .finish(
        (own == nil ? told?.unlessVerdict : told)
          ?? OpenIDProblem.outcome(word, MobileConnectProblem.results, status: answer.status, host: visited.host), End()
      )
    }
    guard (200...299).contains(answer.status) else {
      return .finish(
        OpenIDProblem.outcome(nil, [:], status: answer.status, host: visited.end?.host ?? visited.host), End())
    }
    guard own != nil, visited.isSignedIn else { return page(visited) }
    return .finish(
      FlowOutcome(
        .signedIn, status: answer.status, "\(visited.host) got its code, and says no error: the user is signed in there"
      ),
      End(answer: json?.ifObject))
  }

  private func page(_ visited: AppServerRedirects) -> FlowAction<End> {
    let host = visited.end?.host ?? visited.host
    let text =
      visited.waitsForMessage
      ? "\(host) waits for an answer to a message at the handset; answer it, and sign in anew or open the page"
      : "\(host) shows a page to a person; open it on a device with a browser, or let the number or network be sent"
    return .finish(
      FlowOutcome(.interactionRequired, cause: .interactionRequired, text),
      End(page: visited.end.map { Secret($0.text) })
    )
  }
}
