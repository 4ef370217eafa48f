import AuthCore
import RedirectChain

extension BackendCall {
  /// The same exchange over the bearer; nil for one in clear, as nothing of a backend's goes over a bearer unprotected.
  var overBearer: ChainRequest? {
    guard url.scheme == .https else { return nil }
    let content = body ?? ChainRequest.Body([], contentType: nil)
    let method: ChainRequest.Method =
      switch self.method {
      case .get: .get
      case .post: .post(content)
      case .patch: .patch(content)
      case .put: .put(content)
      case .delete: .delete(body)
      }
    var request = BearerCall.api(step, url, method, headers: headers, time: time).request
    // A redirect is an answer here, as it is over the host's network.
    request.policy.stopFields = ["location"]
    return request
  }
}

extension BearerReply {
  /// What a backend answered that was asked over the bearer.
  var asBackend: Result<BackendReply, BackendFailure> {
    switch result {
    case .answer(let answer): return .success(BackendReply(answer))
    case .redirectReached: return .failure(BackendFailure(.closed, "the backend redirects where an answer is awaited"))
    case .failed(let failure):
      // An answer all the same: its protocol says what is to be made of it.
      if failure.cause == .rateLimited, let answer = failure.answer {
        return .success(BackendReply(answer, retryAfter: failure.retryAfter))
      }
      return .failure(BackendFailure(Self.kind(of: failure.cause), cause: failure.cause, failure.text))
    }
  }

  private static func kind(of cause: ChainFailure.Cause) -> BackendFailure.Kind {
    switch FlowOutcome(ChainFailure(cause, "")).result {
    case .noDataPath: .noDataPath
    case .dnsError: .dns
    case .tlsError, .captivePortal: .tls
    case .timeout: .timeout
    case .cancelled: .cancelled
    case .providerUnavailable: .connect
    default: cause == .tooLarge ? .tooLarge : .closed
    }
  }
}

extension BackendReply {
  /// - Parameter retryAfter: in seconds.
  init(_ answer: ChainAnswer, retryAfter: Int? = nil) {
    var headers = answer.fields
    if answer.fields.isEmpty, let type = answer.contentType {
      headers.append(.init(name: "Content-Type", value: type))
    }
    if let retryAfter {
      headers.removeAll { $0.name.lowercased() == "retry-after" }
      headers.append(.init(name: "Retry-After", value: "\(retryAfter)"))
    }
    self.init(status: answer.status, headers: headers, body: answer.body)
  }
}
