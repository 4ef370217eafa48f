import AuthCore
import ModemAPI

/// How a method's replies ask the caller for something: a code, a PIN, or what a mail holds.
package struct Asking<Reply: Sendable>: Sendable {
  /// A reply that names the flow, by its id, as all do that tell the caller where to answer.
  let naming: @Sendable (Reply, _ flow: String) -> Reply
  let ask: @Sendable (CodeQuestion, _ flow: String) -> Reply

  /// - Parameters:
  ///   - event: of a reply that asks.
  ///   - details: adds the question to it.
  package static func by(
    _ event: Reply.Event, details: @escaping @Sendable (inout Reply, CodeQuestion) -> Void = { _, _ in }
  ) -> Asking where Reply: AskingMethodReply, Reply.Event: Sendable {
    let naming: @Sendable (Reply, String) -> Reply = { reply, flow in
      var reply = reply
      reply.flow = flow
      return reply
    }
    return Asking(naming: naming) { question, flow in
      var reply = naming(Reply(event: event), flow)
      details(&reply, question)
      return reply
    }
  }
}
