import AuthCore
import ModemModel

/// Finds out why a SIM cannot log in whose identity is not known: the port begins no login of a SIM
/// that is absent or locked, and says so.
struct SIMStateMachine: FlowMachine {
  static var usesBearer: Bool { false }

  private let request: EAPLoginRequest

  init(_ settings: TS43Settings) { request = EAPLoginRequest(settings.eap, realm: settings.realm) }

  mutating func start(at now: Timestamp) -> FlowAction<Never> {
    .askSIM(SIMQuestion("beginLogin", .begin(request)))
  }

  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Never> {
    switch event {
    case .simFailed(let failure): .finish(failure.outcome, nil)
    case .simAnswered: .finish(EntitlementContext.withoutIdentity, nil)
    case .opened, .answered, .unanswered, .code, .noCode, .resumed: .unexpected(event)
    }
  }
}
