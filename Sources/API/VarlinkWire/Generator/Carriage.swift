/// What comes along with a method's one reply. The interface language has no word for it.
enum Carriage: Hashable, Sendable {
  /// Nothing.
  case none
  /// A descriptor: an `int` field of the reply, whose name ends in `FileDescriptor`, has its index.
  case descriptor(field: String)
  /// The connection is a stream after it: the comment says that the call is sent with `upgrade`.
  case stream

  init(comment: [String], reply: [InterfaceSyntax.Field]) {
    if let field = reply.first(where: { $0.name.hasSuffix("FileDescriptor") && $0.type == .int }) {
      self = .descriptor(field: field.name)
    } else if comment.joined(separator: " ").contains("must be sent with `upgrade`") {
      self = .stream
    } else {
      self = .none
    }
  }
}
