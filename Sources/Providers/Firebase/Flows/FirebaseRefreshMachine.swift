import AuthCore
import ModemModel

/// Exchanges a refresh token for a new ID token.
package struct FirebaseRefreshMachine: FlowMachine {
  package typealias Answer = SignedInUser

  package static var usesBearer: Bool { false }

  private let settings: FirebaseSettings
  private let token: Secret

  package init(_ settings: FirebaseSettings, refreshToken: Secret) {
    self.settings = settings
    token = refreshToken
  }

  package func start(at now: Timestamp) -> FlowAction<Answer> {
    guard settings.apiKey != nil || settings.hosts.isEmulator else {
      return .finish(
        FlowOutcome(.notConfigured, "the provider has no API key; put it into its credential"), nil)
    }
    return .send(FirebaseCalls(settings: settings).refresh(token))
  }

  package func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Answer> {
    switch event {
    case .answered(let reply) where reply.isSuccess:
      let user = reply.json.map { SignedInUser(refresh: $0) }
      guard let user, user.idToken != nil else {
        return .finish(
          FlowOutcome(.badAnswer, status: reply.status, "Firebase's answer has no ID token; sign in again"), nil)
      }
      return .finish(FlowOutcome(.signedIn, status: reply.status, "the tokens are fresh"), user)
    case .answered(let reply): return .finish(FirebaseError(reply).outcome, nil)
    case .unanswered(let failure): return .finish(failure.outcome, nil)
    case .opened, .code, .noCode, .simAnswered, .simFailed, .resumed:
      return .finish(FlowOutcome(.badAnswer, "the refresh got an event that belongs to no step of it"), nil)
    }
  }
}
