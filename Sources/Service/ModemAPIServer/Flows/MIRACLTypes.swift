import AuthCore
import AuthFlows
import ModemAPI
import MIRACLFlows

/// A reply of a method that may ask its caller.
protocol MIRACLAsking: Sendable {
  static func ready(_ flow: String) -> Self
  static func asking(_ question: MIRACLInterface.Question, _ flow: String) -> Self
  static func stepped(_ step: MIRACLInterface.Step) -> Self
  static func hopped(_ hop: MIRACLInterface.Hop) -> Self
}

extension MIRACLInterface.Register.Reply: MIRACLAsking {
  static func ready(_ flow: String) -> Self { .init(event: .ready, flow: flow) }
  static func asking(_ question: MIRACLInterface.Question, _ flow: String) -> Self {
    .init(event: .question, flow: flow, question: question)
  }
  static func stepped(_ step: MIRACLInterface.Step) -> Self { .init(event: .step, step: step) }
  static func hopped(_ hop: MIRACLInterface.Hop) -> Self { .init(event: .hop, hop: hop) }
}

extension MIRACLInterface.Login.Reply: MIRACLAsking {
  static func ready(_ flow: String) -> Self { .init(event: .ready, flow: flow) }
  static func asking(_ question: MIRACLInterface.Question, _ flow: String) -> Self {
    .init(event: .question, flow: flow, question: question)
  }
  static func stepped(_ step: MIRACLInterface.Step) -> Self { .init(event: .step, step: step) }
  static func hopped(_ hop: MIRACLInterface.Hop) -> Self { .init(event: .hop, hop: hop) }
}

extension MIRACLInterface.Sign.Reply: MIRACLAsking {
  static func ready(_ flow: String) -> Self { .init(event: .ready, flow: flow) }
  static func asking(_ question: MIRACLInterface.Question, _ flow: String) -> Self {
    .init(event: .question, flow: flow, question: question)
  }
  static func stepped(_ step: MIRACLInterface.Step) -> Self { .init(event: .step, step: step) }
  static func hopped(_ hop: MIRACLInterface.Hop) -> Self { .init(event: .hop, hop: hop) }
}

extension MIRACLInterface.QuickCode.Reply: MIRACLAsking {
  static func ready(_ flow: String) -> Self { .init(event: .ready, flow: flow) }
  static func asking(_ question: MIRACLInterface.Question, _ flow: String) -> Self {
    .init(event: .question, flow: flow, question: question)
  }
  static func stepped(_ step: MIRACLInterface.Step) -> Self { .init(event: .step, step: step) }
  static func hopped(_ hop: MIRACLInterface.Hop) -> Self { .init(event: .hop, hop: hop) }
}

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
