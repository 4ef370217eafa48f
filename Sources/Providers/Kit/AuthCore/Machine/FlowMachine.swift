import ModemModel

/// A provider's protocol as decisions alone: what happened goes in, what to do next comes out. No clock, no socket, no randomness.
public protocol FlowMachine<Answer>: Sendable {
  /// What the provider gives beside the outcome: codes, tokens, dates.
  associatedtype Answer: Sendable
  /// Whether anything goes over the bearer. Then the bearer is brought up first: nothing is begun at a provider, and paid for, that a
  /// missing bearer would end.
  static var usesBearer: Bool { get }

  /// The first thing to do.
  mutating func start(at now: Timestamp) -> FlowAction<Answer>
  /// What the last action led to.
  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Answer>
}

extension FlowMachine {
  public static var usesBearer: Bool { true }
}

/// What a machine wants done.
public enum FlowAction<Answer: Sendable>: Sendable {
  /// Over the SIM's bearer alone.
  case open(BearerCall)
  /// To a backend or an API, by its own route.
  case send(BackendCall)
  /// Read a one-time code from the modem's messages.
  case readCode(CodeWait)
  /// Ask the caller for a code, a PIN or what a mail holds: it comes by another call.
  case askForCode(CodeQuestion)
  /// Do nothing for a while, as before asking again.
  case pause(step: String, Duration)
  case finish(FlowOutcome, Answer?)
}

/// What an action led to.
public enum FlowEvent: Sendable {
  case opened(BearerReply)
  case answered(BackendReply)
  case unanswered(BackendFailure)
  /// From a message or from the caller.
  case code(Secret)
  case noCode(CodeFailure)
  /// The pause is over.
  case resumed
}

/// Which message a flow waits for.
public struct CodeWait: Hashable, Sendable {
  public var step: String
  /// The whole sender; nil for any.
  public var sender: String?
  /// As `Messages.WaitForCode` takes it, as in `Your code is {digits:6}`; nil for any message with something like a code.
  public var pattern: String?
  /// 1 to 600 seconds.
  public var time: Duration
  /// Messages that came at most so long before count too, 0 to 600 seconds: one may be faster than the answer to the request for it.
  public var lookBack: Duration
  /// Codes that were given and refused: a message with one of them is another message.
  public var refused: Set<Secret>

  public init(
    step: String, sender: String? = nil, pattern: String? = nil, time: Duration = .seconds(120),
    lookBack: Duration = .seconds(10), refused: Set<Secret> = []
  ) {
    self.step = step
    self.sender = sender
    self.pattern = pattern
    self.time = time
    self.lookBack = lookBack
    self.refused = refused
  }
}
