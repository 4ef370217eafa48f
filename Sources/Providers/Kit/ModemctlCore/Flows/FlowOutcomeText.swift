import ModemAPI
import OutsideNumber

/// How a flow ended, for people and for the shell.
package enum FlowOutcomeText {
  /// The result of a flow that came to an answer; nil for one that did not, which is a message.
  ///
  /// - Parameter isFirst: whether nothing was written above it.
  package static func result(
    _ outcome: VerifyInterface.Outcome, _ reply: some FlowReply, _ paint: Paint, isFirst: Bool = false
  ) -> String? {
    guard let colour = colour(outcome.result) else { return nil }
    let by = [
      outcome.provider.map { "by \($0)" }, outcome.modem.map { "over \($0)" }, outcome.source.map { "from \($0)" },
    ].compactMap(\.self)
    let end = (by + ["in \(ShownTime.milliseconds(outcome.milliseconds)) ms"]).joined(separator: " ")
    let details = Details(groups: [
      Details.Group(
        "Details",
        [
          ("number", outcome.number?.rawValue), ("proved by", outcome.proof.map(proof)), ("SIM", outcome.sim?.rawValue),
          ("code", outcome.code),
        ] + reply.findings)
    ])
    return (isFirst ? "" : "\n") + paint(outcome.result.rawValue, colour) + " \(end)\n\(outcome.text)\n"
      + details.render(paint)
  }

  /// How a number was proved, as what follows "proved by".
  private static func proof(_ proof: VerifyInterface.Outcome.Proof) -> String {
    switch proof {
    case .bearer: "the bearer"
    case .sim: "the SIM's answer over the network"
    default: proof.rawValue
    }
  }

  /// The error that a flow without an answer is; nil for one with an answer.
  package static func failure(_ outcome: VerifyInterface.Outcome) -> ModemctlError? {
    guard colour(outcome.result) == nil else { return nil }
    let facts = [
      outcome.code, outcome.cause, outcome.status.map { "status \($0)" },
      outcome.text.contains("again in ")
        ? nil : outcome.retryAfterMilliseconds.map { "ask again in \(Duration.milliseconds($0).words)" },
    ].compactMap(\.self)
    let all = ([outcome.result.rawValue] + facts).joined(separator: ", ")
    return ModemctlError(status(outcome), "\(outcome.text) (\(all))")
  }

  /// How modemctl ends after this outcome.
  package static func status(_ outcome: VerifyInterface.Outcome) -> ExitStatus {
    switch (colour(outcome.result), outcome.result) {
    case (.good?, _): .done
    case (.some, _): .refuted
    case (nil, .noDataPath): .without(dataPath: outcome.cause)
    case (nil, .noSIMAnswer): .without(answerOfSIM: outcome.code)
    case (nil, .codeRequired): .noCode
    case (nil, .codeWrong): .wrongCode
    case (nil, .notConfigured), (nil, .clientRefused): .misconfigured
    case (nil, .badRequest): .usage
    case (nil, _): .flowFailed
    }
  }

  /// Green for what an application hopes for, and red for the opposite. Nil without an answer, or
  /// for one that this version does not know, so that nobody takes it for a yes.
  private static func colour(_ result: VerifyInterface.Outcome.Result) -> Paint.Colour? {
    switch result {
    case .verified, .simUnchanged, .covered, .authorized, .numberRead, .signedIn, .signed, .registered, .answered:
      .good
    case .notVerified, .simSwapped, .operatorMismatch, .pinWrong: .bad
    case .simUnknown: .attention
    default: nil
    }
  }
}
