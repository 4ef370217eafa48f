/// A method, and what its form offers to callers.
struct PythonMethod {
  let name: String
  let comment: [String]
  let parameters: [InterfaceSyntax.Field]
  let reply: [InterfaceSyntax.Field]
  /// The methods by which a caller answers the questions of this one.
  let answers: [Answer]
  /// What comes along with its reply.
  let carriage: Carriage

  /// A method such as GiveCode: it answers what begins with its word, as codeWanted does.
  struct Answer {
    let method: String
    /// `code` of GiveCode.
    let word: String
  }

  /// Whether its replies are a stream: the first of them has the event `ready`.
  var streams: Bool {
    reply.contains { field in
      if case .enum(let words) = field.type.innermost { words.contains("ready") } else { false }
    }
  }

  /// Whether its stream ends with an outcome.
  var hasOutcome: Bool { streams && reply.contains { $0.name == "outcome" } }

  var hasStep: Bool { reply.contains { $0.name == "step" } }
  var hasHop: Bool { reply.contains { $0.name == "hop" } }
  /// The type of what a question's callback is given.
  var question: String { reply.contains { $0.name == "question" } ? "Question" : "\(name)Reply" }

  /// - Parameter interface: the interface, whose methods may be answers to this one's questions.
  init(
    _ name: String, _ comment: [String], _ parameters: [InterfaceSyntax.Field], _ reply: [InterfaceSyntax.Field],
    in interface: InterfaceSyntax
  ) {
    (self.name, self.comment, self.parameters) = (name, comment, parameters)
    // A named enum is looked up, so that its words are at hand.
    self.reply = reply.map { field in
      guard field.name == "event" || field.name == "change", case .named(let type) = field.type,
        case .enum(let words)? = interface.type(named: type)
      else { return field }
      return InterfaceSyntax.Field(name: field.name, comment: field.comment, type: .enum(words))
    }
    let isAsking = reply.contains { $0.name == "flow" }
    answers = isAsking ? Self.answers(in: interface) : []
    carriage = Carriage(comment: comment, reply: reply)
  }

  private static func answers(in interface: InterfaceSyntax) -> [Answer] {
    interface.members.compactMap { member in
      guard case .method(let name, _, let parameters, let reply) = member, name.hasPrefix("Give"), reply.isEmpty,
        parameters.count == 2, parameters[0].name == "flow", parameters[1].type == .string
      else { return nil }
      return Answer(method: name, word: parameters[1].name)
    }
  }
}
