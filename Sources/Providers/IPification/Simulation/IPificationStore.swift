import ModemModel
import OperatorSimulator
import Synchronization

/// What the simulated IPification keeps: authorizations on their way, codes and tokens, each used once or for a time.
final class IPificationStore: Sendable {
  /// An authorization from its request to its token.
  struct Authorization: Hashable, Sendable {
    var client: SimulatedIPificationClient
    var state: String?
    var scope: [String]
    /// Digits, as the request has them.
    var loginHint: String?
    var nonce: String?
    /// What the first answer's cookie says.
    var cookie: String
    /// The subscriber, once the operator has told by the address; nil within where it knows none.
    var number: String??
    var issued: Timestamp
  }

  /// How long a code is good for.
  private static let codeTime: Int64 = 60_000

  private struct State {
    var running: [String: Authorization] = [:]
    var codes: [String: Authorization] = [:]
    var tokens: [String: Authorization] = [:]
  }

  private let state = Mutex(State())

  func begin(_ authorization: Authorization, id: String) { state.withLock { $0.running[id] = authorization } }

  /// Notes whom the operator saw.
  func note(number: String?, id: String) -> Authorization? {
    state.withLock { state in
      state.running[id]?.number = .some(number)
      return state.running[id]
    }
  }

  /// The authorization whose chain comes to its end; it cannot come a second time.
  func end(_ id: String) -> Authorization? { state.withLock { $0.running.removeValue(forKey: id) } }

  func keep(_ authorization: Authorization, code: String) { state.withLock { $0.codes[code] = authorization } }

  /// The authorization of a code; nil for one that was used before, and for one that is too old.
  func use(code: String, at now: Timestamp) -> Authorization? {
    guard let found = state.withLock({ $0.codes.removeValue(forKey: code) }) else { return nil }
    let isOld = found.client.failure == .expiredCode || now.milliseconds - found.issued.milliseconds > Self.codeTime
    return isOld ? nil : found
  }

  func keep(_ authorization: Authorization, token: String) { state.withLock { $0.tokens[token] = authorization } }

  func authorization(token: String) -> Authorization? { state.withLock { $0.tokens[token] } }
}
