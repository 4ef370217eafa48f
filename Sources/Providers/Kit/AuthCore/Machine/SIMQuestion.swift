import ModemModel
import RedirectChain

/// What a flow asks of the SIM: a part in an EAP login. The port holds the keys; a flow sees
/// packets alone.
package struct SIMQuestion: Hashable, Sendable {
  package enum Ask: Hashable, Sendable {
    case begin(EAPLoginRequest)
    /// A packet of the server.
    case answer(packet: [UInt8], login: String)
  }

  /// The action, as in `answerChallenge`: the name of the step.
  package var step: String
  package var ask: Ask

  package init(_ step: String, _ ask: Ask) {
    self.step = step
    self.ask = ask
  }
}

/// What the SIM's side answered.
package enum SIMReply: Hashable, Sendable {
  case began(EAPLogin)
  case answered(EAPReply)
}

/// Why the SIM's side did not answer.
package struct SIMFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The words are the outcome's codes.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The modem has no way to ask its SIM.
    case notSupported
    case simAbsent, simLocked, simNotReady
    /// The SIM was asked as often as it may be.
    case tooMany
    /// The modem or its port failed.
    case modemFailed
  }

  package let kind: Kind
  /// With `tooMany`: seconds until it may be asked again.
  package let retryAfter: Int?
  /// One sentence for people.
  package let description: String

  package init(_ kind: Kind, retryAfter: Int? = nil, _ text: String) {
    self.kind = kind
    self.retryAfter = retryAfter
    description = text
  }

  /// Its meaning for a flow.
  package var outcome: FlowOutcome {
    kind == .tooMany
      ? FlowOutcome(.rateLimited, code: kind.rawValue, retryAfter: retryAfter, description)
      : FlowOutcome(.noSIMAnswer, code: kind.rawValue, description)
  }
}
