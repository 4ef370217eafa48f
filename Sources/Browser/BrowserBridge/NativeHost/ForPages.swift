import JSONTree
import ModemAPIClient
import NativeMessaging

// What a page may learn of a flow, by whichever way it asks itself.

extension PageFailure {
  /// modemd's own errors have sentences for people, and no number in them.
  init(of error: any Error) {
    switch error {
    case let error as VarlinkError:
      let name = error.name.split(separator: ".").last.map(String.init) ?? "failed"
      self = .modem(name: name, text: "modemd refuses: \(name)")
    case VarlinkClientError.unreachable:
      self = .modem(
        name: "unreachable",
        text: "modemd does not answer; it does not run, or this user is not in the group modemd")
    default: self = .modem(name: "failed", text: "modemd gave no outcome")
    }
  }
}

extension Verdict {
  /// What lasts beyond the page stays with programs: whoever has a refresh token signs in for
  /// months.
  var forPages: [String: JSONValue] { details.filter { !["refreshToken", "steps"].contains($0.key) } }
}

extension ModemQuestion {
  var forPages: PageQuestion {
    switch what {
    case .code(let wasWrong, let attemptsLeft): .code(wasWrong: wasWrong, attemptsLeft: attemptsLeft)
    case .pin(let shortest, let longest): .pin(shortest: shortest, longest: longest, purpose: purpose)
    }
  }
}

extension FlowStep {
  var forPages: PageStep {
    PageStep(
      index: index, name: name, lane: lane.rawValue, start: start, milliseconds: milliseconds, hasFailed: hasFailed)
  }
}
