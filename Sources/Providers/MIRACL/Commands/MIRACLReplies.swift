import MIRACLAPI
import ModemAPI
import ModemctlCore

extension MIRACLInterface.GetSession.Reply: FlowReply {
  package var findings: [(String, String?)] { session?.findings ?? [] }

  package func masked() -> Self {
    var reply = self
    reply.session = session?.masked()
    return reply
  }
}

extension MIRACLInterface.AbortSession.Reply: FlowReply {}

extension MIRACLInterface.Register.Reply: FlowReply {
  package var findings: [(String, String?)] {
    [
      ("user", identity.map { ForeignText.visible($0.user) }), ("project", identity?.project),
      ("PIN", identity.map { "\($0.pinLength) digits" }),
    ]
  }

  package func masked() -> Self {
    var reply = self
    reply.identity = identity?.masked()
    return reply
  }
}

extension MIRACLInterface.Login.Reply: FlowReply {
  package var findings: [(String, String?)] {
    [
      ("user", user.map { ForeignText.visible($0) }),
      ("website", session?.project.map { ForeignText.visible($0) }), ("token", token),
      ("secret renewed", renewed == true ? "yes" : nil),
    ]
  }

  package func masked() -> Self {
    var reply = self
    reply.user = user.map { Mask.user($0) }
    reply.session = session?.masked()
    reply.token = Mask.hide(token)
    return reply
  }
}

extension MIRACLInterface.Sign.Reply: FlowReply {
  package var findings: [(String, String?)] {
    [
      ("user", user.map { ForeignText.visible($0) }),
      ("document", description.map { ForeignText.visible($0) }),
      ("signed at", signature.map { "\($0.timestamp)" }), ("signature", signature?.document.text),
    ]
  }

  package func masked() -> Self {
    var reply = self
    reply.user = user.map { Mask.user($0) }
    reply.signature?.document = .string(Mask.hidden)
    return reply
  }
}

extension MIRACLInterface.VerifySignature.Reply: FlowReply {
  package var findings: [(String, String?)] { [("certificate", certificate)] }

  package func masked() -> Self {
    var reply = self
    reply.certificate = Mask.hide(certificate)
    return reply
  }
}

extension MIRACLInterface.QuickCode.Reply: FlowReply {
  package var findings: [(String, String?)] { [("code", code), ("good for", seconds.map { "\($0) s" })] }

  /// The code works once, and was asked for: hidden, it would be lost.
  package func masked() -> Self { self }
}

extension MIRACLInterface.Identity {
  /// The place of registration stays, because it identifies nobody.
  func masked() -> Self {
    var shown = self
    shown.user = Mask.user(user)
    return shown
  }
}

extension MIRACLInterface.Session {
  fileprivate var findings: [(String, String?)] {
    [
      ("website", project.map { ForeignText.visible($0) }), ("for", user.map { ForeignText.visible($0) }),
      ("PIN", pinLength.map { "\($0) digits" }), ("verification", verificationMethod),
      ("quick code", allowsQuickCode.map { $0 ? "yes" : "no" }), ("to be signed", hash),
      ("document", description.map { ForeignText.visible($0) }),
    ]
  }

  fileprivate func masked() -> Self {
    var shown = self
    shown.user = user.map { Mask.user($0) }
    return shown
  }
}
