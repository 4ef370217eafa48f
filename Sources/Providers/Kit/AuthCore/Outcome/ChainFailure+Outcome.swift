import RedirectChain

extension FlowOutcome {
  /// A chain failure's meaning for a flow.
  package init(_ failure: ChainFailure) {
    self.init(
      Self.result(of: failure.cause), cause: failure.cause, retryAfter: failure.retryAfter, failure.text)
    status = failure.answer?.status
  }

  private static func result(of cause: ChainFailure.Cause) -> FlowResult {
    switch cause {
    case .noModem, .portUnavailable, .simAbsent, .simLocked, .simNotReady, .notRegistered, .bearerRefused, .noAddress,
      .modemFailed, .bearerLost:
      .noDataPath
    case .dnsFailed: .dnsError
    case .tlsFailed: .tlsError
    case .connectFailed: .providerUnavailable
    case .tooManyRedirects, .redirectLoop, .badRedirect, .refusedByPolicy: .redirectError
    case .timeout: .timeout
    case .tooLarge, .badAnswer: .badAnswer
    case .stateMismatch: .stateMismatch
    case .interactionRequired: .interactionRequired
    case .possibleCaptivePortal: .captivePortal
    case .rateLimited: .rateLimited
    case .cancelled: .cancelled
    }
  }
}
