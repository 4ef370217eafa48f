import AuthCore
import ModemModel
import AuthFlows

/// Signs a user in by a message to their phone, after checking that the number has not moved to
/// another SIM.
public struct PhoneSignInFlow: Sendable {
  /// How it ended.
  public struct End: Sendable {
    public let outcome: FlowOutcome
    public let user: SignedInUser?
  }

  private let settings: FirebaseSettings
  private let checker: (any SIMChangeChecker)?
  private let now: @Sendable () -> Timestamp

  /// - Parameter checker: makes the checker for the backend or the provider that the gate names.
  public init(
    _ settings: FirebaseSettings, checker: (any SIMChangeChecker)? = nil, now: @escaping @Sendable () -> Timestamp
  ) {
    self.settings = settings
    self.checker = checker
    self.now = now
  }

  /// Asks the gate and, only if it allows it, requests a message, gets its code and exchanges it
  /// for tokens.
  ///
  /// - Throws: `AuthError` before anything is sent, and any error of `FlowRun`.
  public func signIn(_ request: SignInRequest, of subscriber: Subscriber, _ run: FlowRun) async throws -> End {
    guard let gate = settings.gate else {
      return End(
        outcome: FlowOutcome(
          .notConfigured,
          "nothing is configured that tells of SIM changes; name a backend or a provider in simCheck of the provider's file"
        ),
        user: nil)
    }
    let check = try await check(gate, request.number, subscriber, run)
    if let stop = gate.stop(after: check) { return End(outcome: stop, user: nil) }
    let end = try await run(FirebaseSignInMachine(settings, request), within: timeLimit)
    var outcome = end.outcome
    outcome.sim = check.result == .simUnchanged ? .unchanged : .unknown
    return End(outcome: outcome, user: end.answer)
  }

  /// Exchanges a refresh token for a new ID token.
  public func refresh(_ token: Secret, _ run: FlowRun) async throws -> End {
    let end = try await run(FirebaseRefreshMachine(settings, refreshToken: token))
    return End(outcome: end.outcome, user: end.answer)
  }

  private func check(
    _ gate: SIMGate, _ number: SubscriberNumber, _ subscriber: Subscriber, _ run: FlowRun
  ) async throws -> FlowOutcome {
    guard let checker else {
      return FlowOutcome(.notConfigured, "the provider that is to check SIM changes is not configured")
    }
    let question = SIMChangeQuestion(number: number, maximumAge: gate.period, subscriber: subscriber)
    return try await run(try await checker.machine(for: question, at: now())).outcome
  }

  /// Each code may take its full time.
  private var timeLimit: Duration { settings.code.time * settings.code.attempts + .seconds(120) }
}
