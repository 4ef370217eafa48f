import AuthCore
import ModemModel
import RedirectChain
import Synchronization
import Web

/// An access token of tru.ID.
package struct TruIDToken: Hashable, Sendable {
  /// How long before its expiry a token is no longer used.
  static let margin = Duration.seconds(60)

  package let secret: Secret
  /// When the provider refuses it.
  let end: Timestamp
  /// Its target, if a backend names one. It is not a URL yet, because its owner is unknown.
  let url: String?

  init(_ secret: Secret, end: Timestamp, url: String? = nil) {
    self.secret = secret
    self.end = end
    self.url = url
  }

  func isGood(at now: Timestamp) -> Bool { now.later(by: Self.margin) < end }
}

/// The valid tokens of one client, by what they allow.
final class TruIDTokens: Sendable {
  private let tokens = Mutex<[String: TruIDToken]>([:])

  /// Good or not.
  func token(for scope: String) -> TruIDToken? { tokens.withLock { $0[scope] } }

  func keep(_ token: TruIDToken, for scope: String) { tokens.withLock { $0[scope] = token } }

  /// The provider refused one of them: all may have been revoked.
  func forget() { tokens.withLock { $0.removeAll() } }
}

/// Gets an access token: of the API with the client's credentials (RFC 6749, 4.4), or for coverage
/// from an application's backend.
package struct TruIDTokenMachine: FlowMachine {
  /// Of whom.
  package enum Source: Hashable, Sendable {
    case api(Endpoint, TruIDCredentials, scope: String, BackendRoute)
    case backend(TruIDBackend)
  }

  private let source: Source
  private let kept: TruIDToken?
  private var sent: Timestamp?

  /// - Parameter kept: an earlier token; it is returned again while it is valid.
  package init(_ source: Source, kept: TruIDToken? = nil) {
    self.source = source
    self.kept = kept
  }

  package static var usesBearer: Bool { false }

  package mutating func start(at now: Timestamp) -> FlowAction<TruIDToken> {
    if let kept, kept.isGood(at: now) {
      return .finish(FlowOutcome(.authorized, "the access token is still good"), kept)
    }
    sent = now
    switch source {
    case .api(let api, let credentials, let scope, let route):
      return .send(
        BackendCall(
          "accessToken", .post, api.appending("/oauth2/v1/token"),
          headers: [.basic(credentials.clientID, credentials.clientSecret), .accept("application/json")],
          body: .form(FormFields(["grant_type": "client_credentials", "scope": scope])), route: route))
    case .backend(let backend):
      return .send(backend.call("coverageToken", .get, "/coverage-access-token"))
    }
  }

  package mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<TruIDToken> {
    switch event {
    case .answered(let reply): read(reply)
    case .unanswered(let failure): .finish(failure.outcome, nil)
    case .opened, .code, .noCode, .simAnswered, .simFailed, .resumed: .unexpected(event)
    }
  }

  private func read(_ reply: BackendReply) -> FlowAction<TruIDToken> {
    let (host, isBackend) = place
    guard reply.isSuccess else { return .finish(refusal(reply, host, isBackend), nil) }
    let json = reply.json
    guard let text = json?[isBackend ? "token" : "access_token"]?.string, let sent else {
      return .finish(
        FlowOutcome(.badAnswer, status: reply.status, "\(host) gives no access token where one is awaited"), nil)
    }
    // A token without a lifetime is used once: its expiry is a time at which nothing is cached.
    let life = Duration.seconds(json?["expires_in"]?.seconds?.clamped(to: 0...86_400) ?? 0)
    let url = json?["url"]?.string
    let token = TruIDToken(Secret(text), end: sent.later(by: life), url: url)
    return .finish(FlowOutcome(.authorized, status: reply.status, "\(host) gave an access token"), token)
  }

  private var place: (String, Bool) {
    switch source {
    case .api(let api, _, _, _): (api.host, false)
    case .backend(let backend): (backend.endpoint.host, true)
    }
  }

  /// Any error of a token endpoint concerns the client (RFC 6749, 5.2).
  private func refusal(_ reply: BackendReply, _ host: String, _ isBackend: Bool) -> FlowOutcome {
    if !isBackend, [400, 401, 403].contains(reply.status) {
      return FlowOutcome(
        .clientRefused, code: TruIDProblem(reply.json).code, status: reply.status,
        "\(host) refuses the client; check the client's id and secret, and what its project may do")
    }
    return .truID(reply, host: host, isBackend: isBackend)
  }
}
