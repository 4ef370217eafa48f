import JSONTree
import ModemModel
import OperatorSimulator

/// The exchange: finds a device's operator, and an application's identity there.
struct DiscoveryExchange: Sendable {
  let environment: MobileConnectEnvironment

  /// What was found of a device.
  private enum Finding {
    case customer(SimulatedSubscribers.Subscriber)
    /// The network alone.
    case network(PLMN)
    case unknownNumber
    case unsupported
    /// The request contains nothing about the device.
    case nothing
  }

  func discover(_ request: SimulatedRequest) -> SimulatedResponse {
    if environment.provider.word("mobileConnect.exchange") == "unavailable" {
      return MobileConnectRefusal("server_error", "as the scenario says", status: 503).response()
    }
    let credentials = request.basicCredentials
    guard
      let application = environment.settings.applications.first(where: {
        credentials == .init(name: $0.exchangeID, secret: $0.exchangeSecret)
      })
    else { return MobileConnectRefusal.unknownClient.response() }
    do throws(MobileConnectRefusal) {
      return answer(try DiscoveryQuestion(request, application), of: application, from: request)
    } catch {
      return error.response()
    }
  }

  private func answer(
    _ question: DiscoveryQuestion, of application: SimulatedMobileConnectApplication, from request: SimulatedRequest
  ) -> SimulatedResponse {
    switch question.wantsPage ? .nothing : find(question, from: request) {
    case .customer(let customer): return found(customer.network, customer.number, question, application)
    case .network(let network): return found(network, nil, question, application)
    case .unknownNumber: return notFound("the MSISDN is not known", question, application)
    case .unsupported:
      return question.refusesPage
        ? notFound("the operator is not supported", question, application) : page(question, application)
    case .nothing: return page(question, application)
    }
  }

  private func find(_ question: DiscoveryQuestion, from request: SimulatedRequest) -> Finding {
    if let msisdn = question.msisdn {
      guard let subscriber = environment.provider.subscribers.subscriber(msisdn) else { return .unknownNumber }
      return environment.customer(subscriber.number).map { .customer($0) } ?? .unsupported
    }
    if let network = question.selected ?? question.identified {
      return environment.settings.networks.contains(network.description) ? .network(network) : .unsupported
    }
    let address = question.sourceAddress ?? request.source
    guard let subscriber = environment.provider.subscribers.subscriber(at: address) else {
      return question.ignoresCookies ? .nothing : remembered(request.cookies["Most-Recent-Selected-Operator"])
    }
    return environment.customer(subscriber.number).map { .customer($0) } ?? .unsupported
  }

  /// The operator that a cookie of an earlier answer names.
  private func remembered(_ mark: String?) -> Finding {
    environment.network(mark: mark).map { .network($0) } ?? .nothing
  }

  // MARK: Answers

  private func found(
    _ network: PLMN, _ number: String?, _ question: DiscoveryQuestion, _ application: SimulatedMobileConnectApplication
  ) -> SimulatedResponse {
    let subscriber = number.flatMap { environment.subscriberID($0) }.map { JSONValue.string($0) }
    var response: [String: JSONValue] = [
      "serving_operator": .string("Example Mobile"), "country": .string("Germany"), "currency": .string("EUR"),
      "client_id": .string(application.id), "client_secret": .string(application.secret),
      "client_name": .string(application.name),
      "apis": .object(["operatorid": .object(["link": .array(links(application))])]),
    ]
    response["subscriber_id"] = subscriber
    var members: [String: JSONValue] = [
      "ttl": .int(Int(environment.provider.now().milliseconds) + environment.settings.life * 1000),
      "response": .object(response),
    ]
    members["subscriber_id"] = subscriber
    members["subscriber_id_token"] = number.map { number in
      let token = environment.provider.makeToken("subscriber id token")
      environment.store.keep(number: number, hintToken: token)
      return .string(token)
    }
    var answer = answer(members, 200, question, application)
    let end = environment.seconds + 30 * 86_400
    for (name, value) in [
      ("Most-Recent-Selected-Operator", network.mark), ("Most-Recent-Selected-Operator-Expiry", "\(end)"),
      ("Enum-Nonce", environment.provider.makeToken("cookie")),
    ] {
      answer.headers.append(.init(name: "Set-Cookie", value: "\(name)=\(value); Secure; HttpOnly; Path=/"))
    }
    return answer
  }

  private func links(_ application: SimulatedMobileConnectApplication) -> [JSONValue] {
    let root = "https://\(environment.hosts.operator)"
    let links = application.has(.oldLinks) ? root + "/old" : root
    var all = [
      ("authorization", "\(links)/authorize"), ("token", "\(links)/token"), ("userinfo", "\(links)/userinfo"),
      ("premiuminfo", "\(links)/premiuminfo"), ("tokenrevoke", "\(links)/revoke"), ("tokenrefresh", "\(links)/refresh"),
      ("jwks", "\(root)/jwks"), ("scope", "openid mc_authn mc_authz"), ("applicationShortName", application.name),
    ]
    if !application.has(.missingMetadata) {
      let place = application.has(.metadataError) ? root + "/gone" : root
      all += [("openid-configuration", "\(place)/.well-known/openid-configuration"), ("issuer", root)]
    }
    return all.map { .object(["rel": .string($0.0), "href": .string($0.1)]) }
  }

  private func page(
    _ question: DiscoveryQuestion, _ application: SimulatedMobileConnectApplication
  ) -> SimulatedResponse {
    // For a person, who gets it shown: no secret.
    let id = environment.provider.makeName(bytes: 16)
    environment.store.keep(.init(application: application, redirectURL: question.redirectURL), id: id)
    let url = "https://\(environment.hosts.exchange)/select?session=\(id)"
    if question.isBrowser { return .redirect(to: url) }
    let link = JSONValue.object(["rel": .string("operatorSelection"), "href": .string(url)])
    return answer(["links": .array([link])], 202, question, application)
  }

  private func notFound(
    _ description: String, _ question: DiscoveryQuestion, _ application: SimulatedMobileConnectApplication
  ) -> SimulatedResponse {
    let members = ["error": JSONValue.string("Not_Found_Entity"), "description": .string(description)]
    return answer(members, 404, question, application)
  }

  private func answer(
    _ members: [String: JSONValue], _ status: Int, _ question: DiscoveryQuestion,
    _ application: SimulatedMobileConnectApplication
  ) -> SimulatedResponse {
    var members = members
    if let id = question.correlationID, !application.has(.missingCorrelation) {
      members["correlation_id"] = .string(
        application.has(.discoveryCorrelation) ? "00000000-0000-4000-8000-000000000000" : id)
    }
    return .json(JSONValue.object(members).text, status: status)
  }
}
