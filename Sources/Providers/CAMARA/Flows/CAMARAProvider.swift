import AuthCore
import ModemModel
import AuthFlows

/// A configured operator or front end, for use in flows. It makes machines with fresh secrets.
public struct CAMARAProvider: Sendable {
  /// The allowed number of hours.
  public static let hours = 1...2400

  public let name: String
  public let settings: CAMARASettings

  public init(name: String, settings: CAMARASettings) {
    self.name = name
    self.settings = settings
  }

  /// A machine of Number Verification.
  ///
  /// - Throws: `AuthError` if the client's key cannot sign.
  public func machine(
    _ question: NumberVerificationQuestion, at now: Timestamp
  ) async throws(AuthError) -> NumberVerificationMachine {
    NumberVerificationMachine(
      question, settings, ticket: AuthorizationTicket(settings.tools), proof: try await proof(at: now),
      correlator: correlator())
  }

  /// The question whether a number is the SIM's, in the configured form.
  public func question(_ number: SubscriberNumber, isHashed: Bool? = nil) -> NumberVerificationQuestion {
    guard isHashed ?? settings.hashesNumber else { return .verify(number) }
    return .verifyHash(settings.tools.hexDigest(number.revealed))
  }

  /// A machine of SIM Swap.
  ///
  /// - Throws: `AuthError` if the configured token needs a number and none is given, or if it does
  ///   not allow one.
  public func machine(
    _ question: SIMSwapMachine.Question, about number: SubscriberNumber?, of subscriber: Subscriber,
    at now: Timestamp
  ) async throws(AuthError) -> SIMSwapMachine {
    let isSubscribers = try usesSubscriberToken(for: number, of: subscriber)
    let proof = try await proof(at: now)
    guard isSubscribers else {
      return SIMSwapMachine(question, about: number, settings, proof: proof, correlator: correlator())
    }
    return SIMSwapMachine(
      question, settings, ticket: AuthorizationTicket(settings.tools), proof: proof, correlator: correlator())
  }

  private func usesSubscriberToken(
    for number: SubscriberNumber?, of subscriber: Subscriber
  ) throws(AuthError) -> Bool {
    switch (settings.simSwapToken, number) {
    case (.byNumber, let number): return number == nil
    case (.client, .some): return false
    case (.client, nil): throw .invalid("number", "the number to ask about: the provider's token is the client's own")
    case (.subscriber, nil): return true
    case (.subscriber, let number?):
      // The answer is about the SIM in this machine, and must not be taken for another's.
      guard number == subscriber.number else {
        throw .invalid(
          "number", "none, or the number that the SIM holds: the provider tells of the SIM in this machine alone")
      }
      return true
    }
  }

  private func proof(at now: Timestamp) async throws(AuthError) -> ClientProof {
    try await settings.client.proof(
      for: settings.tokenEndpoint, lifetime: settings.assertionTime, settings.tools, at: now)
  }

  private func correlator() -> String { Base64.encodeURL(settings.tools.random(16)) }

  /// Whole hours of a period, rounded up.
  ///
  /// - Throws: `AuthError` beyond 1 to 2400.
  public static func hours(_ time: Duration) throws(AuthError) -> Int {
    // Whole numbers, because a quotient of durations is a fraction that may lie slightly above the
    // hour.
    let (seconds, rest) = time.components
    guard time > .zero, time <= .seconds(hours.upperBound * 3600) else {
      throw .invalid("maximumAge", "\(hours.lowerBound) to \(hours.upperBound) hours")
    }
    return Int((seconds + (rest > 0 ? 1 : 0) + 3599) / 3600)
  }
}

extension CAMARAProvider: NumberVerifier {
  public var kind: String { CAMARASettings.kind }

  /// Nothing tells before the authorization.
  public func coverage(of subscriber: Subscriber, _ run: FlowRun) async throws -> FlowOutcome? { nil }

  public func verify(
    _ number: SubscriberNumber, of subscriber: Subscriber, _ run: FlowRun
  ) async throws -> FlowOutcome {
    try await run(try await machine(question(number), at: run.now)).outcome
  }
}

extension CAMARAProvider: SIMChangeChecker {
  public func machine(
    for question: SIMChangeQuestion, at now: Timestamp
  ) async throws -> any FlowMachine<SIMChangeAnswer> {
    try await machine(
      .check(hours: try Self.hours(question.maximumAge)), about: question.number, of: question.subscriber, at: now)
  }
}
