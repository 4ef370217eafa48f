import AuthCore
import ModemAPI

/// How a method's replies ask the caller for something: a code, a PIN, or the contents of a mail.
package struct Asking<Reply: Sendable>: Sendable {
  /// A reply that names the flow by its id, as every reply does that asks for an answer.
  let naming: @Sendable (Reply, _ flow: String) -> Reply
  let ask: @Sendable (CodeQuestion, _ flow: String) -> Reply
  /// A reply with what the caller can go on with, once a message was sent whose code is awaited.
  /// Nil if callers are not told.
  let messageSent: (@Sendable (Secret) -> Reply)?

  /// - Parameters:
  ///   - event: the event of a reply that asks.
  ///   - details: adds the question to the reply.
  ///   - messageSent: the reply with what the caller can go on with, once a message was sent.
  package static func by(
    _ event: Reply.Event, details: @escaping @Sendable (inout Reply, CodeQuestion) -> Void = { _, _ in },
    messageSent: (@Sendable (Secret) -> Reply)? = nil
  ) -> Asking where Reply: AskingMethodReply, Reply.Event: Sendable {
    let naming: @Sendable (Reply, String) -> Reply = { reply, flow in
      var reply = reply
      reply.flow = flow
      return reply
    }
    return Asking(
      naming: naming,
      ask: { question, flow in
        var reply = naming(Reply(event: event), flow)
        details(&reply, question)
        return reply
      }, messageSent: messageSent)
  }
}
