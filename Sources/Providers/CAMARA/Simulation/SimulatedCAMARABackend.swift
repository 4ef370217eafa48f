import JSONTree
import OperatorSimulator

/// An application's backend with the redirect URI: it exchanges the code and asks, in the same
/// process and by the same rules.
extension SimulatedCAMARAService {
  func callback(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let code = request.query["code"] else {
      return .json(JSONValue.object(["error": .string(request.query["error"] ?? "invalid_request")]).text, status: 400)
    }
    guard environment.subscribers.isBearer(request.source) else {
      // The device itself must come, over its bearer.
      return .problem(403, "the redirect URI was fetched over another network")
    }
    guard let session = state.withLock({ $0.codes.removeValue(forKey: code) }) else {
      return Self.tokenError("invalid_grant")
    }
    if let refusal = session.client.refusal { return Self.refusal(refusal) }
    guard let number = session.number else {
      return Self.refusal(
        .init(status: 403, code: "NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK"))
    }
    return .json(JSONValue.object(["verified": .bool(number == backendNumber)]).text)
  }
}
