import AuthCore
import JSONTree
import RedirectChain

/// How the chain of an authorization ended.
enum AuthorizationReply: Hashable, Sendable {
  case code(Secret, redirect: String)
  case messages(IPificationAnswer.MessageFallback)
  case failed(FlowOutcome)

  init(_ reply: BearerReply, state: Secret, _ host: String) {
    switch reply.result {
    case .redirectReached(let uri, let parameters): self.init(uri, parameters, state, host)
    case .answer(let answer): self.init(answer, host)
    case .failed(let failure):
      let location = failure.answer?.values("location").first
      if failure.cause == .badRedirect, let answer = failure.answer {
        let refusal = location.flatMap { IPificationRefusal(uri: $0) }
        self = .failed(
          refusal?.outcome(host)
            ?? FlowOutcome(
              .redirectError, code: location == nil ? IPificationRefusal.emptyLocation : nil, status: answer.status,
              cause: failure.cause, failure.text))
      } else {
        self = .failed(FlowOutcome(failure))
      }
    }
  }

  /// The registered URI: with a code, or with the reason why there is none.
  private init(_ uri: String, _ parameters: [String: String], _ state: Secret, _ host: String) {
    if let fallback = IPificationAnswer.MessageFallback({ parameters[$0] }) {
      self = .messages(fallback)
      return
    }
    let states = RedirectURI.values(of: "state", in: uri)
    let isOurs = states.allSatisfy { $0 == state.revealed }
    if let refusal = IPificationRefusal(uri: uri), isOurs {
      // Some servers leave the state out of a refusal; nothing is gained by one that is forged.
      self = .failed(refusal.outcome(host))
    } else if states.isEmpty || !isOurs {
      self = .failed(
        FlowOutcome(
          .stateMismatch, cause: .stateMismatch,
          "the redirect URI carries \(states.isEmpty ? "no state" : "another state than was sent"); begin anew"))
    } else if let code = parameters["code"], !code.isEmpty, Set(RedirectURI.values(of: "code", in: uri)).count == 1 {
      self = .code(Secret(code), redirect: uri)
    } else {
      self = .failed(
        FlowOutcome(.badAnswer, "\(host) redirected without one code and without an error; ask the provider"))
    }
  }

  /// An answer where a redirect was awaited.
  private init(_ answer: ChainAnswer, _ host: String) {
    let json = JSONValue(parsing: answer.body)
    if let fallback = IPificationAnswer.MessageFallback({ answer.values($0).first ?? json?[$0]?.string }) {
      self = .messages(fallback)
    } else if (300...399).contains(answer.status), let location = answer.values("location").first,
      let refusal = IPificationRefusal(uri: location)
    {
      self = .failed(refusal.outcome(host))
    } else if (200...299).contains(answer.status), Self.isURIWithCode(answer.body) {
      self = .failed(
        FlowOutcome(
          .redirectError, status: answer.status,
          "the answer leads to another URI than the configured redirect URI; compare it with the client's registration")
      )
    } else if (200...299).contains(answer.status), IPificationRefusal(body: answer.body) == nil {
      self = .failed(
        FlowOutcome(
          .badAnswer, status: answer.status, "the chain ended at an answer without a code; ask the provider"))
    } else {
      self = .failed(IPificationRefusal.outcome(answer.status, body: answer.body, host))
    }
  }

  private static func isURIWithCode(_ body: [UInt8]) -> Bool {
    guard let text = String(validating: body, as: UTF8.self), text.contains(":"), !text.hasPrefix("{") else {
      return false
    }
    return RedirectURI.parameters(of: text)["code"] != nil
  }
}

extension IPificationAnswer.MessageFallback {
  /// Reads the fields by their names; nil where there is no session.
  init?(_ field: (String) -> String?) {
    guard let session = field(IPificationArguments.messageField), !session.isEmpty else { return nil }
    self.init(session: Secret(session), endpoint: field("imbox_endpoint").map { Secret($0) })
    for channel in ["wa", "telegram", "viber"] {
      if let link = field(channel + "_link") { links[channel] = Secret(link) }
    }
  }
}
