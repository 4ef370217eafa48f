import IPificationAPI
import ModemAPI

// What people see of IPification's answers, and what of it is hidden.

extension IPificationInterface.Coverage.Reply: FlowReply {
  var findings: [(String, String?)] { [("operator", operatorCode)] }
}

extension IPificationInterface.Authorize.Reply: FlowReply {
  var findings: [(String, String?)] {
    [
      ("code", authorization?.code), ("state", authorization?.state), ("nonce", authorization?.nonce),
      ("redirect", authorization?.redirect),
    ]
  }

  func masked() -> Self {
    var reply = self
    reply.authorization = authorization.map { authorization in
      .init(
        code: Mask.hidden, state: Mask.hidden, nonce: authorization.nonce.map { _ in Mask.hidden },
        redirect: CheckInterface.Redirect(uri: authorization.redirect, parameters: [:]).masked().uri)
    }
    reply.messages = messages?.masked()
    return reply
  }
}

extension IPificationInterface.Verify.Reply: FlowReply {
  var findings: [(String, String?)] {
    [
      ("subject", subject?.id), ("SIM's number", subject?.number), ("mobile id", subject?.mobileID),
      ("ID token", subject?.idToken),
    ]
  }

  func masked() -> Self {
    var reply = self
    reply.subject = subject.map { subject in
      .init(
        id: subject.id.map { _ in Mask.hidden }, number: subject.number.map { Mask.digits($0, readable: 2) },
        mobileID: subject.mobileID.map { _ in Mask.hidden }, idToken: subject.idToken.map { _ in Mask.hidden })
    }
    reply.messages = messages?.masked()
    return reply
  }
}

extension IPificationInterface.Messages {
  fileprivate func masked() -> Self {
    .init(
      session: Mask.hidden, endpoint: endpoint.map { _ in Mask.hidden }, links: links.mapValues { _ in Mask.hidden })
  }
}
