import OperatorSimulator

/// The users of a simulated project, the codes that were sent, and the proofs and tokens that were given.
struct FirebaseAccounts: Sendable {
  struct User: Hashable, Sendable {
    var id: String
    var number: String
    var isDisabled = false
    /// Whether it has a second factor: then a phone number cannot be its first.
    var hasSecondFactor = false
  }

  struct Code: Hashable, Sendable {
    var code: String
    var number: String
  }

  private(set) var users: [User] = []
  /// By session, in the order in which they were made.
  private(set) var codes: [(session: String, code: Code)] = []
  private var proofs: [String: String] = [:]
  private var idTokens: [String: String] = [:]
  private var refreshTokens: [String: String] = [:]

  mutating func add(_ user: User) { users.append(user) }

  mutating func removeUsers() {
    users = []
    (idTokens, refreshTokens) = ([:], [:])
  }

  func user(number: String) -> User? { users.first { $0.number == number } }

  /// The user that an ID token or a refresh token was given to.
  func user(token: String) -> User? {
    (idTokens[token] ?? refreshTokens[token]).flatMap { id in users.first { $0.id == id } }
  }

  func user(refreshToken: String) -> User? {
    refreshTokens[refreshToken].flatMap { id in users.first { $0.id == id } }
  }

  mutating func setNumber(_ number: String, of id: String) {
    for index in users.indices where users[index].id == id { users[index].number = number }
  }

  mutating func keep(_ code: Code, session: String) { codes.append((session, code)) }

  func code(session: String) -> Code? { codes.first { $0.session == session }?.code }

  /// A code is good once; a wrong try does not use it up.
  mutating func useUp(session: String) { codes.removeAll { $0.session == session } }

  mutating func keep(proof: String, for number: String) { proofs[proof] = number }

  func isProof(_ proof: String, of number: String) -> Bool { proofs[proof] == number }

  mutating func keep(idToken: String, refreshToken: String, of id: String) {
    idTokens[idToken] = id
    refreshTokens[refreshToken] = id
  }
}
