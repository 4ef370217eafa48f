import AuthCore
import JSONTree
import RedirectChain
import Web

/// The end of an authorization's chain.
enum AuthorizationReply: Hashable, Sendable {
  case code(Secret, redirect: String)
  case messages(IPificationAnswer.MessageFallback)
  case failed(FlowOutcome)

  /// Parameters that may only appear once, like the code.
  private static let single = ["state", "error", IPificationArguments.messageField]

  /// Anybody on the way may announce the redirect URI. A code therefore counts by its state, and
  /// its value is what the provider gives for it over TLS. Only the provider may announce a session
  /// of a messaging application.
  init(_ reply: BearerReply, state: Secret, of provider: TrustedOrigins, _ host: String) {
    switch reply.result {
    case .redirectReached(let uri, let parameters, let announcer):
      self.init(uri, parameters, state, isProviders: announcer?.isOne(of: provider) ?? false, host)
    case .answer(let answer):
      if let told = answer.verified(from: provider) { self.init(told, host) } else { self.init(answer.hearsay, host) }
    case .failed(let failure):
      let location = failure.answer?.hearsay.location
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

  /// The registered URI, with a code or with the reason for its absence.
  private init(
    _ uri: String, _ parameters: [String: String], _ state: Secret, isProviders: Bool, _ host: String
  ) {
    let states = RedirectURI.values(of: "state", in: uri)
    if let name = RedirectURI.doubled(Self.single, in: uri) {
      self = .failed(
        FlowOutcome(.stateMismatch, cause: .stateMismatch, "the redirect URI carries \(name) twice; begin anew"))
    } else if isProviders, let fallback = IPificationAnswer.MessageFallback({ parameters[$0] }) {
      self = .messages(fallback)
    } else if let refusal = IPificationRefusal(uri: uri), states.allSatisfy({ $0 == state.revealed }) {
      // Some servers omit the state in a refusal. A forged one gains nothing.
      self = .failed(refusal.outcome(host))
    } else if states != [state.revealed] {
      self = .failed(
        FlowOutcome(
          .stateMismatch, cause: .stateMismatch,
          "the redirect URI carries \(states.isEmpty ? "no state" : "another state than was sent"); begin anew"))
    } else if let code = parameters["code"], !code.isEmpty, RedirectURI.doubled(["code"], in: uri) == nil {
      self = .code(Secret(code), redirect: uri)
    } else {
      self = .failed(
        FlowOutcome(.badAnswer, "\(host) redirected without one code and without an error; ask the provider"))
    }
  }

  /// The provider's answer instead of a redirect.
  private init(_ answer: BackendReply, _ host: String) {
    if let fallback = IPificationAnswer.MessageFallback({ answer.header($0) ?? answer.json?[$0]?.string }) {
      self = .messages(fallback)
    } else if (300...399).contains(answer.status),
      let refusal = answer.header("location").flatMap({ IPificationRefusal(uri: $0) })
    {
      self = .failed(refusal.outcome(host))
    } else if answer.isSuccess, Self.isURIWithCode(answer.body) {
      self = .failed(
        FlowOutcome(
          .redirectError, status: answer.status,
          "the answer leads to another URI than the configured redirect URI; compare it with the client's registration")
      )
    } else if answer.isSuccess, IPificationRefusal(body: answer.body) == nil {
      self = .failed(Self.withoutCode(answer.status))
    } else {
      self = .failed(IPificationRefusal.outcome(answer.status, body: answer.body, host))
    }
  }

  /// An answer from somebody else, who can only refuse.
  private init(_ answer: Hearsay, _ host: String) {
    self =
      (200...299).contains(answer.status)
      ? .failed(Self.withoutCode(answer.status))
      : .failed(IPificationRefusal.outcome(answer.status, body: answer.body, host))
  }

  private static func withoutCode(_ status: Int) -> FlowOutcome {
    FlowOutcome(.badAnswer, status: status, "the chain ended at an answer without a code; ask the provider")
  }

  private static func isURIWithCode(_ body: [UInt8]) -> Bool {
    guard let text = String(validating: body, as: UTF8.self), text.contains(":"), !text.hasPrefix("{") else {
      return false
    }
    return RedirectURI.parameters(of: text)["code"] != nil
  }
}

extension IPificationAnswer.MessageFallback {
  /// Reads the fields by their names; nil without a session.
  init?(_ field: (String) -> String?) {
    guard let session = field(IPificationArguments.messageField), !session.isEmpty else { return nil }
    self.init(session: Secret(session), endpoint: field("imbox_endpoint").map { Secret($0) })
    for channel in ["wa", "telegram", "viber"] {
      if let link = field(channel + "_link") { links[channel] = Secret(link) }
    }
  }
}
