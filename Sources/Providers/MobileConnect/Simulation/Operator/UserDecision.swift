import OperatorSimulator

/// Who the user is, and whether the operator tells the application: decided by the number of the
/// bearer's address, by the login hint, and by the scope's requirements for both.
struct UserDecision {
  /// What a person has to answer.
  enum Page: Hashable {
    case consent, number
  }

  enum Outcome: Hashable {
    /// - Parameters:
    ///   - number: E.164.
    ///   - method: `amr`, as operators write it.
    case granted(number: String, method: String)
    case refused(code: String, description: String)
    case page(Page)
  }

  private let authorization: MobileConnectAuthorization
  private let isAgreed: Bool
  /// E.164, from the address; nil if it is nobody's, or if the request excludes it.
  private let seen: String?
  private let environment: MobileConnectEnvironment

  init(_ transaction: MobileConnectStore.Transaction, environment: MobileConnectEnvironment) {
    authorization = transaction.authorization
    isAgreed = transaction.isAgreed
    seen = authorization.prompt.contains("no_seam") ? nil : transaction.seen ?? nil
    self.environment = environment
  }

  var outcome: Outcome {
    if authorization.scope.contains("mc_mnv_validate_plus") {
      guard let seen else {
        return .refused(code: "access_denied", description: "the network does not know the number")
      }
      return hinted == digits(seen) ? granted(seen, isSeen: true) : Self.mismatch
    }
    if authorization.scope.contains("mc_mnv_validate"), let seen, hinted != digits(seen) {
      return authorization.application.trustsHint ? byHint : Self.mismatch
    }
    // Otherwise, the network's knowledge takes precedence.
    return seen.map { granted($0, isSeen: true) } ?? byHint
  }

  private static let mismatch = Outcome.refused(code: "access_denied", description: "MSISDN_mismatch")

  /// Without the network's knowledge, the operator asks at the handset of the hinted user.
  private var byHint: Outcome {
    guard authorization.hint != nil else {
      return authorization.prompt == ["none"]
        ? .refused(code: "login_required", description: "the user is not known") : .page(.number)
    }
    guard let hinted, let customer = environment.customer(hinted) else {
      return .refused(code: "access_denied", description: "unknown Mobile Connect user")
    }
    return granted(customer.number, isSeen: false)
  }

  private func granted(_ number: String, isSeen: Bool) -> Outcome {
    let asks = authorization.application.asksConsent || authorization.prompt.contains("consent")
    if asks, !isAgreed {
      return authorization.prompt == ["none"]
        ? .refused(code: "consent_required", description: "the user must agree") : .page(.consent)
    }
    // A second factor is requested at the handset, whatever the network knows.
    return .granted(number: number, method: isSeen && authorization.level == 2 ? "SEAM_OK" : "USSD_OK")
  }

  /// Digits of the hinted user; nil without a hint, and for a hint that names nobody.
  private var hinted: String? {
    switch authorization.hint {
    case .number(let digits): digits
    case .reference(let text): environment.store.number(reference: text).map(digits)
    case .token(let text): environment.store.number(hintToken: text).map(digits)
    case nil: nil
    }
  }

  private func digits(_ number: String) -> String { number.filter { $0 != "+" } }
}
