import AuthCore
import JSONTree
import RedirectChain
import Web

/// How the chain of an authorization request ended.
package enum AuthorizationAnswer: Hashable, Sendable {
  /// The redirect URI was reached, with a code.
  case code(Secret, redirect: String)
  case failed(FlowOutcome)

  /// Parameters that may stand once, as the code may: who reads the redirect URI next must not take another value.
  private static let single = ["state", "error", "iss"]

  /// The redirect URI may be announced by anybody on the way, as operators answer in clear. So a code counts by its state, and is worth what the
  /// provider gives for it over TLS; a refusal is one whoever says it; and what would be a verdict counts from the provider alone, with the state.
  ///
  /// - Parameters:
  ///   - state: what the redirect must carry, once.
  ///   - known: what error words mean; none of them is a verdict.
  ///   - endpoint: of the authorization: the word of its site counts.
  ///   - special: what an error means that its word alone does not tell, a verdict among it; nil for the word's meaning.
  package init(
    _ reply: BearerReply, state: Secret, _ known: [String: FlowResult], at endpoint: WebURL,
    special: ([String: String]) -> FlowOutcome? = { _ in nil }
  ) {
    let provider = TrustedOrigins(endpoint).withSites(of: [endpoint])
    switch reply.result {
    case .redirectReached(let uri, let parameters, let announcer):
      let isProviders = announcer?.isOne(of: provider) ?? false
      self.init(uri, parameters, state, known, endpoint.host) { isProviders ? special($0) : special($0)?.unlessVerdict }
    case .answer(let answer): self = .failed(Self.outcome(answer, known, provider, endpoint.host))
    case .failed(let failure): self = .failed(FlowOutcome(failure))
    }
  }

  private init(
    _ uri: String, _ parameters: [String: String], _ state: Secret, _ known: [String: FlowResult], _ host: String,
    _ special: ([String: String]) -> FlowOutcome?
  ) {
    let states = RedirectURI.values(of: "state", in: uri)
    if let name = RedirectURI.doubled(Self.single, in: uri) {
      self = .failed(
        FlowOutcome(.stateMismatch, cause: .stateMismatch, "the redirect URI carries \(name) twice; begin anew"))
    } else if let word = parameters["error"], !word.isEmpty, states.allSatisfy({ $0 == state.revealed }) {
      // Some servers leave the state out of a refusal; nothing is gained by one that is forged.
      let told = states.isEmpty ? special(parameters)?.unlessVerdict : special(parameters)
      self = .failed(told ?? OpenIDProblem.outcome(word, known, status: nil, host: host))
    } else if states != [state.revealed] {
      let what = states.isEmpty ? "no state" : "another state than was sent"
      self = .failed(
        FlowOutcome(.stateMismatch, cause: .stateMismatch, "the redirect URI carries \(what); begin anew"))
    } else if let code = parameters["code"], !code.isEmpty, RedirectURI.doubled(["code"], in: uri) == nil {
      self = .code(Secret(code), redirect: uri)
    } else {
      self = .failed(
        FlowOutcome(.badAnswer, "\(host) redirected without one code and without an error; ask the operator"))
    }
  }

  /// An answer where a redirect was awaited.
  private static func outcome(
    _ answer: ChainAnswer, _ known: [String: FlowResult], _ provider: TrustedOrigins, _ host: String
  ) -> FlowOutcome {
    let json = answer.verified(from: provider)?.json ?? JSONValue(parsing: answer.hearsay.body)
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

extension FlowOutcome {
  /// The outcome, unless it would be a verdict, a session or a code.
  package var unlessVerdict: FlowOutcome? { result.isAnswer ? nil : self }
}
