import JSONTree
import MPin
import MPinServer
import ModemModel
import OperatorSimulator

/// Signatures of documents: their verification for a relying party, and the older sessions in which
/// they are made.
extension MIRACLService {
  /// `POST /dvs/verify`: the certificate names the signed hash and the time.
  func verify(
    _ call: Call, _ project: SimulatedMIRACLProject, _ twist: MIRACLFault.Twist?
  ) throws -> JSONValue {
    try requireBackend(call, project)
    guard call.body["type"]?.string == "verification" else { throw MIRACLRefusal.parameter("type") }
    guard let signature = call.body["signature"] else { throw MIRACLRefusal.parameter("signature") }
    let time = call.body["timestamp"]?.integer ?? signature["timestamp"]?.integer
    let signer = try checked(signature, timestamp: time)
    guard signer.projectID == project.id else { throw MIRACLRefusal.problem(.signature) }
    let certificate = try secrets.sign(
      .object([
        "iss": .string("https://\(hosts.api)"), "hash": .string(signature["hash"]?.string ?? ""),
        "cAt": .int(time ?? 0), "exp": .int(seconds + project.tokenSeconds),
      ]), isForged: twist == .otherKey)
    return .object(["certificate": .string(certificate)])
  }

  /// Who made a signature.
  ///
  /// - Throws: `MIRACLRefusal` if it belongs to nobody here, to another document or time, or to a
  ///   time in the future; `MPinError` for invalid points.
  private func checked(_ signature: JSONValue, timestamp: Int?) throws -> MIRACLIdentity {
    guard let mpinID = signature["mpinId"]?.string, let identity = records.withLock({ $0.identities[mpinID] }),
      let mpin = identity.mpin, signature["publicKey"]?.string == mpin.publicKey.hex,
      signature["dtas"]?.string == identity.dtas, !identity.isRevoked,
      // A clock may be a minute fast.
      let timestamp, timestamp <= seconds + 60, let time = UInt32(exactly: timestamp),
      let hash = signature["hash"]?.string.flatMap({ Hexadecimal.bytes(of: $0) }),
      let u = signature["u"]?.string, let v = signature["v"]?.string
    else { throw MIRACLRefusal.problem(.signature) }
    let verifier = PairingVerifier(secret: try secrets.master(identity.generation), identity: mpin)
    let made = MPinSignature(u: try G1Point(hex: u), v: try G1Point(hex: v), timestamp: time)
    guard try verifier.accepts(made, of: hash) else { throw MIRACLRefusal.problem(.signature) }
    return identity
  }

  // MARK: - Sessions of older clients

  func signingSession(_ call: Call, _ project: SimulatedMIRACLProject) throws -> JSONValue {
    switch (call.request.method, call.rest) {
    case ("POST", "details"): try signingDetails(call, project)
    case ("POST", _): try openSigning(call, project)
    case ("PUT", _): try endSigning(call)
    default: try abortSigning(call)
    }
  }

  private func openSigning(_ call: Call, _ project: SimulatedMIRACLProject) throws -> JSONValue {
    try requireBackend(call, project)
    try requireProject(call, project)
    let session = MIRACLSession(
      projectID: project.id, expectedUser: try call.text("userId"),
      document: .init(hash: try call.text("hash"), description: call.body["description"]?.string ?? ""),
      end: later(project.sessionSeconds))
    let id = environment.makeName(bytes: 16)
    records.withLock { $0.sessions[id] = session }
    return .object([
      "id": .string(id), "qrURL": .string("https://\(hosts.landing)/dvs/#\(id)"),
      "expireTime": .int(Int(session.end.milliseconds / 1000)),
    ])
  }

  private func signingDetails(_ call: Call, _ project: SimulatedMIRACLProject) throws -> JSONValue {
    guard let session = records.withLock({ $0.sessions[call.body["id"]?.string ?? ""] }),
      let document = session.document
    else { throw MIRACLRefusal.parameter("id") }
    var details: [String: JSONValue] = [
      "userID": .string(session.expectedUser ?? ""), "hash": .string(document.hash),
      "description": .string(document.description), "status": .string(session.isUnanswered ? "active" : "signed"),
      "expireTime": .int(Int(session.end.milliseconds / 1000)), "projectId": .string(project.id),
      "projectName": .string(project.name), "pinLength": .int(project.pinLength),
    ]
    details["signature"] = session.signature.map { .string($0) }
    return .object(details)
  }

  private func endSigning(_ call: Call) throws -> JSONValue {
    let id = try call.text("id")
    guard case .object(var members)? = call.body["signature"] else { throw MIRACLRefusal.parameter("signature") }
    // It stands beside the signature here.
    members["timestamp"] = call.body["timestamp"]
    let signature = JSONValue.object(members)
    let signer = try checked(signature, timestamp: signature["timestamp"]?.integer)
    let now = environment.now()
    try records.withLock { records in
      guard var session = records.sessions[id], session.isOpen(at: now), session.expectedUser == signer.userID,
        session.document?.hash == signature["hash"]?.string
      else { throw MIRACLRefusal.parameter("id") }
      session.status = .signed
      session.userID = signer.userID
      session.signature = signature.text
      records.sessions[id] = session
    }
    return .object(["status": .string("signed")])
  }

  private func abortSigning(_ call: Call) throws -> JSONValue {
    let id = try call.text("id")
    try records.withLock { records in
      guard records.sessions[id]?.document != nil else { throw MIRACLRefusal.parameter("id") }
      records.sessions[id]?.status = .abort
    }
    return .object([:])
  }
}
