import JSONTree
import NetworkAddress
import OperatorSimulator

/// An application's backend: it makes checks for the app, and passes on tru.ID's answers.
struct TruIDDevServer: Sendable {
  private let checks: TruIDChecks
  private var settings: TruIDSimulationSettings { checks.settings }

  init(_ checks: TruIDChecks) { self.checks = checks }

  func answer(_ request: SimulatedRequest) -> SimulatedResponse? {
    if let password = settings.backendPassword, request.basicCredentials != .init(name: "app", secret: password) {
      return SimulatedResponse(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"app\"")])
    }
    var parts = request.pathParts
    let version = ["v0.1", "v0.2"].contains(parts.first) ? parts.removeFirst() : "v0.1"
    switch (request.method, parts.first) {
    case (_, "phone-check"): return check("phone_check", version, Array(parts.dropFirst()), request)
    case (_, "subscriber-check"): return check("subscriber_check", version, Array(parts.dropFirst()), request)
    case ("POST", "sim-check"): return simCheck(request)
    case ("GET", "coverage-access-token"):
      let url = "https://\(settings.hosts.api)/coverage/v0.1/device_ip"
      return plain(["token": .string(checks.makeToken(["coverage"])), "url": .string(url)])
    case ("GET", "country"):
      guard let code = request.query["country_code"] else { return missing("country_code") }
      return passed(countryCoverage(code))
    case ("GET", "device"):
      return passed(deviceCoverage(request.query["id_address"].flatMap { IPAddress($0) } ?? request.source))
    default: return nil
    }
  }

  private func check(
    _ product: String, _ version: String, _ rest: [String], _ request: SimulatedRequest
  ) -> SimulatedResponse? {
    switch (request.method, rest.first) {
    case ("POST", nil): return create(product, version, request)
    case (_, "exchange-code"): return version == "v0.2" ? exchange(product, request) : nil
    case ("GET", let path):
      let isPath = path != nil && settings.hasPathForm && product == "subscriber_check"
      if path != nil, product == "phone_check" { return nil }
      if path == nil, product == "subscriber_check", request.pathParts.first == "subscriber-check" { return nil }
      guard let id = isPath ? path : request.query["check_id"] else { return missing("check_id") }
      return result(product, id)
    default: return nil
    }
  }

  private func create(_ product: String, _ version: String, _ request: SimulatedRequest) -> SimulatedResponse {
    let fields = request.json ?? request.form.map { .object($0.mapValues { .string($0) }) }
    guard fields?["phone_number"]?.string != nil else { return missing("phone_number") }
    let number = TruIDChecks.number(fields?["phone_number"]?.string)
    if let response = settings.fault(at: .create, of: number)?.response { return response }
    let created = checks.create(product, version, fields)
    guard created.isSuccess else { return passed(created) }
    return plain(["check_id": created.body["check_id"], "check_url": created.body["_links"]?["check_url"]?["href"]])
  }

  private func exchange(_ product: String, _ request: SimulatedRequest) -> SimulatedResponse {
    let fields: JSONValue?
    switch request.method {
    case "GET": fields = .object(request.query.mapValues { .string($0) })
    case "POST" where settings.takesPOST: fields = request.json
    default: return SimulatedResponse(status: 405)
    }
    guard let code = fields?["code"]?.string else { return missing("code") }
    guard let id = fields?["check_id"]?.string else { return missing("check_id") }
    if let response = settings.fault(at: .exchange, of: checks.check(id)?.number)?.response { return response }
    return short(product, checks.exchange(id, code))
  }

  private func result(_ product: String, _ id: String) -> SimulatedResponse {
    if let response = settings.fault(at: .result, of: checks.check(id)?.number)?.response { return response }
    return short(product, checks.read(id))
  }

  /// What an app learns about a check: neither its status nor its error.
  private func short(_ product: String, _ reply: TruIDReply) -> SimulatedResponse {
    guard reply.isSuccess else { return passed(reply) }
    var members = ["match": reply.body["match"], "check_id": reply.body["check_id"]]
    if product == "subscriber_check" {
      members["no_sim_change"] = reply.body["no_sim_change"]
      members["last_sim_change_at"] = reply.body["last_sim_change_at"]
    }
    return plain(members)
  }

  private func simCheck(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let text = request.json?["phone_number"]?.string else { return missing("phone_number") }
    if let response = settings.fault(at: .simCheck, of: TruIDChecks.number(text))?.response { return response }
    let reply = checks.simCheck(request.json)
    guard reply.isSuccess else { return passed(reply) }
    return plain([
      "no_sim_change": reply.body["no_sim_change"], "last_sim_change_at": reply.body["last_sim_change_at"],
    ])
  }

  // MARK: Coverage

  func deviceCoverage(_ address: IPAddress?) -> TruIDReply {
    guard let address, checks.environment.subscribers.isBearer(address) else { return .problem(412, "not_mobile_ip") }
    let network = checks.environment.subscribers.subscriber(at: address)?.network.description
    if let operators = settings.operators, !operators.contains(network ?? "") {
      return .problem(400, "mno_not_supported")
    }
    return TruIDReply(
      200,
      [
        "network_id": network.map { .string($0) }, "network_name": .string("Simulated"), "country_code": .string("DE"),
        "mobile_data_ip": .string(address.description), "network_aliases": .array([]), "products": Self.products(nil),
      ])
  }

  func countryCoverage(_ code: String) -> TruIDReply {
    guard ["DE", "49"].contains(code.uppercased()) else { return .problem(404, "country_not_found") }
    return TruIDReply(
      200,
      [
        "country_code": .string("DE"), "dialing_code": .string("49"),
        "products": Self.products("PARTIAL", networks: (settings.operators ?? []).sorted()),
      ])
  }

  private static func products(_ extent: String?, networks: [String] = []) -> JSONValue {
    .array(
      [("pck", "Phone Check"), ("sck", "SIM Check"), ("suk", "Subscriber Check")].map { id, name in
        var members: [String: JSONValue] = ["product_id": .string(id), "product_name": .string(name)]
        members["coverage"] = extent.map { .string($0) }
        if extent != nil { members["networks"] = .array(networks.map { .object(["network_id": .string($0)]) }) }
        return .object(members)
      })
  }

  // MARK: Answers

  private func plain(_ members: [String: JSONValue?]) -> SimulatedResponse {
    .json(JSONValue.object(members.compactMapValues { $0 }).text)
  }

  private func missing(_ name: String) -> SimulatedResponse {
    .json(JSONValue.object(["error_message": .string("\(name) parameter is required")]).text, status: 400)
  }

  /// As it came: status and body.
  private func passed(_ reply: TruIDReply) -> SimulatedResponse {
    .json(reply.body.text, status: reply.status)
  }
}
