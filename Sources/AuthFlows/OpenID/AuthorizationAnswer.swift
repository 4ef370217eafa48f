import AuthCore
import JSONTree
import RedirectChain

/// How the chain of an authorization request ended.
enum AuthorizationAnswer: Hashable, Sendable {
  /// The redirect URI was reached, with a code.
  case code(Secret, redirect: String)
  case failed(FlowOutcome)

  /// - Parameters:
  ///   - state: what the redirect must carry.
  ///   - host: the authorization server, for sentences.
  ///   - known: what error words mean.
  ///   - special: what an error means that its word alone does not tell; nil for the word's meaning.
  init(
    _ reply: BearerReply, state: Secret, _ known: [String: FlowResult], host: String,
    special: ([String: String]) -> FlowOutcome? = { _ in nil }
  ) {
    switch reply.result {
    case .redirectReached(let uri, let parameters): self.init(uri, parameters, state, known, host, special)
    case .answer(let answer): self = .failed(Self.outcome(answer, known, host))
    case .failed(let failure): self = .failed(FlowOutcome(failure))
    }
  }

  private init(
    _ uri: String, _ parameters: [String: String], _ state: Secret, _ known: [String: FlowResult], _ host: String,
    _ special: ([String: String]) -> FlowOutcome?
  ) {
    let states = RedirectURI.values(of: "state", in: uri)
    let isOurs = states.allSatisfy { $0 == state.revealed }
    if let word = parameters["error"], !word.isEmpty, isOurs {
      // Some servers leave the state out of a refusal; nothing is gained by one that is forged.
      self = .failed(special(parameters) ?? OpenIDProblem.outcome(word, known, status: nil, host: host))
    } else if states.isEmpty || !isOurs {
      let what = states.isEmpty ? "no state" : "another state than was sent"
      self = .failed(
        FlowOutcome(.stateMismatch, cause: .stateMismatch, "the redirect URI carries \(what); begin anew"))
    } else if let code = parameters["code"], !code.isEmpty, Set(RedirectURI.values(of: "code", in: uri)).count == 1 {
      self = .code(Secret(code), redirect: uri)
    } else {
      self = .failed(
        FlowOutcome(.badAnswer, "\(host) redirected without one code and without an error; ask the operator"))
    }
  }

  /// An answer where a redirect was awaited.
  private static func outcome(_ answer: ChainAnswer, _ known: [String: FlowResult], _ host: String) -> FlowOutcome {
    let json = JSONValue(parsing: answer.body)
    if let word = json?["error"]?.string ?? json?["code"]?.string {
      return OpenIDProblem.outcome(word, known, status: answer.status, host: host)
    }
    guard (200...299).contains(answer.status) else {
      return OpenIDProblem.outcome(nil, known, status: answer.status, host: host)
    }
    return FlowOutcome(
      .badAnswer, status: answer.status,
      "the authorization ended at an answer, and not at the redirect URI; compare that with the registration")
  }
}
