import AuthCore
import JSONTree
import RedirectChain
import Web

/// The end of an authorization request's chain.
package enum AuthorizationAnswer: Hashable, Sendable {
  /// The redirect URI was reached, with a code.
  case code(Secret, redirect: String)
  case failed(FlowOutcome)

  /// Parameters that may only appear once, like the code: the next reader of the redirect URI must
  /// not take another value.
  private static let single = ["state", "error", "iss"]

  /// Anybody on the way may announce the redirect URI, because operators answer in cleartext. A
  /// code therefore counts by its state, and its value is what the provider gives for it over TLS.
  /// A refusal counts from anybody. Only the provider may give a verdict, together with the state.
  ///
  /// - Parameters:
  ///   - state: the redirect must carry it exactly once.
  ///   - known: the meaning of error words; none of them is a verdict.
  ///   - endpoint: the authorization endpoint; its site is trusted.
  ///   - special: an error's meaning beyond its word, such as a verdict; nil for the word's
  ///     meaning.
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
      // Some servers omit the state in a refusal. A forged one gains nothing.
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

  /// An answer instead of the expected redirect.
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
  /// The outcome, unless it is a verdict, a session or a code.
  package var unlessVerdict: FlowOutcome? { result.isAnswer ? nil : self }
}
