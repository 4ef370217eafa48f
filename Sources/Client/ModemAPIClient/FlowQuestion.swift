import FirebaseAPI
import MIRACLAPI
import ModemAPI
import Varlink

/// What a reply asks for.
enum FlowQuestion: Sendable {
  case code(PhoneSignInInterface.SignIn.Reply)
  case pin(MIRACLInterface.Question, flow: String)
  case mail(MIRACLInterface.Question, flow: String)
  case unknown(String)
}

/// A reply that may ask for something.
protocol AskingReply: AskingMethodReply {
  var asked: FlowQuestion? { get }
}

extension PhoneSignInInterface.SignIn.Reply: AskingReply {
  var asked: FlowQuestion? { event == .codeWanted ? .code(self) : nil }
}

/// A reply that may ask for a PIN, or for what a mail contains.
protocol MIRACLAskingReply: AskingReply {
  var question: MIRACLInterface.Question? { get }
}

extension MIRACLAskingReply {
  var asked: FlowQuestion? {
    guard let question else { return nil }
    switch question.what {
    case .pin: return .pin(question, flow: flow ?? "")
    case .mailLink, .mailCode: return .mail(question, flow: flow ?? "")
    case .other(let word): return .unknown(word)
    }
  }
}

extension MIRACLInterface.Register.Reply: MIRACLAskingReply {}
extension MIRACLInterface.Login.Reply: MIRACLAskingReply {}
extension MIRACLInterface.Sign.Reply: MIRACLAskingReply {}
extension MIRACLInterface.QuickCode.Reply: MIRACLAskingReply {}

extension FlowAnswers {
  /// Asks until modemd takes the answer.
  ///
  /// - Throws: `UnansweredQuestion`, what the closure throws, and errors of the call that gives the
  ///   answer.
  func give(_ question: FlowQuestion, over connections: ClientConnections) async throws {
    switch question {
    case .code(let reply):
      try await give("code", code, { CodeQuestion(reply: reply, refusal: $0) }) { answer in
        let code = answer.filter { $0 != " " && $0 != "-" }
        _ = try await connections.call(PhoneSignInInterface.GiveCode.self, .init(flow: reply.flow ?? "", code: code))
      }
    case .pin(let question, let flow):
      try await give("pin", pin, { MIRACLQuestion(question: question, refusal: $0) }) { answer in
        _ = try await connections.call(MIRACLInterface.GivePIN.self, .init(flow: flow, pin: answer))
      }
    case .mail(let question, let flow):
      try await give(question.what.rawValue, mail, { MIRACLQuestion(question: question, refusal: $0) }) { answer in
        let mail = answer.filter { !$0.isWhitespace }
        _ = try await connections.call(MIRACLInterface.GiveMail.self, .init(flow: flow, mail: mail))
      }
    case .unknown(let word): throw UnansweredQuestion(what: word)
    }
  }

  private func give<Question>(
    _ what: String, _ closure: Closure<Question>?, _ question: (VarlinkError?) -> Question,
    by giving: (String) async throws -> Void
  ) async throws {
    var refusal: VarlinkError?
    while true {
      guard let answer = try await closure?(question(refusal)) else { throw UnansweredQuestion(what: what) }
      try Task.checkCancellation()
      do {
        return try await giving(answer)
      } catch let error as VarlinkError where Self.late.contains(error.name) {
        // The flow says itself how it ended.
        return
      } catch let error as VarlinkError where Self.refusals.contains(error.name) {
        refusal = error
      }
    }
  }

  private static let late = [PhoneSignInInterface.NoSuchFlow.name, MIRACLInterface.NoSuchFlow.name]
  private static let refusals = [
    VerifyInterface.InvalidArgument.name, PhoneSignInInterface.CodeRefused.name, MIRACLInterface.GivenBefore.name,
  ]
}
