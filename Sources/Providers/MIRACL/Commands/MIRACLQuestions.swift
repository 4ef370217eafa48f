import MIRACLAPI
import ModemAPI
import ModemctlCore
import Varlink

/// A reply of a flow that may ask for a PIN, or for the content of a mail.
protocol MIRACLQuestioning {
  var flow: String? { get }
  var question: MIRACLInterface.Question? { get }
}

extension MIRACLInterface.Register.Reply: MIRACLQuestioning {}
extension MIRACLInterface.Login.Reply: MIRACLQuestioning {}
extension MIRACLInterface.Sign.Reply: MIRACLQuestioning {}
extension MIRACLInterface.QuickCode.Reply: MIRACLQuestioning {}

extension Session {
  /// Answers a flow's questions until it accepts the answer.
  func answer(_ reply: some MIRACLQuestioning, pin source: MIRACLPINOption) async throws {
    guard let question = reply.question, let flow = reply.flow else { return }
    // Who wants it stands above the prompt: a code may be another website's than it seems.
    if let purpose = question.purpose { console.complain("for: \(ForeignText.visible(purpose))\n") }
    switch question.what {
    case .pin: try await givePIN(question, flow, source)
    case .mailLink: try await giveMail("Link from the mail: ", flow)
    case .mailCode: try await giveMail("Code from the mail: ", flow)
    case .other(let word):
      throw ModemctlError(.failed, "modemd asks for “\(word)”, which this version of modemctl does not know")
    }
  }

  private func givePIN(_ question: MIRACLInterface.Question, _ flow: String, _ source: MIRACLPINOption) async throws {
    while true {
      let pin = try readPIN(question, source)
      do {
        _ = try await call(MIRACLInterface.GivePIN.self, .init(flow: flow, pin: pin), within: .answer)
        return
      } catch let error as VarlinkError where error.parameters(as: VerifyInterface.InvalidArgument.self) != nil {
        let expected = error.parameters(as: VerifyInterface.InvalidArgument.self)?.expected ?? "digits"
        guard source.pinFrom == nil else { throw ModemctlError(.usage, "the PIN of the credential is not \(expected)") }
        complain("a PIN has \(expected) here; nothing was sent")
      } catch let error as VarlinkError where error.parameters(as: MIRACLInterface.NoSuchFlow.self) != nil {
        // The flow itself reports that the PIN came too late.
        return
      }
    }
  }

  private func readPIN(_ question: MIRACLInterface.Question, _ source: MIRACLPINOption) throws -> String {
    if let credential = source.pinFrom {
      return try CredentialEntry.read(credential, in: console.variable("CREDENTIALS_DIRECTORY"))
    }
    let isNew = question.isNew ?? false
    while true {
      guard let pin = try console.readSecret(isNew ? "Choose a PIN of \(question.digits): " : "PIN: ") else {
        throw ModemctlError(.usage, "a PIN is required and none was given; type it, or write it to standard input")
      }
      // From a pipe, one line is enough.
      guard isNew, let again = try console.readSecret("The same PIN again: "), again != pin else { return pin }
      complain("the two PINs differ")
    }
  }

  private func giveMail(_ prompt: String, _ flow: String) async throws {
    try await ask(
      for: MIRACLInterface.GiveMail.self, prompt: prompt,
      missing: "what came by mail is needed and was not given; give it on standard input",
      refusals: [
        .wrong(MIRACLInterface.GivenBefore.self, "this was refused before; give another"),
        .wrong(VerifyInterface.InvalidArgument.self, "give the mail's whole link, or its code"),
        .late(MIRACLInterface.NoSuchFlow.self),
      ],
      parameters: { .init(flow: flow, mail: $0.filter { !$0.isWhitespace }) })
  }
}

extension MIRACLInterface.Question {
  fileprivate var digits: String {
    guard let shortest, let longest else { return "4 to 6 digits" }
    return shortest == longest ? "\(shortest) digits" : "\(shortest) to \(longest) digits"
  }
}
