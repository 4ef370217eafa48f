import AuthCore
import AuthFlows
import ModemAPI
import ModemService
import Varlink
import FirebaseFlows
import TruIDFlows

/// org.modemd.PhoneSignIn.
struct PhoneSignInHarness: Sendable {
  private let call: FlowCall
  private let desk: CodeDesk

  init(_ authentication: AuthenticationService, desk: CodeDesk = CodeDesk()) {
    call = FlowCall(authentication)
    self.desk = desk
  }

  func add(to router: inout VarlinkRouter) {
    router.add(PhoneSignInInterface.self)
    router.stream(PhoneSignInInterface.SignIn.self, signIn)
    router.stream(PhoneSignInInterface.Refresh.self, refresh)
    router.handle(PhoneSignInInterface.GiveCode.self) { parameters, context in
      do throws(CodeDesk.Refusal) {
        try desk.give(Secret(parameters.code), .code, to: parameters.flow, by: Caller(context.peer))
      } catch {
        throw error.onWire
      }
      return .init()
    }
  }

  @Sendable private func signIn(
    _ parameters: PhoneSignInInterface.SignIn.Parameters, _ context: CallContext,
    _ replies: ReplySink<PhoneSignInInterface.SignIn.Reply>
  ) async throws -> PhoneSignInInterface.SignIn.Reply {
    let request = try onWire { try SignInRequest(parameters, canAsk: context.more) }
    let id = desk.open(for: Caller(context.peer))
    defer { desk.close(id) }
    let flow = try call.begin(
      on: parameters.modem, for: context.peer,
      askForCode: { question in
        try await desk.wait(at: id, for: question) { replies.send(.init(event: .codeWanted, flow: id)) }
      }, replies, step: { .init(event: .step, step: $0) }, hop: { .init(event: .hop, hop: $0) })
    let (provider, signIn) = try find(parameters.provider, flow.subscriber)
    replies.send(.init(event: .ready, flow: id))
    let end = try await onWire { try await signIn.signIn(request, of: flow.subscriber, flow.run) }
    return .init(event: .outcome, outcome: flow.outcome(end.outcome, provider), user: end.user.map { .init($0) })
  }

  @Sendable private func refresh(
    _ parameters: PhoneSignInInterface.Refresh.Parameters, _ context: CallContext,
    _ replies: ReplySink<PhoneSignInInterface.Refresh.Reply>
  ) async throws -> PhoneSignInInterface.Refresh.Reply {
    let flow = try call.begin(
      on: parameters.modem, for: context.peer, replies, step: { .init(event: .step, step: $0) },
      hop: { .init(event: .hop, hop: $0) })
    let (provider, signIn) = try find(parameters.provider, flow.subscriber)
    replies.send(.init(event: .ready))
    let end = try await onWire { try await signIn.refresh(Secret(parameters.refreshToken), flow.run) }
    return .init(event: .outcome, outcome: flow.outcome(end.outcome, provider), user: end.user.map { .init($0) })
  }

  private func find(
    _ name: String?, _ subscriber: Subscriber
  ) throws -> (NamedProvider<FirebaseSettings>, PhoneSignInFlow) {
    try onWire {
      let providers = call.authentication.providers
      let provider = try providers.find(FirebaseSettings.self, named: name, for: subscriber.home)
      let settings = provider.settings(for: subscriber.home)
      let checker: (any SIMChangeChecker)? =
        switch settings.gate?.source {
        case .backend(let backend)?: TruIDBackendSIMCheck(backend, named: provider.name)
        case .provider(let name)?: try providers.simChangeChecker(named: name, for: subscriber.home)
        case nil: nil
        }
      return (provider, PhoneSignInFlow(settings, checker: checker, now: call.authentication.now))
    }
  }
}

extension CodeDesk.Refusal {
  fileprivate var onWire: VarlinkError {
    switch self {
    case .noSuchFlow: VarlinkError(PhoneSignInInterface.NoSuchFlow())
    case .givenBefore: VarlinkError(PhoneSignInInterface.CodeRefused())
    case .wrongForm(let expected): VarlinkError(VerifyInterface.InvalidArgument(argument: "code", expected: expected))
    }
  }
}

extension SignInRequest {
  /// Reads the arguments of a call.
  fileprivate init(_ parameters: PhoneSignInInterface.SignIn.Parameters, canAsk: Bool) throws {
    let source: CodeSource = parameters.codeFrom == .caller ? .caller : .messages
    guard parameters.idToken != nil || parameters.operation == nil else {
      throw AuthError.invalid("operation", "none without an idToken")
    }
    let account = parameters.idToken.map {
      Account(idToken: Secret($0), operation: parameters.operation.map(Account.Operation.init))
    }
    self.init(
      try FlowCall.number(parameters.number),
      verification: try parameters.appVerification.map { try AppVerification($0) }, codeFrom: source, canAsk: canAsk,
      temporaryProof: parameters.temporaryProof.map { Secret($0) }, account: account)
  }
}

extension SignInRequest.Account.Operation {
  fileprivate init(_ wire: PhoneSignInInterface.SignIn.Parameters.Operation) {
    self =
      switch wire {
      case .signUpOrIn: .signUpOrIn
      case .reauthenticate: .reauthenticate
      case .update: .update
      case .link: .link
      }
  }
}

extension PhoneSignInInterface.User {
  fileprivate init(_ user: SignedInUser) {
    self.init(
      user: user.user, number: user.number?.revealed, idToken: user.idToken?.revealed,
      refreshToken: user.refreshToken?.revealed, expiresIn: user.expiresIn, isNew: user.isNew,
      temporaryProof: user.temporaryProof?.revealed, temporaryProofExpiresIn: user.proofExpiresIn)
  }
}
