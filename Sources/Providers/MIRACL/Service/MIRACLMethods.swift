import AuthCore
import AuthFlows
import FlowService
import MIRACLAPI
import MIRACLFlows
import ModemAPI
import Varlink

/// org.modemd.MIRACL.
package struct MIRACLMethods: FlowMethods {
  typealias Wire = MIRACLInterface

  /// Who may ask can use up an identity's attempts.
  package static let rights = [
    InterfaceRights([
      .root: [
        Wire.GetSession.self, Wire.AbortSession.self, Wire.Register.self, Wire.Login.self, Wire.Sign.self,
        Wire.VerifySignature.self, Wire.QuickCode.self, Wire.GivePIN.self, Wire.GiveMail.self, Wire.Identities.self,
        Wire.Forget.self,
      ]
    ])
  ]

  private let identities: any MIRACLIdentityStore
  private let pending = MIRACLPendingRegistrations()

  /// - Parameter identities: where the users' identities are stored.
  package init(_ identities: any MIRACLIdentityStore) { self.identities = identities }

  package func add(to flows: inout FlowRouter) {
    flows.add(Wire.self) { error in
      error.code == .storeFailed ? VarlinkError(Wire.StoreFailed(text: error.message)) : nil
    }
    addSessions(to: &flows)
    addUsers(to: &flows)
    addSignatures(to: &flows)
    addAnswers(to: &flows)
    let kept = KeptIdentities(identities)
    flows.handle(Wire.Identities.self) { _, _ in try await kept.list() }
    flows.handle(Wire.Forget.self) { parameters, _ in try await kept.forget(parameters) }
  }

  /// The provider with the identities stored for it.
  private var miracl: ProviderChoice<MIRACLFlow> {
    ProviderChoice { [identities, pending] providers, name, home in
      let found = try providers.find(MIRACLSettings.self, named: name, for: home)
      return .init(
        MIRACLFlow(found.settings(for: home), identities, pending: pending), name: found.name, kind: MIRACLSettings.kind
      )
    }
  }

  // MARK: Sessions

  private func addSessions(to flows: inout FlowRouter) {
    flows.method(Wire.GetSession.self, of: miracl) { parameters in
      parameters.link
    } flow: { link, call in
      try call.provider.link(link)
    } run: { link, call in
      try await call.provider.session(link, call.run)
    } reply: { reply, end in
      reply.session = end.answer.map { Wire.Session($0) }
    }
    flows.method(Wire.AbortSession.self, of: miracl) { parameters in
      guard (parameters.link == nil) != (parameters.signingSession == nil) else {
        throw AuthError.invalid("link", "a link or a signingSession, and not both")
      }
      return parameters
    } flow: { parameters, call in
      (try parameters.link.map { try call.provider.link($0) }, Secret(parameters.signingSession ?? ""))
    } run: { session, call in
      if let link = session.0 { return try await call.provider.abort(link, call.run) }
      return try await call.provider.abortSigning(session.1, call.run)
    }
  }

  // MARK: Users

  private func addUsers(to flows: inout FlowRouter) {
    flows.method(Wire.Register.self, of: miracl, asking: .by(.question) { $0.question = Wire.Question($1) }) {
      parameters in
      (try MIRACLUser(text: parameters.user), try Self.verification(parameters), parameters)
    } flow: { asked, call in
      let (user, verification, parameters) = asked
      return MIRACLRegistration(
        user, verification, link: try parameters.link.map { try call.provider.link($0) }, canAsk: call.canAsk,
        beginsAnew: parameters.anew ?? false)
    } run: { registration, call in
      try await call.provider.register(registration, call.run)
    } reply: { reply, end in
      reply.identity = end.answer.map { Wire.Identity($0) }
    }
    flows.method(Wire.Login.self, of: miracl, asking: .by(.question) { $0.question = Wire.Question($1) }) {
      parameters in
      (try Self.user(parameters.user), parameters.link)
    } flow: { asked, call in
      MIRACLLogin(
        user: asked.0, link: try asked.1.map { try call.provider.link($0) }, canAsk: call.canAsk)
    } run: { login, call in
      try await call.provider.logIn(login, call.run)
    } reply: { reply, end in
      reply.user = end.answer?.user?.revealed
      reply.session = end.answer?.session.map { Wire.Session($0) }
      reply.token = end.answer?.token?.revealed
      reply.renewed = end.answer?.isRenewed ?? false
    }
    flows.method(Wire.QuickCode.self, of: miracl, asking: .by(.question) { $0.question = Wire.Question($1) }) {
      parameters in
      try Self.user(parameters.user)
    } run: { user, call in
      try await call.provider.quickCode(of: user, canAsk: call.canAsk, call.run)
    } reply: { reply, end in
      reply.code = end.answer?.code.revealed
      reply.expires = end.answer?.expires
      reply.seconds = end.answer?.life
    }
  }

  private static func verification(_ parameters: Wire.Register.Parameters) throws(AuthError) -> MIRACLVerification {
    let way = parameters.verification ?? .mail
    switch (way, parameters.proof) {
    case (.mail, nil): return .mail
    case (.backend, nil): return .backend
    case (.link, let proof?) where !proof.isEmpty: return .link(Secret(proof))
    case (.activation, let proof?) where !proof.isEmpty: return .activation(Secret(proof))
    case (.mail, _), (.backend, _): throw .invalid("proof", "none with \(way.rawValue)")
    case (.link, _), (.activation, _): throw .invalid("proof", "the link or the code itself, with \(way.rawValue)")
    }
  }

  private static func user(_ text: String?) throws(AuthError) -> MIRACLUser? {
    guard let text else { return nil }
    return try MIRACLUser(text: text)
  }

  // MARK: Signatures

  private func addSignatures(to flows: inout FlowRouter) {
    flows.method(Wire.Sign.self, of: miracl, asking: .by(.question) { $0.question = Wire.Question($1) }) {
      parameters in
      (try Self.user(parameters.user), parameters)
    } flow: { asked, call in
      (asked.0, try Self.task(asked.1, call.provider))
    } run: { asked, call in
      let (user, task) = asked
      return try await call.provider.sign(task, by: user, canAsk: call.canAsk, call.run)
    } reply: { reply, end in
      reply.user = end.answer?.user?.revealed
      reply.description = end.answer?.description
      reply.signature = end.answer?.signature.map { Wire.Signature($0) }
    }
    flows.method(Wire.VerifySignature.self, of: miracl) { parameters in
      guard let time = parameters.timestamp ?? parameters.signature["timestamp"]?.integer else {
        throw AuthError.invalid("timestamp", "seconds since 1970, here or in the signature")
      }
      return (parameters.signature, time)
    } run: { asked, call in
      let (signature, time) = asked
      return try await call.provider.verify(signature, timestamp: time, call.run)
    } reply: { reply, end in
      reply.certificate = end.answer?.revealed
    }
  }

  private static func task(
    _ parameters: Wire.Sign.Parameters, _ flow: MIRACLFlow
  ) throws(AuthError) -> MIRACLSigningTask {
    switch (parameters.hash, parameters.link, parameters.signingSession) {
    case (let text?, nil, nil):
      guard let hash = MIRACLHash(text) else {
        throw .invalid("hash", "16 to 64 bytes in hexadecimal digits, as sha256sum prints 32")
      }
      return .hash(hash)
    case (nil, let link?, nil): return .link(try flow.link(link))
    case (nil, nil, let id?): return .session(Secret(id))
    default: throw .invalid("hash", "a hash, a link or a signingSession, and one of them alone")
    }
  }

  // MARK: Answers of the caller

  private func addAnswers(to flows: inout FlowRouter) {
    let questions = flows.questions
    flows.handle(Wire.GivePIN.self) { parameters, context in
      do throws(PendingQuestions.Refusal) {
        try questions.give(Secret(parameters.pin), .pin, to: parameters.flow, by: context.peer.userID)
      } catch {
        throw Self.onWire(error, "pin")
      }
      return .init()
    }
    flows.handle(Wire.GiveMail.self) { parameters, context in
      do throws(PendingQuestions.Refusal) {
        try questions.give(Secret(parameters.mail), .mail, to: parameters.flow, by: context.peer.userID)
      } catch {
        throw Self.onWire(error, "mail")
      }
      return .init()
    }
  }

  private static func onWire(_ refusal: PendingQuestions.Refusal, _ argument: String) -> VarlinkError {
    switch refusal {
    case .noSuchFlow: VarlinkError(Wire.NoSuchFlow())
    case .givenBefore: VarlinkError(Wire.GivenBefore())
    case .wrongForm(let expected):
      VarlinkError(VerifyInterface.InvalidArgument(argument: argument, expected: expected))
    }
  }
}
