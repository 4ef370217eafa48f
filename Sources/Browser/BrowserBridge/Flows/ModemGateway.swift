import JSONTree
import JournalLog
import ModemAPIClient
import ModemModel

/// What modemd wants from the person at the browser.
package struct ModemQuestion: Hashable, Sendable {
  package enum What: Hashable, Sendable {
    /// The one-time code of a message.
    case code(wasWrong: Bool, attemptsLeft: Int?)
    /// The PIN of an identity.
    case pin(shortest: Int, longest: Int)
  }

  package let what: What
  /// modemd's id of the flow.
  let flow: String
  /// What it is for, in the words of the site that modemd asked.
  package let purpose: String?
}

/// One action of a flow, with what pages and backends may know of it: no host, no address.
package struct FlowStep: Hashable, Sendable {
  /// From 1.
  package let index: Int
  /// As in createCheck.
  package let name: String
  package let lane: VerifyInterface.Step.Lane
  /// Milliseconds from the flow's start.
  package let start: Double
  package let milliseconds: Double
  package let hasFailed: Bool
}

/// What happens in a flow.
package enum FlowEvent: Sendable {
  case step(FlowStep)
  case question(ModemQuestion)
  /// A step or a request over the bearer, with its host and time. No page of a site shows it.
  case trace(TraceLine)
}

/// modemd, as any program of this machine sees it: over its public socket.
package struct ModemGateway: Sendable {
  private let socket: String

  package init(socket: String) { self.socket = socket }

  /// Asks modemd what a ticket asks. The call ends with its task.
  ///
  /// - Parameter note: told of each event.
  /// - Throws: `CancellationError`; `VarlinkError` and `VarlinkClientError` if there is no verdict.
  package func ask(
    _ question: TicketQuestion, _ note: @Sendable (FlowEvent) async -> Void
  ) async throws -> Verdict {
    let client = try await ModemAPIClient.connect(to: socket)
    let trace = TraceContext.current?.traceparent()
    var verdict: Verdict?
    var steps: [FlowStep] = []
    switch question {
    case .verify(let number, let provider):
      let call = client.stream(
        VerifyInterface.Number.self, .init(number: number.revealed, provider: provider, traceparent: trace))
      for try await reply in call {
        await Self.tell(reply.step, reply.hop, &steps, note)
        if let outcome = reply.outcome { verdict = Verdict(outcome) }
      }
    case .simChange(let number, let hours, let provider):
      let call = client.stream(
        SIMSwapInterface.Check.self,
        .init(number: number?.revealed, maximumAgeHours: hours, provider: provider, traceparent: trace))
      for try await reply in call {
        await Self.tell(reply.step, reply.hop, &steps, note)
        guard let outcome = reply.outcome else { continue }
        verdict = Verdict(
          outcome,
          details: [
            "changedAt": reply.changedAt.map { .string($0) }, "periodHours": reply.periodHours.map { .int($0) },
          ])
      }
    case .signIn(let number, let appVerification, let provider):
      let call = client.stream(
        PhoneSignInInterface.SignIn.self,
        .init(
          number: number.revealed, codeFrom: .caller, appVerification: appVerification, provider: provider,
          traceparent: trace))
      for try await reply in call {
        await Self.tell(reply.step, reply.hop, &steps, note)
        if reply.event == .codeWanted, let flow = reply.flow {
          let what = ModemQuestion.What.code(wasWrong: reply.codeWrong ?? false, attemptsLeft: reply.attemptsLeft)
          await note(.question(ModemQuestion(what: what, flow: flow, purpose: nil)))
        }
        if let outcome = reply.outcome { verdict = Verdict(outcome, details: Self.details(of: reply.user)) }
      }
    case .login(let link, let user, let provider):
      let call = client.stream(
        MIRACLInterface.Login.self, .init(link: link?.revealed, user: user, provider: provider, traceparent: trace))
      for try await reply in call {
        await Self.tell(reply.step, reply.hop, &steps, note)
        if let question = reply.question, question.what == .pin, let flow = reply.flow {
          let what = ModemQuestion.What.pin(shortest: question.shortest ?? 4, longest: question.longest ?? 8)
          await note(.question(ModemQuestion(what: what, flow: flow, purpose: question.purpose)))
        }
        guard let outcome = reply.outcome else { continue }
        verdict = Verdict(
          outcome, details: ["user": reply.user.map { .string($0) }, "token": reply.token.map { .string($0) }])
      }
    }
    try Task.checkCancellation()
    guard let verdict else { throw VarlinkClientError.disconnected }
    return verdict.with(steps)
  }

  /// Gives modemd what a person has entered. If the flow no longer waits for it, nothing happens.
  package func give(_ answer: WipedText, to question: ModemQuestion) async throws {
    // The flow's own connection waits for the flow's end.
    let client = try await ModemAPIClient.connect(to: socket)
    switch question.what {
    case .code:
      _ = try await client.call(
        PhoneSignInInterface.GiveCode.self, .init(flow: question.flow, code: answer.revealed))
    case .pin:
      _ = try await client.call(MIRACLInterface.GivePIN.self, .init(flow: question.flow, pin: answer.revealed))
    }
  }

  private static func tell(
    _ step: VerifyInterface.Step?, _ hop: VerifyInterface.Hop?, _ steps: inout [FlowStep],
    _ note: @Sendable (FlowEvent) async -> Void
  ) async {
    if let hop { await note(.trace(TraceLine(hop))) }
    guard let step else { return }
    await note(.trace(TraceLine(step)))
    let told = FlowStep(
      index: step.index, name: step.name, lane: step.lane, start: step.start, milliseconds: step.milliseconds,
      hasFailed: step.failure != nil)
    steps.append(told)
    await note(.step(told))
  }

  private static func details(of user: PhoneSignInInterface.User?) -> [String: JSONValue?] {
    guard let user else { return [:] }
    return [
      "user": user.user.map { .string($0) }, "idToken": user.idToken.map { .string($0) },
      "refreshToken": user.refreshToken.map { .string($0) }, "isNew": user.isNew.map { .bool($0) },
    ]
  }
}
