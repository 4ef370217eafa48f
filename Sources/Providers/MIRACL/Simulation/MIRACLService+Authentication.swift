import JSONTree
import MPin
import MPinServer
import OperatorSimulator

/// Logins: pass 1, pass 2, and their results.
extension MIRACLService {
  private static let scopes: Set<String> = ["jwt", "oidc", "reg-code", "dvs-auth"]

  func passOne(
    _ call: Call, _ project: SimulatedMIRACLProject, _ twist: MIRACLFault.Twist?
  ) throws -> JSONValue {
    let mpinID = try call.text("mpin_id")
    let commitment = try G1Point(hex: try call.text("U"))
    let scopes = (call.body["scope"]?.items ?? []).compactMap(\.string)
    guard scopes.count == 1, Self.scopes.contains(scopes[0]) else { throw MIRACLRefusal.parameter("scope") }
    guard let identity = records.withLock({ $0.identities[mpinID] }), let mpin = identity.mpin else {
      throw MIRACLRefusal.parameter("mpin_id")
    }
    guard try call.text("dtas") == identity.dtas else { throw MIRACLRefusal.parameter("dtas") }
    guard try call.text("publicKey") == mpin.publicKey.hex else { throw MIRACLRefusal.parameter("publicKey") }
    if let life = project.identitySeconds,
      identity.issued.milliseconds + Int64(life) * 1000 <= environment.now().milliseconds
    {
      throw MIRACLRefusal.problem(.expired)
    }
    if twist == .zeroChallenge { return .object(["y": .string(String(repeating: "0", count: 64))]) }
    let challenge = try ServerChallenge.draw(randomness: secrets.randomness)
    let pass = MIRACLPass(mpinID: mpinID, commitment: commitment, challenge: challenge, scope: scopes[0])
    records.withLock { $0.passes[mpinID] = pass }
    return .object(["y": .string(challenge.hex)])
  }

  func passTwo(_ call: Call) throws -> JSONValue {
    let mpinID = try call.text("mpin_id")
    let proof = try G1Point(hex: try call.text("V"))
    let token = environment.makeToken("login token")
    try records.withLock { records in
      // One proof for each challenge.
      guard var pass = records.passes.removeValue(forKey: mpinID) else { throw MIRACLRefusal.problem(.session) }
      pass.proof = proof
      pass.accessID = call.body["WID"]?.string
      records.answered[token] = pass
    }
    return .object(["authOTT": .string(token)])
  }

  func authenticate(
    _ call: Call, _ project: SimulatedMIRACLProject, _ twist: MIRACLFault.Twist?
  ) throws -> JSONValue {
    let token = try call.text("authOTT")
    guard call.body["wam"]?.string == "dvs" else { throw MIRACLRefusal.parameter("wam") }
    let found = records.withLock { records in
      records.answered.removeValue(forKey: token).map { ($0, records.identities[$0.mpinID]) }
    }
    guard let (pass, known) = found, let identity = known, let mpin = identity.mpin, let proof = pass.proof else {
      throw MIRACLRefusal.problem(.session)
    }
    guard !identity.isRevoked else { throw MIRACLRefusal.problem(.revoked) }
    let verifier = PairingVerifier(secret: try secrets.master(identity.generation), identity: mpin)
    let isRight = try verifier.accepts(commitment: pass.commitment, proof: proof, challenge: pass.challenge)
    try count(isRight, pass.mpinID, project)
    if pass.scope == "oidc" { try endSession(pass, identity) }
    var answer: [String: JSONValue] = ["status": .int(200), "message": .string("OK")]
    if pass.scope == "jwt" || pass.scope == "reg-code" {
      answer["jwt"] = .string(try jwt(identity, project, scope: pass.scope, isForged: twist == .otherKey))
    }
    if identity.generation != secrets.generation {
      answer["dvsRegister"] = .object(["token": .string(renewal(of: identity)), "curve": .string("BN254CX")])
    }
    return .object(answer)
  }

  /// Counts a wrong PIN and revokes after the last one; a right one resets the count.
  private func count(_ isRight: Bool, _ mpinID: String, _ project: SimulatedMIRACLProject) throws {
    try records.withLock { records in
      guard isRight else {
        records.identities[mpinID]?.wrongPINs += 1
        let wrong = records.identities[mpinID]?.wrongPINs ?? 0
        records.identities[mpinID]?.isRevoked = wrong >= project.wrongPINs
        throw MIRACLRefusal.problem(wrong >= project.wrongPINs ? .revoked : .wrongPIN)
      }
      records.identities[mpinID]?.wrongPINs = 0
    }
  }

  /// The website's poll sees who logged in. The same user may do so again, as after a renewal.
  private func endSession(_ pass: MIRACLPass, _ identity: MIRACLIdentity) throws {
    let now = environment.now()
    try records.withLock { records in
      guard let id = pass.accessID, var session = records.sessions[id],
        session.isOpen(at: now) || (session.status == .authenticated && session.userID == identity.userID),
        session.projectID == identity.projectID,
        session.expectedUser == nil || session.expectedUser == identity.userID
      else { throw MIRACLRefusal.problem(.session) }
      session.status = .authenticated
      session.userID = identity.userID
      records.sessions[id] = session
    }
  }

  private func jwt(
    _ identity: MIRACLIdentity, _ project: SimulatedMIRACLProject, scope: String, isForged: Bool
  ) throws -> String {
    try secrets.sign(
      .object([
        "iss": .string("https://\(hosts.api)"), "aud": .string(project.id), "sub": .string(identity.userID),
        "iat": .int(seconds), "exp": .int(seconds + project.tokenSeconds),
        "jti": .string(environment.makeName(bytes: 16)),
        "scope": .string(scope),
      ]), isForged: isForged)
  }

  private func renewal(of identity: MIRACLIdentity) -> String {
    let token = environment.makeToken("renewal token", bytes: 32)
    let activation = MIRACLActivation(
      projectID: identity.projectID, userID: identity.userID, isRenewal: true, end: later(300))
    records.withLock { $0.activations[token] = activation }
    return token
  }
}
