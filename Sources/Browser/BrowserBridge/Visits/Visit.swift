import JSONTree
import LimitClock
import ModemAPIClient

/// How a flow ended, for the page.
struct Ending: Sendable {
  let words: Words
  /// Whether the question was answered, either way.
  let isAnswer: Bool
  /// Whether the backend has taken the verdict.
  let isReported: Bool
  /// What the browser brings back, so that the backend knows that it is the one.
  let returnCode: String
}

extension Words {
  /// What a result means to the person before the page. A word of a later version says that there
  /// is no answer.
  static func of(result: String) -> (words: Words, isAnswer: Bool) {
    switch VerifyInterface.Outcome.Result(word: result) {
    case .verified, .authorized: (.verified, true)
    case .notVerified: (.notVerified, true)
    case .simSwapped: (.simChanged, true)
    case .simUnchanged: (.simUnchanged, true)
    case .signedIn: (.signedIn, true)
    case .noDataPath, .notMobileIP, .dnsError, .captivePortal, .headerMissing, .noSIMAnswer: (.noConnection, false)
    case .operatorUnsupported, .notConfigured, .operatorMismatch, .messageAppRequired, .interactionRequired:
      (.notSupported, false)
    case .rateLimited, .providerUnavailable: (.busyOperator, false)
    case .codeRequired, .codeWrong, .expired, .pinWrong, .identityRevoked: (.codeEnd, false)
    case .userRefused: (.refusedByPerson, false)
    case .cancelled: (.cancelled, false)
    default: (.notDetermined, false)
    }
  }

  /// What the errors of a call mean that has no outcome.
  static func of(_ error: any Error) -> Words {
    guard let error = error as? VarlinkError else { return .serviceGone }
    return switch error.name.split(separator: ".").last {
    case "NoModem", "NoSuchModem", "MoreThanOneModem", "PortUnavailable": .noModem
    case "NoProvider", "MoreThanOneProvider", "NoSuchIdentity": .notSupported
    case "PermissionDenied": .denied
    case "TooManyFlows": .tooMany
    default: .notDetermined
    }
  }
}

/// One ticket in one browser, from its page to its end.
struct Visit: Sendable {
  enum Phase: Sendable {
    /// The page with the button.
    case offered
    case running(Task<Void, Never>)
    case asking(ModemQuestion, Task<Void, Never>)
    /// The verdict is being told.
    case reporting(Task<Void, Never>)
    case over(Ending)
  }

  /// Names the visit in addresses; nobody can guess it.
  let key: String
  /// In the forms of the visit's pages, and in no address.
  let form: String
  let user: UInt32
  let address: TicketAddress
  let ask: Ask
  let language: Language
  /// When the ticket expires.
  let end: LimitClock.Instant
  var phase = Phase.offered
  /// Counts the pages that follow one another.
  var page = 1
  var maskedNumber: String?
  /// When something of its page was asked for the last time, or it became what it is.
  var lastSeen: LimitClock.Instant
  /// When the flow began.
  var begin: LimitClock.Instant?
  /// Steps and requests over the bearer, for the inspector alone.
  private(set) var trace: [TraceLine] = []
  private(set) var steps: [(lane: VerifyInterface.Step.Lane, hasFailed: Bool)] = []

  /// Steps that are shown.
  private static let mostSteps = 64

  var task: Task<Void, Never>? {
    switch phase {
    case .running(let task), .asking(_, let task), .reporting(let task): task
    case .offered, .over: nil
    }
  }

  mutating func note(_ event: FlowEvent) {
    if case .trace(let line) = event, trace.count < Self.mostSteps { trace.append(line) }
    switch (event, phase) {
    case (.step(let step), .running(let task)), (.step(let step), .asking(_, let task)):
      if steps.count < Self.mostSteps { steps.append((step.lane, step.hasFailed)) }
      if case .asking = phase {
        phase = .running(task)
        page += 1
      }
    case (.question(let question), .running(let task)), (.question(let question), .asking(_, let task)):
      phase = .asking(question, task)
      page += 1
    case (.trace, _), (_, .offered), (_, .reporting), (_, .over): break
    }
  }

  func statusText(_ text: Text) -> String {
    if case .reporting = phase { return text(.reporting) }
    return text(.running)
  }

  func stepTexts(_ text: Text) -> [String] {
    steps.map { step in
      let words: Words =
        switch step.lane {
        case .bearer: .stepBearer
        case .host, .other: .stepHost
        case .modem: .stepModem
        case .caller: .stepCaller
        }
      return step.hasFailed ? text(.stepFailed, ["step": text(words)]) : text(words)
    }
  }

  /// One line for the page's script: all that it shows.
  func news(_ text: Text) -> [UInt8] {
    let value = JSONValue.object([
      "page": .int(page), "status": .string(statusText(text)),
      "steps": .array(stepTexts(text).map { .string($0) }),
    ])
    return Array((value.text + "\n").utf8)
  }
}

extension TicketAddress {
  /// Where the browser is led back to: the configured address, with the ticket's id.
  ///
  /// - Parameter returnCode: nil if no verdict was told.
  func returnAddress(_ returnCode: String? = nil) -> String {
    backend.back.adding(query: "ticket=\(id)" + (returnCode.map { "&code=\($0)" } ?? "")).text
  }
}

/// Texts that nobody can guess.
enum Unguessable {
  /// 160 bits in 40 hexadecimal digits.
  static func text() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<5).map { _ in
      let digits = String(UInt32.random(in: .min ... .max, using: &generator), radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// Takes as long wherever two texts differ.
  static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && zip(one.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
