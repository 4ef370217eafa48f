import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Web
import AuthFlows

/// Reads one JSON document of an operator: its metadata or its keys. A kept and fresh document is
/// not requested again. An older one is used if the operator cannot be reached, for up to
/// `MobileConnectMemory.documentAge`, but never if somebody else answers in its place.
struct DocumentMachine: FlowMachine {
  typealias Answer = Document
  static var usesBearer: Bool { false }

  /// What was read.
  struct Document: Hashable, Sendable {
    let json: JSONValue
    /// Whether it was kept from an earlier call.
    let isKept: Bool
  }

  private let call: BackendCall
  private let kept: (json: JSONValue, isFresh: Bool)?

  /// - Parameter kept: nil always requests it.
  init(_ step: String, _ url: WebURL, kept: (json: JSONValue, isFresh: Bool)?, route: BackendRoute) {
    call = BackendCall(step, .get, url, headers: [.accept("application/json")], route: route)
    self.kept = kept
  }

  mutating func start(at now: Timestamp) -> FlowAction<Document> {
    if let kept, kept.isFresh { return finish(kept.json, isKept: true) }
    return .send(call)
  }

  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Document> {
    switch event {
    case .answered(let reply):
      if reply.isSuccess, let json = reply.json, case .object = json { return finish(json, isKept: false) }
      return fail(
        reply.isSuccess
          ? FlowOutcome(.badAnswer, status: reply.status, "\(call.url.host) answered without JSON; ask the operator")
          : OpenIDProblem.outcome(
            nil, [:], status: reply.status, retryAfter: reply.retryAfter, host: call.url.host))
    // Whoever makes TLS fail must not be able to keep old keys in use.
    case .unanswered(let failure) where [.tls, .refused].contains(failure.kind): return .finish(failure.outcome, nil)
    case .unanswered(let failure): return fail(failure.outcome)
    case .opened, .code, .noCode, .simAnswered, .simFailed, .resumed: return .unexpected(event)
    }
  }

  private func fail(_ outcome: FlowOutcome) -> FlowAction<Document> {
    if let kept { return finish(kept.json, isKept: true) }
    return .finish(outcome, nil)
  }

  private func finish(_ json: JSONValue, isKept: Bool) -> FlowAction<Document> {
    .finish(FlowOutcome(.covered, "the document is there"), Document(json: json, isKept: isKept))
  }
}
