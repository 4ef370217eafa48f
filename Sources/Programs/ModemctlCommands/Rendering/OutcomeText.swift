import ModemAPI
import ModemctlCore
import OutsideNumber

/// The end of a chain, for people and for the shell.
enum OutcomeText {
  /// The result; nil for a failure, which is an error message.
  static func result(_ outcome: CheckInterface.Outcome, _ paint: Paint) -> String? {
    let path = [outcome.modem.map { "over \($0)" }, outcome.source.map { "from \($0)" }].compactMap(\.self)
    let end = (path + ["in \(ShownTime.milliseconds(outcome.milliseconds)) ms"]).joined(separator: " ")
    if let answer = outcome.answer {
      let type = answer.contentType.map { ", \($0)" } ?? ""
      let head = paint("Answer \(answer.status)\(type)", answer.status < 400 ? .good : .bad) + " \(end)\n"
      return head + body(answer)
    }
    if let redirect = outcome.redirect {
      let details = Details(
        groups: [Details.Group("Parameters", redirect.parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })]
      )
      return paint("Redirect URI reached", .good) + " \(end)\n\(redirect.uri)\n" + details.render(paint)
    }
    return nil
  }

  private static func body(_ answer: CheckInterface.Answer) -> String {
    if let json = answer.json { return JSONText.document(json) }
    if let text = answer.text { return text.hasSuffix("\n") ? text : text + "\n" }
    return answer.base64.map { "base64: \($0)\n" } ?? ""
  }

  /// The error of a failed outcome; nil for the other outcomes.
  static func failure(_ outcome: CheckInterface.Outcome) -> ModemctlError? {
    switch outcome.result {
    case .answer, .redirectReached: nil
    case .failed:
      outcome.failure.map(failed) ?? ModemctlError(.chainFailed, "the chain failed; modemd gave no cause")
    case .other(let word):
      ModemctlError(.chainFailed, "the chain ended in a way that this version of modemctl does not know (\(word))")
    }
  }

  static func failed(_ failure: CheckInterface.Failure) -> ModemctlError {
    let place = failure.hop.map { "hop \($0): " } ?? ""
    let retry = failure.retryAfterMilliseconds.map { "ask again in \(Duration.milliseconds($0).words)" }
    let text = retry.map { failure.text.advised($0, unless: "again in ") } ?? failure.text
    return ModemctlError(status(failure.cause), "\(place)\(text) (\(failure.cause.rawValue))")
  }

  /// The exit status for this outcome.
  static func status(_ outcome: CheckInterface.Outcome) -> ExitStatus {
    switch outcome.result {
    case .answer: (outcome.answer?.status ?? 0) < 400 ? .done : .httpError
    case .redirectReached: .done
    case .failed: outcome.failure.map { status($0.cause) } ?? .chainFailed
    case .other: .chainFailed
    }
  }

  private static func status(_ cause: CheckInterface.Failure.Cause) -> ExitStatus { .without(dataPath: cause.rawValue) }
}
