import JSONTree
import NetworkAddress
import OperatorSimulator

/// A simulated tru.ID: its API, the host of an operator that knows the number from the bearer's
/// address, and the backend of an application with the paths of tru.ID's dev server.
package final class TruIDService: SimulatedService {
  private let settings: TruIDSimulationSettings
  private let checks: TruIDChecks
  private let device: TruIDDevicePath
  private let signature: TruIDSignature
  private let backend: TruIDDevServer

  package init(_ settings: TruIDSimulationSettings, _ environment: ProviderEnvironment) {
    self.settings = settings
    checks = TruIDChecks(settings, environment)
    // Only a machine without randomness makes no key.
    // swift-format-ignore: NeverUseForceTry
    signature = try! TruIDSignature()
    device = TruIDDevicePath(checks: checks, signature: signature)
    backend = TruIDDevServer(checks)
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    switch request.host {
    case settings.hosts.api where request.isSecure: api(request)
    case settings.hosts.operator where !request.isSecure && request.path == "/id": device.enrich(request)
    case settings.hosts.backend: backend.answer(request)
    default: nil
    }
  }

  private func api(_ request: SimulatedRequest) -> SimulatedResponse? {
    let parts = request.pathParts
    switch (request.method, parts.first) {
    case ("POST", "oauth2"): return token(request)
    case (_, "phone_check"), (_, "subscriber_check"): return check(request, parts)
    case ("POST", "sim_check"):
      return guarded(request, "sim_check", .simCheck, Self.phone(request)) { checks.simCheck(request.json) }
    case ("GET", ".well-known") where request.path == "/.well-known/jwks.json":
      return (try? signature.keySet).map { .json($0.text) }
    case ("GET", "coverage"), ("GET", "public"): return coverage(request, parts)
    default: return TruIDReply.problem(404, "not_found").response
    }
  }

  /// Answers with a planned fault, refuses requests without a token, and otherwise does the work.
  private func guarded(
    _ request: SimulatedRequest, _ scope: String, _ place: TruIDSimulationSettings.Place, _ number: String?,
    _ work: () -> TruIDReply
  ) -> SimulatedResponse {
    guard checks.allows(request.bearerToken, scope) else { return TruIDReply.problem(401, "unauthorized").response }
    if let response = settings.fault(at: place, of: number)?.response { return response }
    return work().response
  }

  private static func phone(_ request: SimulatedRequest) -> String? {
    TruIDChecks.number(request.json?["phone_number"]?.string)
  }

  // MARK: Tokens

  private func token(_ request: SimulatedRequest) -> SimulatedResponse {
    if let response = settings.fault(at: .token, of: nil)?.response { return response }
    guard request.basicCredentials == .init(name: settings.clientID, secret: settings.clientSecret) else {
      return TruIDReply(401, ["error": .string("invalid_client")]).response
    }
    guard request.form?["grant_type"] == "client_credentials", let scope = request.form?["scope"] else {
      return TruIDReply(400, ["error": .string("invalid_request")]).response
    }
    let scopes = Set(scope.split(separator: " ").map(String.init))
    guard !scopes.isEmpty, scopes.isSubset(of: ["phone_check", "subscriber_check", "sim_check", "coverage"]) else {
      return TruIDReply(400, ["error": .string("invalid_scope")]).response
    }
    return TruIDReply(
      200,
      [
        "access_token": .string(checks.makeToken(scopes)), "token_type": .string("bearer"), "expires_in": .int(3600),
        "scope": .string(scope),
      ]
    ).response
  }

  // MARK: Checks

  /// `/PRODUCT/VERSION/checks[/ID[/redirect|/end|/traces[/TRACE]]]`
  private func check(_ request: SimulatedRequest, _ parts: [String]) -> SimulatedResponse? {
    guard parts.count >= 3, ["v0.1", "v0.2"].contains(parts[1]), parts[2] == "checks" else { return nil }
    let (product, version) = (parts[0], parts[1])
    guard parts.count > 3 else {
      guard request.method == "POST" else { return nil }
      return guarded(request, product, .create, Self.phone(request)) {
        checks.create(product, version, request.json)
      }
    }
    let id = parts[3]
    let number = checks.check(id)?.number
    switch (request.method, parts.dropFirst(4).first) {
    case ("GET", "redirect"): return device.open(id, request)
    case ("GET", "end"): return device.end(id, request)
    case ("GET", "traces"):
      return guarded(request, product, .traces, number) { traces(id, parts.dropFirst(5).first) }
    case ("GET", nil): return guarded(request, product, .result, number) { checks.read(id) }
    case ("PATCH", nil):
      return guarded(request, product, .exchange, number) {
        guard request.mediaType == "application/json-patch+json", let patch = request.json?.items.first,
          patch["op"]?.string == "add", patch["path"]?.string == "/code"
        else { return .problem(400, "bad_request") }
        return checks.exchange(id, patch["value"]?.string)
      }
    default: return nil
    }
  }

  private func traces(_ id: String, _ trace: String?) -> TruIDReply {
    guard let check = checks.check(id) else { return .problem(404, "check_not_found") }
    let logs = check.log.map { time, word in
      JSONValue.object([
        "timestamp": .string(time.description), "message": .string(word),
        "attributes": .object(["phone_number": .string(String(check.number.dropFirst()))]),
      ])
    }
    let members: [String: JSONValue] = ["trace_id": .string("trace-1"), "logs": .array(logs)]
    switch trace {
    case nil: return TruIDReply(200, ["_embedded": .object(["traces": .array([.object(members)])])])
    case "trace-1": return TruIDReply(200, members)
    default: return .problem(404, "trace_not_found")
    }
  }

  // MARK: Coverage

  /// `/coverage/v0.1/device_ip`, `/coverage/v0.1/device_ips/IP`, `/coverage/v0.1/countries/CODE`,
  /// and the old call that needs no token.
  private func coverage(_ request: SimulatedRequest, _ parts: [String]) -> SimulatedResponse? {
    if let response = settings.fault(at: .coverage, of: nil)?.response { return response }
    let isPublic = parts.first == "public"
    let rest = Array(parts.dropFirst(isPublic ? 1 : 0))
    guard rest.count >= 3, rest[0] == "coverage", rest[1] == "v0.1" else { return nil }
    guard isPublic || checks.allows(request.bearerToken, "coverage") else {
      return TruIDReply.problem(401, "unauthorized").response
    }
    switch (rest[2], rest.dropFirst(3).first) {
    case ("device_ip", nil): return backend.deviceCoverage(request.source).response
    case ("device_ips", let address?): return backend.deviceCoverage(IPAddress(Self.decoded(address))).response
    case ("countries", let code?): return backend.countryCoverage(code).response
    default: return nil
    }
  }

  private static func decoded(_ text: String) -> String { FormFields.parse("a=\(text)")["a"] ?? text }
}
