/// How modemctl ends. `modemctl --help` and the manual page list these.
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
  case interrupted = 130

  /// What it means, for people.
  package var meaning: String {
    switch self {
    case .done: "done; with open: an answer below 400, or the redirect URI"
    case .failed: "something else went wrong"
    case .usage: "an argument is wrong"
    case .unreachable: "modemd does not run, or stopped before it answered"
    case .denied: "you may not ask modemd"
    case .noModem: "there is no modem, none has that name, or there are several and none was named"
    case .notReady: "the SIM or network is not ready or refused, or the bearer is in use"
    case .chainFailed: "the chain of redirects failed"
    case .httpError: "the chain ended in an HTTP answer of 400 or above"
    case .modemFailed: "the modem failed, or its port does not run"
    case .noCode: "no message with a code came in time"
    case .refuted: "the number is not the SIM's, the SIM was changed, the provider does not say, or the PIN is wrong"
    case .flowFailed: "a flow of authentication came to no answer"
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
}
