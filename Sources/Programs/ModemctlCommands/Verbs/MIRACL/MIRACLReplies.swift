import MIRACLAPI
import ModemAPI

extension MIRACLInterface.GetSession.Reply: FlowReply {
  var findings: [(String, String?)] { session?.findings ?? [] }

  func masked() -> Self {
    var reply = self
    reply.session = session?.masked()
    return reply
  }
}

extension MIRACLInterface.AbortSession.Reply: FlowReply {}

extension MIRACLInterface.Register.Reply: FlowReply {
  var findings: [(String, String?)] {
    [
      ("user", identity.map { MessageRendering.visible($0.user) }), ("project", identity?.project),
      ("PIN", identity.map { "\($0.pinLength) digits" }),
    ]
  }

  func masked() -> Self {
    var reply = self
    reply.identity = identity?.masked()
    return reply
  }
}

extension MIRACLInterface.Login.Reply: FlowReply {
  var findings: [(String, String?)] {
    [
      ("user", user.map { MessageRendering.visible($0) }),
      ("website", session?.project.map { MessageRendering.visible($0) }), ("token", token),
      ("secret renewed", renewed == true ? "yes" : nil),
    ]
  }

  func masked() -> Self {
    var reply = self
    reply.user = user.map { Mask.user($0) }
    reply.session = session?.masked()
    reply.token = token.map { _ in Mask.hidden }
    return reply
  }
}

extension MIRACLInterface.Sign.Reply: FlowReply {
  var findings: [(String, String?)] {
    [
      ("user", user.map { MessageRendering.visible($0) }),
      ("document", description.map { MessageRendering.visible($0) }),
      ("signed at", signature.map { "\($0.timestamp)" }), ("signature", signature?.document.text),
    ]
  }

  func masked() -> Self {
    var reply = self
    reply.user = user.map { Mask.user($0) }
    reply.signature?.document = .string(Mask.hidden)
    return reply
  }
}

extension MIRACLInterface.VerifySignature.Reply: FlowReply {
  var findings: [(String, String?)] { [("certificate", certificate)] }

  func masked() -> Self {
    var reply = self
    reply.certificate = certificate.map { _ in Mask.hidden }
    return reply
  }
}

extension MIRACLInterface.QuickCode.Reply: FlowReply {
  var findings: [(String, String?)] { [("code", code), ("good for", seconds.map { "\($0) s" })] }

  func masked() -> Self {
    var reply = self
    reply.code = code.map { _ in Mask.hidden }
    return reply
  }
}

extension MIRACLInterface.Identity {
  /// Where they are registered stays: it names nobody.
  func masked() -> Self {
    var shown = self
    shown.user = Mask.user(user)
    return shown
  }
}

extension MIRACLInterface.Session {
  fileprivate var findings: [(String, String?)] {
    [
      ("website", project.map { MessageRendering.visible($0) }), ("for", user.map { MessageRendering.visible($0) }),
      ("PIN", pinLength.map { "\($0) digits" }), ("verification", verificationMethod),
      ("quick code", allowsQuickCode.map { $0 ? "yes" : "no" }), ("to be signed", hash),
      ("document", description.map { MessageRendering.visible($0) }),
    ]
  }

  fileprivate func masked() -> Self {
    var shown = self
    shown.user = user.map { Mask.user($0) }
    return shown
  }
}
