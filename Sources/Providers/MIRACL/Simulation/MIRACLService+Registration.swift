import JSONTree
import MPin
import MPinServer
import ModemModel
import OperatorSimulator

/// Registration in its newer form: an M-Pin id for an activation token and a public key, then a
/// share of the secret from each authority.
extension MIRACLService {
  func register(
    _ call: Call, _ project: SimulatedMIRACLProject, _ twist: MIRACLFault.Twist?
  ) throws -> JSONValue {
    let (userID, deviceName) = (try call.text("userId"), try call.text("deviceName"))
    let publicKey = try DVSPublicKey(hex: try call.text("publicKey"))
    let activation = try activation(try call.text("activationToken"), of: userID)
    let deviceTag = call.body["deviceTag"]?.string
    guard activation.deviceTag == nil || activation.deviceTag == deviceTag else {
      throw MIRACLRefusal.problem(.activation)
    }
    let (mpinID, identity) = try makeIdentity(activation, deviceName, publicKey)
    let token = environment.makeToken("share token", bytes: 32)
    records.withLock { records in
      records.identities[mpinID] = identity
      records.shares[token] = mpinID
    }
    return .object([
      "mpinId": .string(mpinID), "projectId": .string(named(project, twist)), "dtas": .string(identity.dtas),
      "curve": .string(curve(twist)), "pinLength": .int(project.pinLength),
      "verificationType": .string(project.verification.rawValue), "nowTime": .int(seconds),
      "secretUrls": .array([hosts.api, hosts.authority].map { .string("https://\($0)/rps/v2/secret/\(token)") }),
    ])
  }

  func share(_ call: Call, isFirst: Bool, _ twist: MIRACLFault.Twist?) throws -> JSONValue {
    guard let identity = records.withLock({ records in records.shares[call.rest].flatMap { records.identities[$0] } })
    else { throw MIRACLRefusal.problem(.activation) }
    return .object(["dvsClientSecret": .string(try share(of: identity, isFirst: isFirst, twist))])
  }

  // MARK: - What both forms share

  /// - Throws: `MIRACLRefusal` for a token that is invalid, was used, or has expired.
  func take(activation token: String) throws -> MIRACLActivation {
    guard let activation = records.withLock({ $0.activations.removeValue(forKey: token) }),
      environment.now().milliseconds < activation.end.milliseconds
    else { throw MIRACLRefusal.problem(.activation) }
    return activation
  }

  /// The use of an activating text, which is an activation token or a code of its user.
  ///
  /// - Throws: `MIRACLRefusal` if it is neither, another user's, was used, or has expired.
  func activation(_ text: String, of userID: String) throws -> MIRACLActivation {
    if let activation = try? take(activation: text) {
      guard activation.userID == userID else { throw MIRACLRefusal.problem(.activation) }
      return activation
    }
    let verification = records.withLock { records -> MIRACLVerification? in
      let index = records.verifications.lastIndex { $0.userID == userID && $0.code == text }
      return index.map { records.verifications.remove(at: $0) }
    }
    guard let verification, environment.now().milliseconds < verification.end.milliseconds else {
      throw MIRACLRefusal.problem(.activation)
    }
    return MIRACLActivation(projectID: verification.projectID, userID: userID, end: later(300))
  }

  /// Makes an M-Pin id with its record.
  ///
  /// - Parameter publicKey: nil if the client sends it later.
  func makeIdentity(
    _ activation: MIRACLActivation, _ deviceName: String, _ publicKey: DVSPublicKey?
  ) throws -> (mpinID: String, MIRACLIdentity) {
    let generation = secrets.generation
    let content = JSONValue.object([
      "iat": .int(seconds), "userID": .string(activation.userID), "cID": .string(activation.projectID),
      "salt": .string(environment.makeName(bytes: 16)), "v": .int(5), "scope": .array([.string("dvs-auth")]),
      "dta": .array([]), "vt": .string("pv"),
    ])
    let mpinID = Hexadecimal.text(of: content.text.utf8)
    environment.issued(mpinID, as: "M-Pin id")
    environment.issued(activation.userID, as: "user's name")
    let identity = MIRACLIdentity(
      projectID: activation.projectID, userID: activation.userID, deviceName: deviceName,
      deviceTag: activation.deviceTag, generation: generation, dtas: secrets.dtas(generation),
      issued: environment.now(),
      mpin: try publicKey.map { try MPinIdentity(mpinIdHex: mpinID, publicKey: $0) })
    return (mpinID, identity)
  }

  /// A share of an identity's secret in hexadecimal digits.
  func share(of identity: MIRACLIdentity, isFirst: Bool, _ twist: MIRACLFault.Twist?) throws -> String {
    guard let mpin = identity.mpin else { throw MIRACLRefusal.parameter("publicKey") }
    let shares = try secrets.master(identity.generation).clientSecretShares(for: mpin)
    let share =
      switch twist {
      // Its y no longer matches its x.
      case .badShare?: String(shares.0.revealed.dropLast(8)) + "00000000"
      case .cancellingShare?: try G1Point(CurvePoint(shares.0.bytes, "share").negated(), "share").hex
      default: (isFirst ? shares.0 : shares.1).revealed
      }
    environment.issued(share, as: "client secret share")
    return share
  }

  func curve(_ twist: MIRACLFault.Twist?) -> String { twist == .otherCurve ? "BLS381" : "BN254CX" }
}
