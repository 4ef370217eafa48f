import ModemModel

/// A provider's protocol as decisions only: events go in, the next action comes out. It has no
/// clock, no socket and no randomness.
package protocol FlowMachine<Answer>: Sendable {
  /// The provider's results besides the outcome: codes, tokens, dates.
  associatedtype Answer: Sendable
  /// Whether anything goes over the bearer. If so, the bearer is brought up first, so that a
  /// missing bearer does not end a flow that has already begun, and cost money, at a provider.
  static var usesBearer: Bool { get }

  /// What it will need later, in its present state. It is looked at before each action.
  var foreseen: FlowForesight { get }

  /// The first thing to do.
  mutating func start(at now: Timestamp) -> FlowAction<Answer>
  /// Takes the result of the last action.
  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Answer>
}

extension FlowMachine {
  package static var usesBearer: Bool { true }
  package var foreseen: FlowForesight { .nothing }
}

/// What a machine wants done.
package enum FlowAction<Answer: Sendable>: Sendable {
  /// Over the SIM's bearer alone.
  case open(BearerCall)
  /// To a backend or an API, by its own route.
  case send(BackendCall)
  /// Read a one-time code from the modem's messages.
  case readCode(CodeWait)
  /// Ask the caller for a code, a PIN or the content of a mail, which comes by another call.
  case askForCode(CodeQuestion)
  /// Let the SIM take part in a login of its operator, inside the modem's port.
  case askSIM(SIMQuestion)
  /// Wait for a while, as before asking again.
  case pause(step: String, Duration)
  case finish(FlowOutcome, Answer?)
}

/// What an action led to.
package enum FlowEvent: Sendable {
  case opened(BearerReply)
  case answered(BackendReply)
  case unanswered(BackendFailure)
  /// From a message or from the caller.
  case code(Secret)
  case noCode(CodeFailure)
  case simAnswered(SIMReply)
  case simFailed(SIMFailure)
  /// The pause is over.
  case resumed
}

/// The message that a flow waits for.
package struct CodeWait: Hashable, Sendable {
  package var step: String
  /// The complete sender; nil for any.
  package var sender: String?
  /// In the form of `Messages.WaitForCode`, as in `Your code is {digits:6}`; nil for any message
  /// that seems to contain a code.
  package var pattern: String?
  /// 1 to 600 seconds.
  package var time: Duration
  /// Messages that arrived up to this long before also count, 0 to 600 seconds, because a message
  /// may be faster than the answer to its request.
  package var lookBack: Duration
  /// Codes that were given and refused: a message with one of them is not the expected one.
  package var refused: Set<Secret>
  /// What the caller can go on with later, if this wait is cut off; it is told at once.
  package var resumption: Secret?

  package init(
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
