import OutsideNumber
import RedirectChain

/// The end of a flow, with the provider's code for it.
package struct FlowOutcome: Hashable, Sendable {
  package var result: FlowResult
  /// Nil if the flow does not determine it.
  package var number: NumberVerdict?
  /// How the number was proved; nil if it was not, or in another way.
  package var proof: NumberProof?
  /// Nil if the flow does not determine a change.
  package var sim: SIMChange?
  /// The provider's own code, as in `ip_msisdn_mismatch`: never a secret, at most 128 characters.
  package var code: String?
  /// HTTP status of the decisive answer.
  package var status: Int?
  /// Why there is no data path, or why the chain ended.
  package var cause: ChainFailure.Cause?
  /// With `rateLimited`, and with a failure that names a time: seconds until the provider accepts
  /// requests again, zero to a week; longer times become a week.
  package var retryAfter: Int? {
    get { delay }
    set { delay = newValue.map { RetryDelay.bounded($0) } }
  }
  private var delay: Int?
  /// One sentence for people without personal data: what happened, and what to do if anything can
  /// be done.
  package var text: String

  /// - Parameter code: the provider's code; anything but short printable text without blanks is
  ///   left out.
  package init(
    _ result: FlowResult, number: NumberVerdict? = nil, sim: SIMChange? = nil, code: String? = nil,
    status: Int? = nil, cause: ChainFailure.Cause? = nil, retryAfter: Int? = nil, _ text: String
  ) {
    self.result = result
    self.number = number
    self.sim = sim
    self.code = code.flatMap(Self.shown)
    self.status = status
    self.cause = cause
    delay = retryAfter.map { RetryDelay.bounded($0) }
    self.text = text
  }

  /// A provider's code in a form that may be shown: a word, because a sentence may name a number.
  private static func shown(_ code: String) -> String? {
    let isWord =
      (1...128).contains(code.utf8.count) && code.utf8.allSatisfy { (0x21...0x7e).contains($0) }
      && code.utf8.filter { (0x30...0x39).contains($0) }.count < 7
    return isWord ? code : nil
  }

  /// The answer of a number check that may also report on the SIM.
  ///
  /// - Parameters:
  ///   - matches: nil if the provider does not report it; then nothing is verified.
  ///   - change: nil if the provider was not asked about it.
  package static func check(
    matches: Bool?, change: SIMChange? = nil, code: String? = nil, status: Int? = nil
  ) -> FlowOutcome {
    switch (matches, change) {
    case (nil, _):
      FlowOutcome(
        .badAnswer, sim: change, code: code, status: status,
        "the provider ended the check without saying whether the number matches; try again, and ask the provider")
    case (false?, _):
      FlowOutcome(
        .notVerified, number: .differs, sim: change, code: code, status: status, "the number is not that of this SIM")
    case (true?, .changed?):
      FlowOutcome(
        .simSwapped, number: .matches, sim: change, code: code, status: status,
        "the number is that of this SIM, but it moved to this SIM lately")
    case (true?, _):
      FlowOutcome(
        .verified, number: .matches, sim: change, code: code, status: status, "the number is that of this SIM")
    }
  }

  /// The answer of a SIM swap check.
  package static func simChange(_ change: SIMChange, code: String? = nil, status: Int? = nil) -> FlowOutcome {
    switch change {
    case .changed:
      FlowOutcome(.simSwapped, sim: change, code: code, status: status, "the number moved to another SIM lately")
    case .unchanged:
      FlowOutcome(
        .simUnchanged, sim: change, code: code, status: status, "the number did not move to another SIM lately")
    case .unknown:
      FlowOutcome(
        .simUnknown, sim: change, code: code, status: status,
        "the provider does not say whether the number moved to another SIM")
    }
  }
}
