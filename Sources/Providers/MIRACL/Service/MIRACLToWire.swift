import AuthCore
import AuthFlows
import MIRACLAPI
import ModemAPI
import MIRACLFlows

extension MIRACLInterface.Question {
  init(_ question: CodeQuestion) {
    let seconds = Int(question.time.components.seconds)
    switch question.wanted {
    case .pin(let lengths, let isNew):
      self.init(
        what: .pin, shortest: lengths.lowerBound, longest: lengths.upperBound, isNew: isNew, purpose: question.purpose,
        seconds: seconds)
    case .mail(.link): self.init(what: .mailLink, seconds: seconds)
    // No flow of MIRACL's asks for the code of a message.
    case .mail(.code), .code: self.init(what: .mailCode, seconds: seconds)
    }
  }
}

extension MIRACLInterface.Identity {
  init(_ identity: MIRACLIdentity) {
    let state: State =
      switch identity.state {
      case .active: .active
      case .revoked: .revoked
      case .expired: .expired
      }
    self.init(
      user: identity.name.user.revealed, project: identity.name.project, service: identity.name.service, state: state,
      pinLength: identity.pinLength, created: identity.created.description)
  }
}

extension MIRACLInterface.Session {
  init(_ session: MIRACLSession) {
    self.init(
      project: session.projectName, logo: session.logoURL, user: session.user?.revealed, pinLength: session.pinLength,
      verificationMethod: session.verificationMethod, verificationURL: session.verificationURL,
      verificationText: session.verificationText, identityType: session.identityType,
      identityLabel: session.identityLabel, allowsQuickCode: session.allowsQuickCode,
      limitsQuickCode: session.limitsQuickCode, hash: session.document?.hash.hex,
      description: session.document?.description)
  }
}

extension MIRACLInterface.Signature {
  init(_ signature: MIRACLSignature) {
    self.init(document: signature.document(), timestamp: Int(signature.timestamp))
  }
}
