import AuthCore
import AuthFlows
import ModemAPI
import ModemService
import Varlink
import MIRACLFlows

/// org.modemd.MIRACL.
struct MIRACLHarness: Sendable {
  typealias Wire = MIRACLInterface

  private let call: FlowCall
  private let identities: any MIRACLIdentityStore
  private let desk: CodeDesk

  init(_ authentication: AuthenticationService, _ identities: any MIRACLIdentityStore, desk: CodeDesk = CodeDesk()) {
    call = FlowCall(authentication)
    self.identities = identities
    self.desk = desk
  }

  func add(to router: inout VarlinkRouter) {
    router.add(Wire.self)
    router.stream(Wire.GetSession.self, getSession)
    router.stream(Wire.AbortSession.self, abortSession)
    router.stream(Wire.Register.self, register)
    router.stream(Wire.Login.self, login)
    router.stream(Wire.Sign.self, sign)
    router.stream(Wire.VerifySignature.self, verifySignature)
    router.stream(Wire.QuickCode.self, quickCode)
    router.handle(Wire.GivePIN.self) { parameters, context in
      try give(Secret(parameters.pin), .pin, "pin", to: parameters.flow, context)
      return .init()
    }
    router.handle(Wire.GiveMail.self) { parameters, context in
      try give(Secret(parameters.mail), .mail, "mail", to: parameters.flow, context)
      return .init()
    }
    let kept = KeptIdentities(identities)
    router.handle(Wire.Identities.self) { _, _ in try await kept.list() }
    router.handle(Wire.Forget.self) { parameters, _ in try await kept.forget(parameters) }
  }

  private func give(
    _ answer: Secret, _ kind: CodeDesk.Answer, _ argument: String, to flow: String, _ context: CallContext
  ) throws {
    do throws(CodeDesk.Refusal) {
      try desk.give(answer, kind, to: flow, by: Caller(context.peer))
    } catch {
      switch error {
      case .noSuchFlow: throw VarlinkError(Wire.NoSuchFlow())
      case .givenBefore: throw VarlinkError(Wire.GivenBefore())
      case .wrongForm(let expected):
        throw VarlinkError(VerifyInterface.InvalidArgument(argument: argument, expected: expected))
      }
    }
  }

  // MARK: Sessions

  @Sendable private func getSession(
    _ parameters: Wire.GetSession.Parameters, _ context: CallContext, _ replies: ReplySink<Wire.GetSession.Reply>
  ) async throws -> Wire.GetSession.Reply {
    let begun = try call.begin(
      on: parameters.modem, for: context.peer, replies, step: { .init(event: .step, step: $0) },
      hop: { .init(event: .hop, hop: $0) })
    let (provider, flow) = try find(parameters.provider, begun.subscriber)
    let link = try onWire { try flow.link(parameters.link) }
    replies.send(.init(event: .ready))
    let (outcome, session) = try await onWire { try await flow.session(link, begun.run) }
    return .init(event: .outcome, outcome: begun.outcome(outcome, provider), session: session.map { .init($0) })
  }

  @Sendable private func abortSession(
    _ parameters: Wire.AbortSession.Parameters, _ context: CallContext, _ replies: ReplySink<Wire.AbortSession.Reply>
  ) async throws -> Wire.AbortSession.Reply {
    let begun = try call.begin(
      on: parameters.modem, for: context.peer, replies, step: { .init(event: .step, step: $0) },
      hop: { .init(event: .hop, hop: $0) })
    let (provider, flow) = try find(parameters.provider, begun.subscriber)
    let outcome: FlowOutcome
    switch (parameters.link, parameters.signingSession) {
    case (let text?, nil):
      let link = try onWire { try flow.link(text) }
      replies.send(.init(event: .ready))
      outcome = try await onWire { try await flow.abort(link, begun.run) }
    case (nil, let id?):
      replies.send(.init(event: .ready))
      outcome = try await onWire { try await flow.abortSigning(Secret(id), begun.run) }
    case (nil, nil), (_?, _?): throw AuthError.invalid("link", "a link or a signingSession, and not both").onWire
    }
    return .init(event: .outcome, outcome: begun.outcome(outcome, provider))
  }

  // MARK: Users

  @Sendable private func register(
    _ parameters: Wire.Register.Parameters, _ context: CallContext, _ replies: ReplySink<Wire.Register.Reply>
  ) async throws -> Wire.Register.Reply {
    try await run(parameters.modem, parameters.provider, context, replies) { flow in
      MIRACLRegistration(
        try MIRACLUser(text: parameters.user), try Self.verification(parameters),
        link: try parameters.link.map { try flow.link($0) }, canAsk: context.more)
    } body: { registration, flow, begun, provider in
      let end = try await flow.register(registration, begun.run)
      return .init(
        event: .outcome, outcome: begun.outcome(end.outcome, provider), identity: end.identity.map { .init($0) })
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

  @Sendable private func login(
    _ parameters: Wire.Login.Parameters, _ context: CallContext, _ replies: ReplySink<Wire.Login.Reply>
  ) async throws -> Wire.Login.Reply {
    try await run(parameters.modem, parameters.provider, context, replies) { flow in
      MIRACLLogin(
        user: try Self.user(parameters.user), link: try parameters.link.map { try flow.link($0) },
        canAsk: context.more)
    } body: { login, flow, begun, provider in
      let end = try await flow.logIn(login, begun.run)
      return .init(
        event: .outcome, outcome: begun.outcome(end.outcome, provider), user: end.user?.revealed,
        session: end.session.map { .init($0) }, token: end.token?.revealed, renewed: end.isRenewed)
    }
  }

  @Sendable private func quickCode(
    _ parameters: Wire.QuickCode.Parameters, _ context: CallContext, _ replies: ReplySink<Wire.QuickCode.Reply>
  ) async throws -> Wire.QuickCode.Reply {
    try await run(parameters.modem, parameters.provider, context, replies) { _ in
      try Self.user(parameters.user)
    } body: { user, flow, begun, provider in
      let (outcome, code) = try await flow.quickCode(of: user, canAsk: context.more, begun.run)
      return .init(
        event: .outcome, outcome: begun.outcome(outcome, provider), code: code?.code.revealed, expires: code?.expires,
        seconds: code?.life)
    }
  }

  // MARK: Signatures

  @Sendable private func sign(
    _ parameters: Wire.Sign.Parameters, _ context: CallContext, _ replies: ReplySink<Wire.Sign.Reply>
  ) async throws -> Wire.Sign.Reply {
    try await run(parameters.modem, parameters.provider, context, replies) { flow in
      (try Self.task(parameters, flow), try Self.user(parameters.user))
    } body: { work, flow, begun, provider in
      let end = try await flow.sign(work.0, by: work.1, canAsk: context.more, begun.run)
      return .init(
        event: .outcome, outcome: begun.outcome(end.outcome, provider), user: end.user?.revealed,
        description: end.description, signature: end.signature.map { .init($0) })
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

  @Sendable private func verifySignature(
    _ parameters: Wire.VerifySignature.Parameters, _ context: CallContext,
    _ replies: ReplySink<Wire.VerifySignature.Reply>
  ) async throws -> Wire.VerifySignature.Reply {
    let begun = try call.begin(
      on: parameters.modem, for: context.peer, replies, step: { .init(event: .step, step: $0) },
      hop: { .init(event: .hop, hop: $0) })
    let (provider, flow) = try find(parameters.provider, begun.subscriber)
    guard let time = parameters.timestamp ?? parameters.signature["timestamp"]?.integer else {
      throw AuthError.invalid("timestamp", "seconds since 1970, here or in the signature").onWire
    }
    replies.send(.init(event: .ready))
    let (outcome, certificate) = try await onWire {
      try await flow.verify(parameters.signature, timestamp: time, begun.run)
    }
    return .init(event: .outcome, outcome: begun.outcome(outcome, provider), certificate: certificate?.revealed)
  }

  // MARK: In general

  private func find(
    _ name: String?, _ subscriber: Subscriber
  ) throws -> (NamedProvider<MIRACLSettings>, MIRACLFlow) {
    try onWire {
      let provider = try call.authentication.providers.find(MIRACLSettings.self, named: name, for: subscriber.home)
      return (provider, MIRACLFlow(provider.settings(for: subscriber.home), identities))
    }
  }

  private static func user(_ text: String?) throws(AuthError) -> MIRACLUser? {
    guard let text else { return nil }
    return try MIRACLUser(text: text)
  }

  /// Runs a method that may ask its caller, who answers by `GivePIN` and `GiveMail`.
  ///
  /// - Parameter arguments: reads the call's arguments, so that errors in them are reported before
  ///   any reply.
  private func run<Arguments, Reply: MIRACLAsking>(
    _ modem: String?, _ provider: String?, _ context: CallContext, _ replies: ReplySink<Reply>,
    _ arguments: (MIRACLFlow) throws -> Arguments,
    body: (Arguments, MIRACLFlow, FlowCall.Begun, NamedProvider<MIRACLSettings>) async throws -> Reply
  ) async throws -> Reply {
    let id = desk.open(for: Caller(context.peer))
    defer { desk.close(id) }
    let begun = try call.begin(
      on: modem, for: context.peer,
      askForCode: { question in
        try await desk.wait(at: id, for: question) { replies.send(.asking(.init(question), id)) }
      }, replies, step: { Reply.stepped($0) }, hop: { Reply.hopped($0) })
    let (found, flow) = try find(provider, begun.subscriber)
    let arguments = try onWire { try arguments(flow) }
    replies.send(.ready(id))
    return try await onWire { try await body(arguments, flow, begun, found) }
  }
}

/// The identities on this machine, for their owner.
private struct KeptIdentities: Sendable {
  private let store: any MIRACLIdentityStore

  init(_ store: any MIRACLIdentityStore) { self.store = store }

  func list() async throws -> MIRACLInterface.Identities.Reply {
    let all = try await onWire { try await store.list() }
    return .init(identities: all.whole.map { .init($0) }, damaged: all.damaged)
  }

  func forget(_ parameters: MIRACLInterface.Forget.Parameters) async throws -> MIRACLInterface.Forget.Reply {
    try await onWire {
      let user = try MIRACLUser(text: parameters.user)
      let meant = try await store.list().whole.map(\.name).filter {
        $0.user == user && $0.project == parameters.project ?? $0.project
          && $0.service == parameters.service ?? $0.service
      }
      guard meant.count < 2 else {
        throw AuthError.invalid("project", "given, and service too, as the user is registered \(meant.count) times")
      }
      guard let only = meant.first, try await store.forget(only) else {
        throw VarlinkError(MIRACLInterface.NoSuchIdentity())
      }
      return .init()
    }
  }
}
