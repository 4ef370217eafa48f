import AuthCore
import AuthFlows
import ModemAPI
import ModemService
import Varlink

/// What the harnesses of all flows share: one call, from its arguments to its outcome.
struct FlowCall: Sendable {
  let authentication: AuthenticationService
  private let clock = ContinuousClock()

  init(_ authentication: AuthenticationService) { self.authentication = authentication }

  /// A flow that was begun for a caller.
  struct Begun: Sendable {
    let subscriber: Subscriber
    let run: FlowRun
    fileprivate let start: ContinuousClock.Instant

    /// The outcome as an interface has it.
    ///
    /// - Parameters:
    ///   - provider: its name in the configuration.
    ///   - kind: its kind.
    func outcome(_ outcome: FlowOutcome, provider: String?, kind: String?) -> VerifyInterface.Outcome {
      VerifyInterface.Outcome(
        outcome, provider: provider, kind: kind, place: run.place, after: ContinuousClock.now - start)
    }

    /// The same, for a provider that was found in the configuration.
    func outcome<Settings>(
      _ outcome: FlowOutcome, _ provider: NamedProvider<Settings>
    ) -> VerifyInterface.Outcome {
      self.outcome(outcome, provider: provider.name, kind: Settings.kind)
    }
  }

  /// Finds the modem and makes the lanes.
  ///
  /// - Parameters:
  ///   - step: makes a reply for a step.
  ///   - hop: makes a reply for a hop.
  /// - Throws: the errors of the interfaces.
  func begin<Reply>(
    on modem: String?, for peer: Peer, askForCode: FlowLanes.AskForCode? = nil, _ replies: ReplySink<Reply>,
    step: @escaping @Sendable (VerifyInterface.Step) -> Reply,
    hop: @escaping @Sendable (VerifyInterface.Hop) -> Reply
  ) throws -> Begun {
    let subscriber = try onWire { try authentication.subscriber(modem) }
    let run = authentication.run(on: subscriber.modem, for: Caller(peer), askForCode: askForCode) { progress in
      switch progress {
      case .step(let done): replies.send(step(.init(done)))
      case .hop(let index, let done): replies.send(hop(.init(done, of: index)))
      }
    }
    return Begun(subscriber: subscriber, run: run, start: clock.now)
  }

  /// Reads a number that a caller gave.
  ///
  /// - Throws: `InvalidArgument`.
  static func number(_ text: String, _ argument: String = "number") throws -> SubscriberNumber {
    do {
      return try SubscriberNumber(text)
    } catch {
      throw AuthError.invalid(argument, "a number in international form, + and 7 to 15 digits").onWire
    }
  }
}

extension AuthError {
  var onWire: VarlinkError {
    switch code {
    case .invalidArgument(let argument, let expected):
      VarlinkError(VerifyInterface.InvalidArgument(argument: argument, expected: expected))
    case .noProvider, .notConfigured: VarlinkError(VerifyInterface.NoProvider(text: message))
    case .storeFailed: VarlinkError(MIRACLInterface.StoreFailed(text: message))
    case .moreThanOneProvider(let names): VarlinkError(VerifyInterface.MoreThanOneProvider(providers: names))
    }
  }
}
