import AuthCore
import ModemModel
import AuthFlows
import JSONTree
import CAMARACommonalities

/// A configured operator, or front end, as the flows use it: makes machines with fresh secrets.
package struct CAMARAProvider: Sendable {
  /// Hours that can be asked for.
  package static let hours = 1...2400

  package let name: String
  package let settings: CAMARASettings
  /// Gets the operator tokens, where the settings want them.
  private let tokens: any OperatorTokenSource

  /// - Parameter tokens: not nil for settings with `operatorTokens`.
  package init(name: String, settings: CAMARASettings, tokens: (any OperatorTokenSource)? = nil) {
    self.name = name
    self.settings = settings
    self.tokens =
      tokens
      ?? AbsentTokenSource(
        name: settings.operatorTokensFrom ?? "",
        "operatorTokensFrom: the provider \(name) was not given its source of operator tokens; name it in a call by Verify.Number, or report this"
      )
  }

  /// A question to Number Verification, ready to be asked.
  package enum Inquiry: Sendable {
    case overBearer(NumberVerificationMachine)
    case byOperatorToken(NumberVerificationQuestion, OperatorTokenGrant)
  }

  /// Makes what a question needs before anything is sent.
  ///
  /// - Throws: `AuthError` where the client's key cannot sign.
  package func inquiry(_ question: NumberVerificationQuestion, at now: Timestamp) async throws(AuthError) -> Inquiry {
    guard let tokens = settings.operatorTokens else { return .overBearer(try await machine(question, at: now)) }
    return .byOperatorToken(question, tokens.grant)
  }

  /// Asks Number Verification, over the bearer or by an operator token.
  ///
  /// - Throws: `AuthError` where the client's key cannot sign, and what the lanes throw.
  package func ask(
    _ inquiry: Inquiry, of subscriber: Subscriber, _ run: FlowRun
  ) async throws -> FlowEnd<NumberVerificationAnswer> {
    var end =
      switch inquiry {
      case .overBearer(let machine): try await run(machine)
      case .byOperatorToken(let question, let grant): try await spend(for: question, of: subscriber, grant, run)
      }
    if end.outcome.number != nil || end.outcome.result == .numberRead { end.outcome.proof = proof }
    return end
  }

  /// Gets an operator token and spends it. Nothing of it is kept.
  private func spend(
    for question: NumberVerificationQuestion, of subscriber: Subscriber, _ grant: OperatorTokenGrant, _ run: FlowRun
  ) async throws -> FlowEnd<NumberVerificationAnswer> {
    // While the SIM answers its operator, the connection for its token is opened.
    run.foresee(FlowForesight(destinations: [.init(settings.spendingEndpoint, settings.server.route)]))
    let got = try await tokens.operatorToken(
      for: question == .read ? .phoneNumber : .verify, of: subscriber, run)
    guard got.outcome.result == .authorized, let token = got.answer else {
      guard got.outcome.result != .authorized else {
        return FlowEnd(
          FlowOutcome(.badAnswer, "\(tokens.name) gave no operator token where one was announced; ask the operator"))
      }
      return FlowEnd(got.outcome)
    }
    let now = run.now
    guard token.end.map({ now < $0 }) ?? true else {
      return FlowEnd(FlowOutcome(.expired, "the operator token was over when it came; check this machine's clock"))
    }
    let spent = try await settings.server.grant(
      grant, spending: token, scope: settings.scope(question.service, isSubscribers: true), at: now)
    return try await run(
      OperatorTokenVerificationMachine(question, settings, spent, correlator: settings.server.correlator()))
  }

  /// A machine of Number Verification.
  ///
  /// - Throws: `AuthError` where the client's key cannot sign.
  package func machine(
    _ question: NumberVerificationQuestion, at now: Timestamp
  ) async throws(AuthError) -> NumberVerificationMachine {
    NumberVerificationMachine(
      question, settings, ticket: AuthorizationTicket(settings.server.tools),
      proof: try await settings.server.proof(at: now),
      correlator: settings.server.correlator())
  }

  /// The question whether a number is the SIM's, in the form that the settings want.
  package func question(_ number: SubscriberNumber, isHashed: Bool? = nil) -> NumberVerificationQuestion {
    guard isHashed ?? settings.hashesNumber else { return .verify(number) }
    return .verifyHash(settings.server.tools.hexDigest(number.revealed))
  }

  /// A machine of SIM Swap.
  ///
  /// - Throws: `AuthError` where the number is missing, or may not be given, for the token that the
  ///   settings say.
  package func machine(
    _ question: SIMSwapMachine.Question, about number: SubscriberNumber?, of subscriber: Subscriber,
    at now: Timestamp
  ) async throws(AuthError) -> SIMSwapMachine {
    let isSubscribers = try settings.simSwapToken.usesSubscriberToken(for: number, of: subscriber)
    let proof = try await settings.server.proof(at: now)
    guard isSubscribers else {
      return SIMSwapMachine(question, about: number, settings, proof: proof, correlator: settings.server.correlator())
    }
    return SIMSwapMachine(
      question, settings, ticket: AuthorizationTicket(settings.server.tools), proof: proof,
      correlator: settings.server.correlator())
  }

  /// Whole hours of a period, rounded up.
  ///
  /// - Throws: `AuthError` beyond 1 to 2400.
  package static func hours(_ time: Duration) throws(AuthError) -> Int {
    // Whole numbers: a quotient of durations is a fraction, which may lie a little above the hour.
    let (seconds, rest) = time.components
    guard time > .zero, time <= .seconds(hours.upperBound * 3600) else {
      throw .invalid("maximumAge", "\(hours.lowerBound) to \(hours.upperBound) hours")
    }
    return Int((seconds + (rest > 0 ? 1 : 0) + 3599) / 3600)
  }
}

extension CAMARAProvider: NumberVerifier {
  package var kind: String { CAMARASettings.kind }

  package var proof: NumberProof { settings.operatorTokens == nil ? .bearer : .sim }

  package var needsBearer: Bool { settings.operatorTokens == nil || tokens.needsBearer }

  /// Nothing tells before the authorization.
  package func coverage(
    of subscriber: Subscriber, for number: SubscriberNumber?, _ run: FlowRun
  ) async throws -> FlowOutcome? { nil }

  package func verify(
    _ number: SubscriberNumber, of subscriber: Subscriber, isCovered: Bool, _ run: FlowRun
  ) async throws -> FlowEnd<JSONValue> {
    let end = try await ask(try await inquiry(question(number), at: run.now), of: subscriber, run)
    return FlowEnd(end.outcome, end.answer?.serverAnswer, at: end.place)
  }
}

extension CAMARAProvider: SIMChangeChecker {
  package func machine(
    for question: SIMChangeQuestion, at now: Timestamp
  ) async throws -> any FlowMachine<SIMChangeAnswer> {
    try await machine(
      .check(hours: try Self.hours(question.maximumAge)), about: question.number, of: question.subscriber, at: now)
  }
}
