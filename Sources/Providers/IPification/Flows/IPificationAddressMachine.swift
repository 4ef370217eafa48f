import AuthCore
import ModemModel
import NetworkAddress

/// Whether the operator of an address is served, as an application's server would ask. It needs no
/// bearer.
package struct IPificationAddressMachine: FlowMachine {
  package typealias Answer = IPificationAnswer
  package static var usesBearer: Bool { false }

  private let call: BackendCall

  /// - Throws: `AuthError` for an invalid client id.
  package init(_ settings: IPificationSettings, address: IPAddress) throws(AuthError) {
    try IPificationArguments.check(word: settings.clientID, "client id")
    let path = settings.paths.coverage + "/" + FormFields.encode(address.description)
    call = BackendCall(
      "checkCoverageOfAddress", .get, settings.host.appending(path, FormFields(["client_id": settings.clientID])),
      headers: [.accept("application/json")], route: settings.backendRoute, time: settings.coverageTime)
  }

  package mutating func start(at now: Timestamp) -> FlowAction<IPificationAnswer> { .send(call) }

  package mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<IPificationAnswer> {
    var answer = IPificationAnswer()
    switch event {
    case .answered(let reply):
      switch CoverageReply(reply, call.url.host) {
      case .available(let code):
        answer.operatorCode = code
        return .finish(CoverageReply.covered, answer)
      case .unavailable(let code):
        answer.operatorCode = code
        return .finish(CoverageReply.notCovered, answer)
      case .failed(let outcome): return .finish(outcome, answer)
      }
    case .unanswered(let failure): return .finish(failure.outcome, answer)
    case .opened, .code, .noCode, .simAnswered, .simFailed, .resumed: return .unexpected(event)
    }
  }
}
