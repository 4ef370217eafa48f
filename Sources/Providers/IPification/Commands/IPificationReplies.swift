import IPificationAPI
import ModemAPI
import ModemctlCore

// What people see of IPification's answers, and what of it is hidden.

extension IPificationInterface.Coverage.Reply: FlowReply {
  package var findings: [(String, String?)] { [("operator", operatorCode)] }
}

extension IPificationInterface.Authorize.Reply: FlowReply {
  package var findings: [(String, String?)] { authorization?.findings ?? [] }

  /// The code works once, and was asked for: hidden, it would be lost.
  package func masked() -> Self {
    var reply = self
    reply.messages = messages?.masked()
    return reply
  }
}

extension IPificationInterface.Verify.Reply: ServerAnswerReply {
  package var findings: [(String, String?)] { (subject?.findings ?? []) + [serverFinding] }

  package func masked() -> Self {
    var reply = withMaskedAnswer()
    reply.subject = subject?.masked()
    reply.messages = messages?.masked()
    return reply
  }
}

extension IPificationInterface.Authorization {
  fileprivate var findings: [(String, String?)] {
    [("code", code), ("state", state), ("nonce", nonce), ("redirect", redirect)]
  }
}

extension IPificationInterface.Subject {
  fileprivate var findings: [(String, String?)] {
    [("subject", id), ("SIM's number", number), ("mobile id", mobileID), ("ID token", idToken)]
  }

  fileprivate func masked() -> Self {
    .init(
      id: Mask.hide(id), number: number.map { Mask.number($0) }, mobileID: Mask.hide(mobileID),
      idToken: Mask.hide(idToken))
  }
}

extension IPificationInterface.Messages {
  fileprivate func masked() -> Self {
    .init(
      session: Mask.hidden, endpoint: Mask.hide(endpoint), links: links.mapValues { _ in Mask.hidden })
  }
}
