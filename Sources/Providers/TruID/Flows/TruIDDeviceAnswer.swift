import AuthCore
import JSONTree
import ModemModel
import RedirectChain

/// The end of a check's chain.
enum TruIDDeviceAnswer {
  /// v0.1: the chain gives no result, which must be requested.
  case over(sawPage: Bool)
  /// v0.2: to be exchanged for the result.
  case code(Secret)
  /// The same, from a signed redirect.
  case signedCode(Secret, TruIDRedirectSignature)
  /// A backend has already exchanged the code.
  case result(TruIDCheckDocument, status: Int)
  case ended(FlowOutcome)

  /// - Parameters:
  ///   - id: of the opened check.
  ///   - provider: the trusted origins at the end of a chain that does not end at a backend.
  ///   - now: for the age of a signature.
  init(
    _ reply: BearerReply, _ request: TruIDCheckRequest, id: String, of provider: TrustedOrigins, at now: Timestamp
  ) {
    switch reply.result {
    case .failed(let failure): self = .ended(Self.outcome(failure))
    case .answer(let answer): self = Self.read(answer, request, id, provider)
    // Anybody may announce it: a code is valid for this check only, and the provider itself
    // determines its meaning over TLS.
    case .redirectReached(let uri, let parameters, _): self = Self.read(uri, parameters, request, id, now)
    }
  }

  private static func outcome(_ failure: ChainFailure) -> FlowOutcome {
    let outcome = FlowOutcome(failure)
    guard let code = failure.answer.flatMap({ TruIDProblem(JSONValue(parsing: $0.hearsay.body)).code }) else {
      return outcome
    }
    return FlowOutcome(
      outcome.result, code: code, status: outcome.status, cause: outcome.cause, retryAfter: outcome.retryAfter,
      outcome.text)
  }

  private static func read(
    _ answer: ChainAnswer, _ request: TruIDCheckRequest, _ id: String, _ provider: TrustedOrigins
  ) -> Self {
    let hearsay = answer.hearsay
    guard (200...299).contains(answer.status) else {
      let problem = TruIDProblem(JSONValue(parsing: hearsay.body))
      // A word that is not tru.ID's came from somebody on the way.
      return .ended(.truID(problem, otherwise: wayside(answer.status, problem), host: nil, status: answer.status))
    }
    // The result is requested from the API or the backend, whoever ended the chain.
    if request.version == .v1 { return .over(sawPage: hearsay.isPage) }
    let backend = request.fetchedOrigin
    guard let reply = answer.verified(from: backend ?? provider) else {
      return .ended(hearsay.isPage ? noCode(answer) : stranger(answer, isBackend: backend != nil))
    }
    guard let json = reply.json else { return .ended(noCode(answer)) }
    let problem = TruIDProblem(json)
    if let mismatch = mismatch(json["check_id"]?.string, json["reference_id"]?.string, request, id) {
      return .ended(mismatch)
    }
    if let code = json["code"]?.string { return .code(Secret(code)) }
    if problem.code != nil {
      return .ended(.truID(problem, otherwise: .operatorError, host: nil, status: answer.status))
    }
    if backend != nil { return .result(TruIDCheckDocument(json), status: answer.status) }
    return .ended(noCode(answer))
  }

  /// An answer from an untrusted source is not an answer to the check.
  private static func stranger(_ answer: ChainAnswer, isBackend: Bool) -> FlowOutcome {
    let place = answer.source.map { "\($0.origin.scheme.rawValue) at \($0.origin.host)" } ?? "an unknown place"
    let advice =
      isBackend
      ? "which is not redirect.url; take it for forged and start anew"
      : "which is none of the provider's; if it is, add it to checkDomains"
    return FlowOutcome(.badAnswer, status: answer.status, "the check ended by \(place), \(advice)")
  }

  private static func read(
    _ uri: String, _ parameters: [String: String], _ request: TruIDCheckRequest, _ id: String, _ now: Timestamp
  ) -> Self {
    let once = ["check_id", "reference_id", "code", "error", "authorization", "date"]
    if let name = RedirectURI.doubled(once, in: uri) {
      return .ended(FlowOutcome(.stateMismatch, "the redirect URL carries \(name) twice; take it for forged"))
    }
    if let mismatch = mismatch(parameters["check_id"], parameters["reference_id"], request, id) {
      return .ended(mismatch)
    }
    let signature: TruIDRedirectSignature
    do {
      signature = try TruIDRedirectSignature(uri, parameters, at: now)
    } catch {
      return .ended(FlowOutcome(.stateMismatch, code: error.code, error.description))
    }
    if let error = parameters["error"], !error.isEmpty {
      return .ended(.truID(TruIDProblem(code: error), otherwise: .operatorError, host: nil))
    }
    guard let code = parameters["code"], !code.isEmpty else {
      return .ended(FlowOutcome(.badAnswer, "the redirect URL carries neither code nor error; start anew"))
    }
    return .signedCode(Secret(code), signature)
  }

  private static func wayside(_ status: Int, _ problem: TruIDProblem) -> FlowResult {
    if problem.code != nil { return TruIDProblem.result(ofStatus: status) }
    switch status {
    case 400...599 where ![404, 409, 412, 501].contains(status): return .operatorError
    default: return TruIDProblem.result(ofStatus: status)
    }
  }

  /// A code of another check than the opened one would prove another's number.
  private static func mismatch(
    _ id: String?, _ reference: String?, _ request: TruIDCheckRequest, _ own: String
  ) -> FlowOutcome? {
    guard let id else {
      return FlowOutcome(.badAnswer, "the check's last answer does not name the check; start anew, and ask tru.ID")
    }
    guard id == own, reference == nil || request.reference == nil || reference == request.reference else {
      return FlowOutcome(.stateMismatch, "the chain ended with the answer of another check; start anew")
    }
    return nil
  }

  private static func noCode(_ answer: ChainAnswer) -> FlowOutcome {
    if answer.hearsay.isPage {
      return FlowOutcome(
        .interactionRequired, status: answer.status,
        "the check ended at a page for a person; open it on a device with a browser")
    }
    return FlowOutcome(.badAnswer, status: answer.status, "the check's last answer holds no code; start anew")
  }
}
