import ModemModel
import OperatorSimulator
import Synchronization

/// What the simulated Mobile Connect keeps: pages under way, authorizations, codes and tokens, each used once or for a time.
final class MobileConnectStore: Sendable {
  /// A page of operators that a person has not answered yet.
  struct Selection: Hashable, Sendable {
    var application: SimulatedMobileConnectApplication
    var redirectURL: String
  }

  /// An authorization between its request and its answer.
  struct Transaction: Hashable, Sendable {
    var authorization: MobileConnectAuthorization
    /// What the browser's cookie says.
    var cookie: String
    /// Whom the host in clear saw; nil within for nobody, and nil where the chain was not there.
    var seen: String??
    /// Whether the user has agreed on the page.
    var isAgreed = false
    /// How often the operator led to itself.
    var waited = 0
  }

  /// What a user has granted.
  struct Grant: Hashable, Sendable {
    /// Names the grant: all its tokens go together.
    var id: String
    var authorization: MobileConnectAuthorization
    /// E.164.
    var number: String
    /// How the user was authenticated.
    var method: String
    var began: Timestamp
  }

  struct Token: Hashable, Sendable {
    var grant: Grant
    var scope: [String]
    var end: Timestamp
  }

  /// A server-initiated request.
  struct Push: Hashable, Sendable {
    var grant: Grant
    var pending: Int
    var end: Timestamp
  }

  private struct State {
    var selections: [String: Selection] = [:]
    var transactions: [String: Transaction] = [:]
    var codes: [String: Grant] = [:]
    /// Grants of the codes that were used.
    var usedCodes: [String: String] = [:]
    var accessTokens: [String: Token] = [:]
    var refreshTokens: [String: Token] = [:]
    /// Numbers by PCR.
    var references: [String: String] = [:]
    /// Numbers by the token that the exchange gave for them.
    var hintTokens: [String: String] = [:]
    var pushes: [String: Push] = [:]
    var nonces: Set<String> = []
  }

  private let state = Mutex(State())

  // MARK: Pages

  func keep(_ selection: Selection, id: String) { state.withLock { $0.selections[id] = selection } }
  func selection(_ id: String) -> Selection? { state.withLock { $0.selections[id] } }
  func endSelection(_ id: String) { state.withLock { $0.selections[id] = nil } }

  // MARK: Authorizations

  func keep(_ transaction: Transaction, id: String) { state.withLock { $0.transactions[id] = transaction } }
  func transaction(_ id: String) -> Transaction? { state.withLock { $0.transactions[id] } }
  func endTransaction(_ id: String) { state.withLock { $0.transactions[id] = nil } }

  /// Whether a nonce of a client is a new one.
  func isNew(nonce: String, of client: String) -> Bool {
    state.withLock { $0.nonces.insert("\(client) \(nonce)").inserted }
  }

  // MARK: Codes and tokens

  func keep(_ grant: Grant, code: String) { state.withLock { $0.codes[code] = grant } }

  /// The grant of a code. One that comes a second time ends the tokens of the first (RFC 6749, 4.1.2).
  func use(code: String) -> Grant? {
    state.withLock { state in
      if let grant = state.codes.removeValue(forKey: code) {
        state.usedCodes[code] = grant.id
        return grant
      }
      if let id = state.usedCodes[code] { Self.end(grant: id, in: &state) }
      return nil
    }
  }

  func keep(_ token: Token, access: String, refresh: String) {
    state.withLock {
      $0.accessTokens[access] = token
      $0.refreshTokens[refresh] = token
    }
  }

  func access(_ token: String) -> Token? { state.withLock { $0.accessTokens[token] } }
  func refresh(_ token: String) -> Token? { state.withLock { $0.refreshTokens[token] } }

  /// Takes a refresh token away: it is good once.
  func end(refresh token: String) { state.withLock { $0.refreshTokens[token] = nil } }

  /// Revokes a token of a client; a refresh token with all tokens of its grant (RFC 7009, 2.1).
  func revoke(_ token: String, of client: String) {
    state.withLock { state in
      if state.accessTokens[token]?.grant.authorization.application.id == client { state.accessTokens[token] = nil }
      if let found = state.refreshTokens[token], found.grant.authorization.application.id == client {
        Self.end(grant: found.grant.id, in: &state)
      }
    }
  }

  private static func end(grant id: String, in state: inout State) {
    state.accessTokens = state.accessTokens.filter { $0.value.grant.id != id }
    state.refreshTokens = state.refreshTokens.filter { $0.value.grant.id != id }
  }

  // MARK: Who is meant

  func keep(number: String, reference: String) { state.withLock { $0.references[reference] = number } }
  func number(reference: String) -> String? { state.withLock { $0.references[reference] } }
  func keep(number: String, hintToken: String) { state.withLock { $0.hintTokens[hintToken] = number } }
  func number(hintToken: String) -> String? { state.withLock { $0.hintTokens[hintToken] } }

  // MARK: Server-initiated requests

  func keep(_ push: Push, id: String) { state.withLock { $0.pushes[id] = push } }
  func push(_ id: String) -> Push? { state.withLock { $0.pushes[id] } }
  func endPush(_ id: String) { state.withLock { $0.pushes[id] = nil } }
}
