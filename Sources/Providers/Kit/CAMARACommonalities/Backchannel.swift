import AuthCore
import AuthFlows
import ModemModel
import Web

/// What a backchannel request is made of (OpenID Connect CIBA Core 1.0, 7.1): made for one flow
/// alone.
package struct BackchannelTicket: Hashable, Sendable {
  /// Questions for the token, at most.
  package static let polls = 12

  let endpoint: WebURL
  /// Whom the request is about, as in `operatortoken:…`.
  let hint: Secret
  /// Of the client, for the request.
  let proof: ClientProof
  /// Of the client, one for each question for the token: a signed one counts once.
  let pollProofs: [ClientProof]

  /// - Parameters:
  ///   - hint: the only one that is sent, as CAMARA wants it.
  ///   - pollProofs: as many as there may be questions for the token.
  package init(at endpoint: WebURL, hint: Secret, proof: ClientProof, pollProofs: [ClientProof]) {
    self.endpoint = endpoint
    self.hint = hint
    self.proof = proof
    self.pollProofs = pollProofs
  }
}

/// A backchannel request that the server has taken, and whose token is asked for (CIBA Core, 10.1).
struct BackchannelPolling: Hashable, Sendable {
  /// What a server that gives no interval means (CIBA Core, 7.3).
  private static let interval = 5
  /// What each `slow_down` adds (CIBA Core, 11).
  private static let slowing = Duration.seconds(5)

  /// `auth_req_id`
  let id: Secret
  private let end: Timestamp
  private var interval: Duration
  private var proofs: ArraySlice<ClientProof>

  /// Reads the server's answer to the request; nil if it has no `auth_req_id`.
  ///
  /// - Parameter limit: how long the token is asked for at most.
  init?(_ reply: BackendReply, _ proofs: [ClientProof], within limit: Duration, at now: Timestamp) {
    let json = reply.json
    guard let id = json?["auth_req_id"]?.string, (1...4096).contains(id.utf8.count) else { return nil }
    self.id = Secret(id)
    let offered = json?["expires_in"]?.seconds.map { Duration.seconds($0.clamped(to: 1...600)) }
    end = now.later(by: min(offered ?? limit, limit))
    interval = .seconds(json?["interval"]?.seconds?.clamped(to: 1...60) ?? Self.interval)
    self.proofs = proofs[...]
  }

  /// The client's proof for the next question; nil if there are no more.
  mutating func next() -> ClientProof? { proofs.popFirst() }

  /// The server wants longer waits from now on.
  mutating func slowDown() { interval += Self.slowing }

  /// The wait before the next question; nil if that would come too late.
  func pause(at now: Timestamp) -> Duration? {
    proofs.isEmpty || now.later(by: interval) >= end ? nil : interval
  }
}
