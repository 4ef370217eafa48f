/// How modemctl ends: the one table of exit statuses. `modemctl --help` prints it, and a test holds
/// the manual page to its words.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  case done = 0
  case failed = 1
  case usage = 2
  case unreachable = 3
  case denied = 4
  case noModem = 5
  case notReady = 6
  case chainFailed = 7
  case httpError = 8
  case modemFailed = 9
  case noCode = 10
  case refuted = 11
  case flowFailed = 12
  case misconfigured = 13
  case wrongCode = 14
  case interrupted = 130

  /// What it means, for people.
  package var meaning: String {
    switch self {
    case .done: "done; with open: an answer below 400, or the redirect URI"
    case .failed: "something else went wrong"
    case .usage: "an argument is wrong or missing"
    case .unreachable: "modemd does not run, or stopped before it answered"
    case .denied: "you may not call modemd"
    case .noModem: "there is no modem, none has that name, or there are several and none was named"
    case .notReady: "the SIM or network is not ready or refused, or the bearer is in use"
    case .chainFailed: "the chain of redirects failed, or too many checks wait already"
    case .httpError: "the chain ended in an HTTP answer of 400 or above"
    case .modemFailed: "the modem failed or was unplugged, or its port does not run"
    case .noCode: "no code came, or was given, in time"
    case .refuted:
      "the answer is no: the number is not the SIM's or is another operator's, the SIM was changed, the provider "
        + "does not tell, or the PIN is wrong"
    case .flowFailed: "a flow ended without an answer"
    case .misconfigured:
      "nothing is set up for this: no provider, an incomplete or refused configuration, or a user who is not "
        + "registered"
    case .wrongCode: "the code was wrong"
    case .interrupted: "interrupted by Ctrl-C"
    }
  }

  /// One line for each status.
  package static var table: String {
    allCases.map { status in
      let number = String(status.rawValue)
      return "  " + String(repeating: " ", count: 3 - number.count) + number + "  " + status.meaning
    }.joined(separator: "\n")
  }

  /// How modemctl ends if there is no data path, or a chain over it failed.
  ///
  /// - Parameter cause: a word of org.modemd.Check's `Failure`.
  package static func without(dataPath cause: String?) -> ExitStatus {
    switch cause {
    case "noModem": .noModem
    case "portUnavailable", "modemFailed": .modemFailed
    case "simAbsent", "simLocked", "simNotReady", "notRegistered", "bearerRefused", "noAddress": .notReady
    default: .chainFailed
    }
  }

  /// How modemctl ends if the SIM did not answer its operator's challenge.
  ///
  /// - Parameter code: a word of the outcome.
  package static func without(answerOfSIM code: String?) -> ExitStatus {
    switch code {
    case "simAbsent", "simLocked", "simNotReady": .notReady
    case "modemFailed": .modemFailed
    default: .flowFailed
    }
  }
}
