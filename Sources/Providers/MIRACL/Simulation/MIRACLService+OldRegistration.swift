import JSONTree
import MPin
import OperatorSimulator

/// Registration of older clients: the M-Pin id first, then the public key for the first share, and
/// the second share elsewhere.
///
/// With a verification code or an activation token in `activateCode`, the user is known at once.
/// Without one, a mail is sent, and the first share is refused until its link was followed.
extension MIRACLService {
  func startUser(
    _ call: Call, _ project: SimulatedMIRACLProject, _ twist: MIRACLFault.Twist?
  ) throws -> JSONValue {
    let (userID, deviceName) = (try call.text("userId"), try call.text("deviceName"))
    let known = try call.body["activateCode"]?.string.map { try activation($0, of: userID) }
    if known == nil, !userID.contains("@") { throw MIRACLRefusal.parameter("userId") }
    let grounds = known ?? MIRACLActivation(projectID: project.id, userID: userID, end: later(0))
    var (mpinID, identity) = try makeIdentity(grounds, deviceName, nil)
    let token = environment.makeToken("registration token")
    identity.registrationToken = token
    if known == nil {
      let code = environment.makeToken("verification code")
      identity.awaitedCode = code
      let verification = MIRACLVerification(
        projectID: project.id, userID: userID, code: code, end: later(project.codeSeconds), triesLeft: 0)
      mailbox.deliver(
        "Follow this link: \(link(verification))", subject: "Confirm your address for \(project.name)", to: userID)
    }
    records.withLock { [identity] in $0.identities[mpinID] = identity }
    return .object([
      "mpinId": .string(mpinID), "regOTT": .string(token), "projectId": .string(named(project, twist)),
      "active": .bool(known != nil),
    ])
  }

  func finishUser(
    _ call: Call, _ project: SimulatedMIRACLProject, _ twist: MIRACLFault.Twist?
  ) throws -> JSONValue {
    guard let token = call.request.query["regOTT"], let key = call.request.query["publicKey"] else {
      throw MIRACLRefusal.parameter("regOTT")
    }
    let mpin = try MPinIdentity(mpinIdHex: call.rest, publicKey: DVSPublicKey(hex: key))
    let identity = try records.withLock { records in
      guard var identity = records.identities[call.rest], identity.registrationToken == token else {
        throw MIRACLRefusal.problem(.activation)
      }
      guard identity.awaitedCode == nil else { throw MIRACLRefusal.problem(.unverified) }
      identity.mpin = mpin
      identity.registrationToken = nil
      records.identities[call.rest] = identity
      return identity
    }
    return try firstShare(of: identity, call.rest, twist)
  }

  func renewUser(
    _ call: Call, _ project: SimulatedMIRACLProject, _ twist: MIRACLFault.Twist?
  ) throws -> JSONValue {
    let publicKey = try DVSPublicKey(hex: try call.text("publicKey"))
    let deviceName = try call.text("deviceName")
    let activation = try take(activation: try call.text("dvsRegisterToken"))
    guard activation.isRenewal else { throw MIRACLRefusal.problem(.activation) }
    let (mpinID, identity) = try makeIdentity(activation, deviceName, publicKey)
    records.withLock { $0.identities[mpinID] = identity }
    return try firstShare(of: identity, mpinID, twist)
  }

  private func firstShare(
    of identity: MIRACLIdentity, _ mpinID: String, _ twist: MIRACLFault.Twist?
  ) throws -> JSONValue {
    let share = try share(of: identity, isFirst: true, twist)
    let token = environment.makeToken("share token", bytes: 32)
    records.withLock { $0.shares[token] = mpinID }
    return .object([
      "dvsClientSecretShare": .string(share), "cs2url": .string("https://\(hosts.authority)/rps/v2/secret/\(token)"),
      "curve": .string(curve(twist)), "dtas": .string(identity.dtas), "mpinId": .string(mpinID),
    ])
  }
}
