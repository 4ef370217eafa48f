import AuthCore
import AuthFlows
import FirebaseAPI
import FirebaseFlows
import FlowService
import ModemAPI
import Varlink

/// org.modemd.PhoneSignIn.
package struct FirebaseMethods: FlowMethods {
  private typealias Wire = PhoneSignInInterface

  /// It reads a code from the messages too, and gives what the code opens.
  package static let rights = [
    InterfaceRights([.root: [Wire.SignIn.self, Wire.GiveCode.self, Wire.Refresh.self]])
  ]

  /// Asks an application's backend, named in the provider's file, about changes of a SIM.
  package typealias BackendChecker = @Sendable (SIMCheckBackend, _ name: String) -> any SIMChangeChecker

  private let backendChecker: BackendChecker

  /// - Parameter backendChecker: makes the client for the backend named in a provider's file.
  package init(backendChecker: @escaping BackendChecker) { self.backendChecker = backendChecker }

  package func add(to flows: inout FlowRouter) {
    flows.add(Wire.self)
    let asking = Asking<Wire.SignIn.Reply>.by(.codeWanted, details: Self.ask) { session in
      var reply = Wire.SignIn.Reply(event: .messageSent)
      reply.verificationID = session.revealed
      return reply
    }
    flows.method(Wire.SignIn.self, of: .settings(FirebaseSettings.self), asking: asking) { parameters in
      try SignInRequest(parameters)
    } flow: { [self] request, call in
      var request = request
      request.canAsk = call.canAsk
      return (request, try flow(call))
    } run: { asked, call in
      let (request, flow) = asked
      return try await flow.signIn(request, of: call.subscriber, call.run)
    } reply: { reply, end in
      reply.verificationID = end.answer?.verificationID?.revealed
      reply.user = end.answer.flatMap { $0.verificationID == nil ? Wire.User($0) : nil }
    }
    flows.method(Wire.Refresh.self, of: .settings(FirebaseSettings.self)) { parameters in
      Secret(parameters.refreshToken)
    } flow: { [self] token, call in
      (token, try flow(call))
    } run: { asked, call in
      let (token, flow) = asked
      return try await flow.refresh(token, call.run)
    } reply: { reply, end in
      reply.user = end.answer.map { Wire.User($0) }
    }
    let questions = flows.questions
    flows.handle(Wire.GiveCode.self) { parameters, context in
      do throws(PendingQuestions.Refusal) {
        try questions.give(Secret(parameters.code), .code, to: parameters.flow, by: context.peer.userID)
      } catch {
        throw error.onWire
      }
      return .init()
    }
  }

  @Sendable private static func ask(_ reply: inout Wire.SignIn.Reply, _ question: CodeQuestion) {
    reply.codeWrong = question.left != nil
    reply.attemptsLeft = question.left
    reply.verificationID = question.resumption?.revealed
  }

  private func flow(_ call: FlowCall<FirebaseSettings>) throws -> PhoneSignInFlow {
    let checker: (any SIMChangeChecker)? =
      switch call.provider.gate?.source {
      case .backend(let backend)?: backendChecker(backend, call.name ?? FirebaseSettings.kind)
      case .provider(let name)?: try call.providers.simChangeChecker(named: name, for: call.subscriber.home)
      case nil: nil
      }
    return PhoneSignInFlow(call.provider, checker: checker, now: { call.run.now })
  }
}

extension PendingQuestions.Refusal {
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
  fileprivate init(_ parameters: PhoneSignInInterface.SignIn.Parameters) throws {
    let source: CodeSource = parameters.codeFrom == .caller ? .caller : .messages
    guard parameters.idToken != nil || parameters.operation == nil else {
      throw AuthError.invalid("operation", "none without an idToken")
    }
    guard parameters.temporaryProof == nil || parameters.verificationID == nil else {
      throw AuthError.invalid("verificationID", "none with a temporaryProof")
    }
    if let id = parameters.verificationID {
      guard (1...4096).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
        throw AuthError.invalid("verificationID", "as an earlier call gave it, 1 to 4096 printable characters")
      }
    }
    let account = parameters.idToken.map {
      Account(idToken: Secret($0), operation: parameters.operation.map(Account.Operation.init))
    }
    self.init(
      try SubscriberNumber(argument: parameters.number),
      verification: try parameters.appVerification.map { try AppVerification($0) }, codeFrom: source,
      temporaryProof: parameters.temporaryProof.map { Secret($0) },
      verificationID: parameters.verificationID.map { Secret($0) }, account: account)
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
