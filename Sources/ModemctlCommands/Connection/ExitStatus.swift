import ArgumentParser

/// What modemctl ends with; `modemctl --help` and modemctl(1) list it.
enum ExitStatus: Int32, Sendable {
  case done = 0
  case failed = 1
  case unreachable = 3
  case permissionDenied = 4
  case noModem = 5
  case notReady = 6
  case chainFailed = 7
  case answerIsError = 8
  case interrupted = 130

  var code: ExitCode { ExitCode(rawValue) }
}
