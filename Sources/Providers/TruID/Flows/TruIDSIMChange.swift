import AuthCore
import ModemModel
import OutsideNumber
import AuthFlows

/// SIMCheck as one of several checks for SIM changes.
struct TruIDSIMChangeChecker: SIMChangeChecker {
  let name: String
  let settings: TruIDSettings

  func machine(
    for question: SIMChangeQuestion, at now: Timestamp
  ) async throws -> any FlowMachine<SIMChangeAnswer> {
    guard let number = question.number else {
      throw AuthError.invalid("number", "a number, since tru.ID knows the bearer's by no token")
    }
    // In minutes, at least the requested time.
    let minutes = max(
      OutsideSeconds((question.maximumAge / .seconds(60)).rounded(.up))?.clamped(to: 0...Int.max) ?? 0, 60)
    guard minutes <= 540_000 else {
      throw AuthError.invalid("period", "375 days at most, as tru.ID looks no farther back")
    }
    switch settings.chosenWay {
    case .backend?:
      if let backend = settings.backend { return TruIDSIMChangeMachine(number, minutes, .backend(backend)) }
    case .api?:
      if let credentials = settings.credentials {
        return TruIDSIMChangeMachine(number, minutes, settings: settings, credentials)
      }
    case nil: break
    }
    throw AuthError(
      .notConfigured, "the provider \(name) has neither a backend nor credentials of the API; add one to its file")
  }
}

/// A SIMCheck together with the token that it needs.
struct TruIDSIMChangeMachine: FlowMachine {
  private enum State {
    case token(TruIDTokenMachine)
    case check(TruIDSIMCheckMachine)
  }

  static let scope = "sim_check"

  private let number: SubscriberNumber
  private let minutes: Int
  private let settings: TruIDSettings?
  private var state: State

  init(_ number: SubscriberNumber, _ minutes: Int, _ access: TruIDAccess) {
    self.number = number
    self.minutes = minutes
    settings = nil
    state = .check(TruIDSIMCheckMachine(number, period: minutes, by: access))
  }

  init(
    _ number: SubscriberNumber, _ minutes: Int, settings: TruIDSettings, _ credentials: TruIDCredentials
  ) {
    self.number = number
    self.minutes = minutes
    self.settings = settings
    let source = TruIDTokenMachine.Source.api(settings.api, credentials, scope: Self.scope, settings.apiRoute)
    state = .token(TruIDTokenMachine(source, kept: settings.tokens.token(for: Self.scope)))
  }

  static var usesBearer: Bool { false }

  mutating func start(at now: Timestamp) -> FlowAction<SIMChangeAnswer> {
    switch state {
    case .token(var machine):
      let action = machine.start(at: now)
      state = .token(machine)
      return follow(action, now)
    case .check(var machine):
      let action = machine.start(at: now)
      state = .check(machine)
      return follow(action)
    }
  }

  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<SIMChangeAnswer> {
    switch state {
    case .token(var machine):
      let action = machine.receive(event, at: now)
      state = .token(machine)
      return follow(action, now)
    case .check(var machine):
      let action = machine.receive(event, at: now)
      state = .check(machine)
      return follow(action)
    }
  }

  private mutating func follow(_ action: FlowAction<TruIDToken>, _ now: Timestamp) -> FlowAction<SIMChangeAnswer> {
    guard case .finish(_, let token?) = action, let settings else {
      return action.within { outcome, _ in .finish(outcome, nil) }
    }
    settings.tokens.keep(token, for: Self.scope)
    let client = TruIDClient(api: settings.api, token: token.secret, route: settings.apiRoute)
    state = .check(TruIDSIMCheckMachine(number, period: minutes, by: .api(client)))
    return start(at: now)
  }

  private func follow(_ action: FlowAction<TruIDCheckAnswer>) -> FlowAction<SIMChangeAnswer> {
    action.within { outcome, answer in
      if outcome.result == .clientRefused { settings?.tokens.forget() }
      return .finish(
        outcome,
        answer.map { answer in
          SIMChangeAnswer(
            changedAt: answer.lastSIMChange.flatMap { Timestamp(rfc3339: $0) },
            period: answer.simChangePeriod.map { OutsideSeconds.minutes($0).duration })
        })
    }
  }
}
