import AuthCore
import JSONTree
import ModemModel
import RedirectChain

/// What the chain of a check ended with.
enum TruIDDeviceAnswer {
  /// v0.1: nothing is said, and the result is to be asked for.
  case over(sawPage: Bool)
  /// v0.2: to be exchanged for the result.
  case code(Secret)
  /// As above, from a redirect that is signed.
  case signedCode(Secret, TruIDRedirectSignature)
  /// A backend exchanged the code already.
  case result(TruIDCheckDocument, status: Int)
  case ended(FlowOutcome)

  /// - Parameters:
  ///   - id: of the check that was opened.
  ///   - now: for the age of a signature.
  init(_ reply: BearerReply, _ request: TruIDCheckRequest, id: String, at now: Timestamp) {
    switch reply.result {
    case .failed(let failure): self = .ended(Self.outcome(failure))
    case .answer(let answer): self = Self.read(answer, request, id)
    case .redirectReached(let uri, let parameters): self = Self.read(uri, parameters, request, id, now)
    }
  }

  private static func outcome(_ failure: ChainFailure) -> FlowOutcome {
    let outcome = FlowOutcome(failure)
    guard let code = failure.answer.flatMap({ TruIDProblem(JSONValue(parsing: $0.body)).code }) else { return outcome }
    return FlowOutcome(
      outcome.result, code: code, status: outcome.status, cause: outcome.cause, retryAfter: outcome.retryAfter,
      outcome.text)
  }

  private static func read(_ answer: ChainAnswer, _ request: TruIDCheckRequest, _ id: String) -> Self {
    let json = JSONValue(parsing: answer.body)
    let problem = TruIDProblem(json)
    guard (200...299).contains(answer.status) else {
      // What is none of tru.ID's words came from somebody on the way.
      return .ended(.truID(problem, otherwise: wayside(answer.status, problem), host: nil, status: answer.status))
    }
    if request.version == .v1 {
      return .over(sawPage: json == nil && isPage(answer.contentType))
    }
    guard let json else { return .ended(noCode(answer)) }
    if let mismatch = mismatch(json["check_id"]?.string, json["reference_id"]?.string, request, id) {
      return .ended(mismatch)
    }
    if let code = json["code"]?.string { return .code(Secret(code)) }
    if problem.code != nil {
      return .ended(.truID(problem, otherwise: .operatorError, host: nil, status: answer.status))
    }
    if request.redirect?.isFetched == true { return .result(TruIDCheckDocument(json), status: answer.status) }
    return .ended(noCode(answer))
  }

  private static func read(
    _ uri: String, _ parameters: [String: String], _ request: TruIDCheckRequest, _ id: String, _ now: Timestamp
  ) -> Self {
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

  /// A code that belongs to another check than the one that was opened would prove another's number.
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
    if isPage(answer.contentType) {
      return FlowOutcome(
        .interactionRequired, status: answer.status,
        "the check ended at a page for a person; open it on a device with a browser")
    }
    return FlowOutcome(.badAnswer, status: answer.status, "the check's last answer holds no code; start anew")
  }

  private static func isPage(_ type: String?) -> Bool {
    guard let type = type?.lowercased() else { return false }
    return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
  }
}
