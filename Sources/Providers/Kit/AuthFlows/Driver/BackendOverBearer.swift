import AuthCore
import RedirectChain
import Web

extension BackendCall {
  /// The same exchange over the bearer; nil for cleartext, because no backend call goes over a
  /// bearer unprotected.
  package var overBearer: ChainRequest? {
    guard url.scheme == .https else { return nil }
    let content = body ?? WebBody([], contentType: nil)
    let method: ChainRequest.Method =
      switch self.method {
      case .get: .get
      case .post: .post(content)
      case .patch: .patch(content)
      case .put: .put(content)
      case .delete: .delete(body)
      }
    var request = BearerCall.api(step, url, method, headers: headers, time: time).request
    // A redirect is an answer here, as over the host's network.
    request.policy.stopFields = ["location"]
    request.policy.answersWith511 = true
    request.kind = .backend(url)
    return request
  }
}

extension ChainKind {
  /// That of calls to a backend over the bearer.
  static func backend(_ url: WebURL) -> ChainKind { ChainKind("backend/\(url.host)") }
}

extension BearerReply {
  /// The answer of a backend that was called over the bearer.
  ///
  /// - Parameter url: the requested URL; only its own server's answer counts.
  package func asBackend(of url: WebURL) -> Result<BackendReply, BackendFailure> {
    let origins = TrustedOrigins(url)
    switch result {
    case .answer(let answer):
      guard let reply = answer.verified(from: origins) else {
        return .failure(BackendFailure(.closed, "somebody else answered in place of \(url.host); try again"))
      }
      return .success(reply)
    case .redirectReached: return .failure(BackendFailure(.closed, "the backend redirects where an answer is awaited"))
    case .failed(let failure):
      // It is still an answer: its protocol decides its meaning.
      if failure.cause == .rateLimited, let reply = failure.answer?.verified(from: origins) {
        return .success(reply.asking(again: failure.retryAfter))
      }
      return .failure(BackendFailure(failure))
    }
  }
}
