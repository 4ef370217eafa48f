import JSONTree
import ModemModel
import OperatorSimulator

/// The path of a check's URL: the API, the operator's cleartext host, and the API again.
struct TruIDDevicePath: Sendable {
  let checks: TruIDChecks
  let signature: TruIDSignature

  private var settings: TruIDSimulationSettings { checks.settings }

  /// `GET …/checks/ID/redirect`
  func open(_ id: String, _ request: SimulatedRequest) -> SimulatedResponse {
    guard let check = checks.check(id), check.state == .accepted, !checks.isExpired(check) else {
      return TruIDReply.problem(404, "check_not_found").response
    }
    if let fault = settings.fault(at: .redirect, of: check.number) {
      if let response = fault.response { return response }
      if let delay = fault.delay {
        return onwards(check, request).delivered(.after(milliseconds: delay))
      }
    }
    return onwards(check, request)
  }

  private func onwards(_ check: TruIDChecks.Check, _ request: SimulatedRequest) -> SimulatedResponse {
    if settings.isSandbox { return sandbox(check) }
    if let refusal = checks.refusal(of: request.source, check.number) { return refusal.response }
    if let address = check.address, address != request.source.description {
      checks.set(.failed(code: "ip_mismatch"), of: check.id, "another address than the check was created for")
      return back(to: check)
    }
    return .redirect(to: "http://\(settings.hosts.operator)/id?session=\(check.session)")
  }

  private func sandbox(_ check: TruIDChecks.Check) -> SimulatedResponse {
    switch TruIDSandbox(check.number) {
    case .error: checks.set(.failed(code: "mno_server_error"), of: check.id, "the sandbox's error")
    case .success, .failure: checks.set(.seen(number: check.number), of: check.id, "the sandbox's answer")
    }
    return back(to: check)
  }

  /// The operator's cleartext host: no request contains the owner of the address.
  func enrich(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let check = request.query["session"].flatMap({ checks.check(ofSession: $0) }) else {
      return .problem(404, "there is no such session")
    }
    let own = request.headers.keys.filter { $0 == "authorization" || $0.hasPrefix("x-tru-") }
    guard own.isEmpty else { return .problem(400, "the operator's host got what is the provider's alone") }
    let fault = settings.fault(at: .operator, of: check.number)
    if let response = fault?.response { return response }
    if let code = fault?.code {
      checks.set(.failed(code: code), of: check.id, "the operator failed")
    } else if let subscriber = checks.environment.subscribers.subscriber(at: request.source) {
      checks.set(.seen(number: subscriber.number), of: check.id, "the operator answered")
    } else {
      checks.set(.failed(code: "mno_user_not_found"), of: check.id, "the operator knows nobody there")
    }
    let response = back(to: check)
    return fault?.delay.map { response.delivered(.after(milliseconds: $0)) } ?? response
  }

  private func back(to check: TruIDChecks.Check) -> SimulatedResponse {
    .redirect(
      to:
        "https://\(settings.hosts.api)/\(check.product)/\(check.version)/checks/\(check.id)/end?session=\(check.session)"
    )
  }

  /// `GET …/checks/ID/end`
  func end(_ id: String, _ request: SimulatedRequest) -> SimulatedResponse {
    guard let check = checks.check(id), check.session == request.query["session"] else {
      return TruIDReply.problem(404, "check_not_found").response
    }
    if let response = settings.fault(at: .end, of: check.number)?.response { return response }
    let ended = checks.end(check)
    guard ended.version == "v0.2" else { return SimulatedResponse(status: 200) }
    var members: [String: JSONValue?] = [
      "check_id": .string(id), "reference_id": ended.reference.map { .string($0) },
    ]
    if case .failed(let code) = ended.state {
      members["error"] = .string(code)
      members["error_description"] = .string("as simulated")
    } else {
      members["code"] = ended.code.map { .string($0) }
    }
    let answer = TruIDReply(200, members)
    guard let url = ended.redirectURL else { return answer.response }
    return redirect(to: url, answer.body, isForged: settings.fault(at: .signature, of: check.number) != nil)
  }

  /// The answer as the query of the app's URL.
  private func redirect(to url: String, _ answer: JSONValue, isForged: Bool) -> SimulatedResponse {
    var fields: [String] = []
    for name in ["check_id", "code", "reference_id", "error", "error_description"] {
      if let value = answer[name]?.string { fields.append("\(name)=\(FormFields.encoded(value))") }
    }
    let target = url + (url.contains("?") ? "&" : "?") + fields.joined(separator: "&")
    do {
      return .redirect(to: try signature.sign(target, at: checks.environment.now(), isForged: isForged))
    } catch {
      return .problem(500, "the redirect cannot be signed")
    }
  }
}
