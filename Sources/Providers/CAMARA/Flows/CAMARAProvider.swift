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

  package init(name: String, settings: CAMARASettings) {
    self.name = name
    self.settings = settings
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

  /// Nothing tells before the authorization.
  package func coverage(
    of subscriber: Subscriber, for number: SubscriberNumber?, _ run: FlowRun
  ) async throws -> FlowOutcome? { nil }

  package func verify(
    _ number: SubscriberNumber, of subscriber: Subscriber, isCovered: Bool, _ run: FlowRun
  ) async throws -> FlowEnd<JSONValue> {
    let end = try await run(try await machine(question(number), at: run.now))
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
