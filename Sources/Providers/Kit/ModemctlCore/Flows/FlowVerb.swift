import ModemAPI
import Varlink

/// A verb that runs a flow of authentication and shows its steps as they come.
package protocol FlowVerb: Verb {
  associatedtype Method: FlowMethod where Method.Reply: FlowReply

  var flow: FlowOptions { get }

  func parameters() throws -> Method.Parameters
  /// Called with each reply after it is shown, if the flow needs something from the caller.
  func respond(to reply: Method.Reply, in session: Session) async throws
  /// Called once, with the unmasked last reply of modemd.
  func finish(_ reply: Method.Reply, in session: Session) throws
}

extension FlowVerb {
  package var common: CommonOptions { flow.common }

  package func respond(to reply: Method.Reply, in session: Session) async throws {}
  package func finish(_ reply: Method.Reply, in session: Session) throws {}

  package func run(in session: Session) async throws -> ExitStatus {
    var parameters = try parameters()
    parameters.traceparent = flow.trace.traceparent
    return try await run(session, try await session.connect().stream(Method.self, parameters))
  }

  private func run<Replies: AsyncSequence>(_ session: Session, _ replies: Replies) async throws -> ExitStatus
  where Replies.Element == Method.Reply {
    var screen = FlowScreen(session.paint)
    for try await reply in replies {
      let shown = common.reveal ? reply : reply.masked()
      try session.showNext(shown) {
        if let step = shown.step { return screen.show(step) }
        if let hop = shown.hop { return screen.show(hop) }
        guard let outcome = shown.outcome else { return screen.rest() }
        let rest = screen.rest(before: outcome.text)
        return rest + (FlowOutcomeText.result(outcome, shown, session.paint, isFirst: screen.isEmpty) ?? "")
      }
      try await respond(to: reply, in: session)
      guard let outcome = reply.outcome else { continue }
      try finish(reply, in: session)
      if let failure = FlowOutcomeText.failure(outcome) { session.complain(failure.message) }
      return reply.refutes ? .refuted : FlowOutcomeText.status(outcome)
    }
    throw VarlinkClientError.disconnected
  }
}

/// What the help of several flows says.
package enum FlowHelp {
  package static let steps =
    "Each step is shown when it ends, below the requests that it sent over the bearer; calls that repeat are one row."
}
