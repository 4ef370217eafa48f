import AuthCore
import JSONTree
import RedirectChain
import Web
import AuthFlows

/// What a discovery service answered.
enum DiscoveryReply: Hashable, Sendable {
  case found(MobileConnectDiscovered)
  /// A person must select the operator there.
  case page(Secret)
  /// The service knows neither the operator nor the number; another way may succeed.
  case unknown(FlowOutcome)
  case failed(FlowOutcome)

  /// Words in `error`; all others are OpenID Connect's.
  private static let results: [String: FlowResult] = OpenIDProblem.results.merging([
    "Not_Found_Entity": .operatorUnsupported, "not_found_entity": .operatorUnsupported,
    "access_denied": .clientRefused,
  ]) { _, own in own }

  /// - Parameter origins: the allowed places of operators' endpoints.
  init(_ reply: BackendReply, correlationID: String, within origins: OperatorOrigins, host: String) {
    let json = reply.json
    if let other = json?["correlation_id"]?.string, other != correlationID {
      self = .failed(
        FlowOutcome(.stateMismatch, status: reply.status, "\(host) answered another request; begin anew"))
      return
    }
    switch reply.status {
    case 200...299 where json?["error"] != nil: self = .failed(Self.refusal(reply, json, host))
    case 202: self = Self.page(in: json, reply.status, host)
    case 200...299: self = Self.found(json, reply.status, correlationID, origins, host)
    case 301...303, 307, 308: self = Self.page(at: reply.header("location"), reply.status, host)
    case 404: self = .unknown(Self.unknown(json, host))
    default: self = .failed(Self.refusal(reply, json, host))
    }
  }

  private static func found(
    _ json: JSONValue?, _ status: Int, _ correlationID: String, _ origins: OperatorOrigins, _ host: String
  ) -> DiscoveryReply {
    guard let json, let response = json["response"],
      let found = MobileConnectOperator(response, within: origins)
    else {
      // Some services answer with the page and 200.
      if let page = json.flatMap(selection) { return .page(page) }
      return .failed(
        FlowOutcome(.badAnswer, status: status, "\(host) answered without an operator's links; ask the service"))
    }
    var discovered = MobileConnectDiscovered()
    discovered.found = found
    let word = { (name: String) in (json[name] ?? response[name])?.string.map { Secret($0) } }
    discovered.subscriberID = word("subscriber_id")
    discovered.subscriberIDToken = word("subscriber_id_token")
    discovered.found?.clientName = json["client_name"]?.string ?? found.clientName
    discovered.ttl = json["ttl"]?.integer
    discovered.isCorrelated = json["correlation_id"]?.string == correlationID
    return .found(discovered)
  }

  private static func selection(in json: JSONValue) -> Secret? {
    json["links"]?.items.first { $0["rel"]?.string == "operatorSelection" }?["href"]?.string.map { Secret($0) }
  }

  private static func page(in json: JSONValue?, _ status: Int, _ host: String) -> DiscoveryReply {
    page(at: json.flatMap(selection)?.revealed, status, host)
  }

  private static func page(at target: String?, _ status: Int, _ host: String) -> DiscoveryReply {
    // A browser shows it to a person, and this machine sends nothing to it. In cleartext, it could
    // be anybody's.
    guard let target, let url = try? AnsweredURL(ofAnybody: target).url else {
      return .failed(
        FlowOutcome(
          .badAnswer, status: status,
          "\(host) leads to a page for selecting the operator without its URL; ask the service"))
    }
    return .page(Secret(url.text))
  }

  /// The same word means an unknown number or an operator that is not served; the description
  /// distinguishes them.
  private static func unknown(_ json: JSONValue?, _ host: String) -> FlowOutcome {
    let text = (json?["description"] ?? json?["error_description"])?.string?.lowercased() ?? ""
    let isNumber = ["msisdn", "number", "subscriber"].contains { text.contains($0) }
    return isNumber
      ? FlowOutcome(
        .subscriberUnknown, code: json?["error"]?.string, status: 404,
        "\(host) knows no operator of the number; check it, or find the operator by its network's codes")
      : FlowOutcome(
        .operatorUnsupported, code: json?["error"]?.string, status: 404,
        "\(host) does not serve the operator; verify another way, or configure the operator's endpoints")
  }

  private static func refusal(_ reply: BackendReply, _ json: JSONValue?, _ host: String) -> FlowOutcome {
    let word = json?["error"]?.string
    // Only the client can be refused here.
    let status = reply.status == 401 ? 403 : reply.status
    var outcome = OpenIDProblem.outcome(word, results, status: status, retryAfter: reply.retryAfter, host: host)
    outcome.status = reply.status
    return outcome
  }
}
