import JSONTree
import ModemModel
import OperatorSimulator
import Synchronization

/// The auth emulator of the Firebase tools, as far as sign-in by phone needs it. The real one
/// prints the code on its console; this one sends it by short message.
///
/// | request, below `/identitytoolkit.googleapis.com/v1` | |
/// | --- | --- |
/// | `POST /accounts:sendVerificationCode`, `POST /accounts:signInWithPhoneNumber` | with any `key`; their v3 twins too |
/// | `POST /securetoken.googleapis.com/v1/token` | beside it |
/// | `GET /emulator/v1/projects/P/verificationCodes`, `DELETE …/accounts`, `GET` and `PATCH …/config` | beside it |
///
/// `PATCH …/config` takes a member `simulated` beside the emulator's own: see `FirebaseBehaviour`.
package final class FirebaseEmulatorService: SimulatedService {
  private struct State {
    var accounts = FirebaseAccounts()
    var behaviour: FirebaseBehaviour
    var config: JSONValue = .object(["signIn": .object(["allowDuplicateEmails": .bool(false)])])
  }

  private let host: String
  private let environment: ProviderEnvironment
  private let state: Mutex<State>

  /// - Parameters:
  ///   - host: in lower case.
  ///   - behaviour: how it begins.
  package init(host: String, behaviour: FirebaseBehaviour = FirebaseBehaviour(), _ environment: ProviderEnvironment) {
    self.host = host
    self.environment = environment
    state = Mutex(State(behaviour: behaviour))
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    guard request.host == host else { return nil }
    let parts = request.pathParts
    if parts.first == "emulator" { return manage(request, Array(parts.dropFirst())) }
    guard let method = Self.method(of: parts) else { return Self.error(404, "NOT_FOUND") }
    guard request.method == "POST" else { return Self.error(405, "METHOD_NOT_ALLOWED") }
    guard !(request.query["key"] ?? "").isEmpty else {
      return Self.error(403, "The request is missing a valid API key.", "PERMISSION_DENIED")
    }
    if let refusal = state.withLock({ $0.behaviour.refusals[method.rawValue] }) {
      return Self.error(refusal.hasPrefix("QUOTA") || refusal.hasPrefix("TOO_MANY") ? 429 : 400, refusal)
    }
    switch method {
    case .sendVerificationCode: return await sendCode(request.json ?? .null)
    case .signInWithPhoneNumber: return signIn(request.json ?? .null)
    case .token: return refresh(request.form ?? [:])
    }
  }

  private enum Method: String {
    case sendVerificationCode, signInWithPhoneNumber, token
  }

  private static func method(of parts: [String]) -> Method? {
    switch parts.joined(separator: "/") {
    case "identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode",
      "www.googleapis.com/identitytoolkit/v3/relyingparty/sendVerificationCode":
      .sendVerificationCode
    case "identitytoolkit.googleapis.com/v1/accounts:signInWithPhoneNumber",
      "www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPhoneNumber":
      .signInWithPhoneNumber
    case "securetoken.googleapis.com/v1/token": .token
    default: nil
    }
  }

  // MARK: A message and its code

  private func sendCode(_ body: JSONValue) async -> SimulatedResponse {
    guard let number = body["phoneNumber"]?.string, number.hasPrefix("+") else {
      return Self.error(400, "INVALID_PHONE_NUMBER : Invalid format.")
    }
    let code = environment.makeCode("one-time code")
    // 226 characters, as the emulator's.
    let session = environment.makeToken("session", bytes: 64) + environment.makeToken("session", bytes: 49)
    let behaviour = state.withLock { state in
      state.accounts.keep(.init(code: code, number: number), session: session)
      return state.behaviour
    }
    for text in behaviour.texts(code: code) {
      await environment.sendMessage(to: number, from: behaviour.sender, text: text)
    }
    return .json(JSONValue.object(["sessionInfo": .string(session)]).text)
  }

  private func signIn(_ body: JSONValue) -> SimulatedResponse {
    let ids = (user: environment.makeName(bytes: 14), proof: environment.makeToken("temporary proof", bytes: 60))
    return state.withLock { state in
      let number: String
      if let proof = body["temporaryProof"]?.string {
        guard let claimed = body["phoneNumber"]?.string, state.accounts.isProof(proof, of: claimed) else {
          return Self.error(400, "INVALID_TEMPORARY_PROOF")
        }
        number = claimed
      } else {
        guard let session = body["sessionInfo"]?.string else { return Self.error(400, "MISSING_SESSION_INFO") }
        guard let given = body["code"]?.string else { return Self.error(400, "MISSING_CODE") }
        guard let code = state.accounts.code(session: session) else { return Self.error(400, "INVALID_SESSION_INFO") }
        guard given == code.code else { return Self.error(400, "INVALID_CODE") }
        state.accounts.useUp(session: session)
        number = code.number
      }
      return signIn(number, body["idToken"]?.string, ids.user, String(ids.proof.prefix(119)), &state)
    }
  }

  private func signIn(
    _ number: String, _ idToken: String?, _ newID: String, _ proof: String, _ state: inout State
  ) -> SimulatedResponse {
    let owner = state.accounts.user(number: number)
    if state.behaviour.disabledNumbers.contains(number) { return Self.error(400, "USER_DISABLED") }
    if state.behaviour.secondFactorNumbers.contains(number) {
      return Self.error(
        400, "UNSUPPORTED_FIRST_FACTOR : A phone number cannot be set as a first factor on an SMS based MFA user.")
    }
    if let idToken {
      guard let user = state.accounts.user(token: idToken) else { return Self.error(400, "INVALID_ID_TOKEN") }
      if let owner, owner.id != user.id {
        state.accounts.keep(proof: proof, for: number)
        return .json(
          JSONValue.object([
            "phoneNumber": .string(number), "temporaryProof": .string(proof),
            "temporaryProofExpiresIn": .string("3600"),
          ]).text)
      }
      state.accounts.setNumber(number, of: user.id)
      return tokens(user.id, number, isNew: false, &state)
    }
    if let owner { return tokens(owner.id, number, isNew: false, &state) }
    state.accounts.add(.init(id: newID, number: number))
    return tokens(newID, number, isNew: true, &state)
  }

  private func tokens(_ id: String, _ number: String, isNew: Bool, _ state: inout State) -> SimulatedResponse {
    let (idToken, refreshToken) = makeTokens(id, number, &state)
    return .json(
      JSONValue.object([
        "idToken": .string(idToken), "refreshToken": .string(refreshToken), "expiresIn": .string("3600"),
        "localId": .string(id), "isNewUser": .bool(isNew), "phoneNumber": .string(number),
      ]).text)
  }

  private func makeTokens(_ id: String, _ number: String, _ state: inout State) -> (id: String, refresh: String) {
    let refreshToken = environment.makeToken("refresh token", bytes: 40)
    let idToken = FirebaseToken.unsigned(user: id, number: number, now: environment.now())
    environment.issued(idToken, as: "ID token")
    state.accounts.keep(idToken: idToken, refreshToken: refreshToken, of: id)
    return (idToken, refreshToken)
  }

  private func refresh(_ form: [String: String]) -> SimulatedResponse {
    guard form["grant_type"] == "refresh_token" else { return Self.error(400, "INVALID_GRANT_TYPE") }
    guard let token = form["refresh_token"], !token.isEmpty else { return Self.error(400, "MISSING_REFRESH_TOKEN") }
    return state.withLock { state in
      guard let user = state.accounts.user(refreshToken: token) else { return Self.error(400, "INVALID_REFRESH_TOKEN") }
      if state.behaviour.disabledNumbers.contains(user.number) { return Self.error(400, "USER_DISABLED") }
      let (idToken, refreshToken) = makeTokens(user.id, user.number, &state)
      return .json(
        JSONValue.object([
          "id_token": .string(idToken), "access_token": .string(idToken), "refresh_token": .string(refreshToken),
          "expires_in": .string("3600"), "token_type": .string("Bearer"), "user_id": .string(user.id),
          "project_id": .string("example-project"),
        ]).text)
    }
  }

  // MARK: The emulator's own

  private func manage(_ request: SimulatedRequest, _ parts: [String]) -> SimulatedResponse {
    guard parts.count >= 4, parts[0] == "v1", parts[1] == "projects" else { return Self.error(404, "NOT_FOUND") }
    // Tenants share what the project has.
    let name = parts.last ?? ""
    return state.withLock { state in
      switch (request.method, name) {
      case ("GET", "verificationCodes"):
        let codes = state.accounts.codes.map { session, code in
          JSONValue.object([
            "code": .string(code.code), "phoneNumber": .string(code.number), "sessionInfo": .string(session),
          ])
        }
        return .json(JSONValue.object(["verificationCodes": .array(codes)]).text)
      case ("DELETE", "accounts"):
        state.accounts.removeUsers()
        return .json("{}")
      case ("GET", "config"): return .json(state.config.text)
      case ("PATCH", "config"):
        guard let change = request.json else { return Self.error(400, "INVALID_ARGUMENT") }
        if let behaviour = change["simulated"] { state.behaviour = FirebaseBehaviour(behaviour) }
        if let signIn = change["signIn"] { state.config = .object(["signIn": signIn]) }
        return .json(state.config.text)
      default: return Self.error(404, "NOT_FOUND")
      }
    }
  }

  private static func error(_ status: Int, _ message: String, _ word: String? = nil) -> SimulatedResponse {
    var members: [String: JSONValue] = [
      "code": .int(status), "message": .string(message),
      "errors": .array([
        .object(["message": .string(message), "reason": .string("invalid"), "domain": .string("global")])
      ]),
    ]
    members["status"] = word.map { .string($0) }
    return .json(JSONValue.object(["error": .object(members)]).text, status: status)
  }
}
