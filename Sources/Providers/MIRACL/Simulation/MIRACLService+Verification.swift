import JSONTree
import ModemModel
import OperatorSimulator

/// Codes that prove a user's identity, and the activation tokens that they are exchanged for.
extension MIRACLService {
  func sendMail(_ call: Call, _ project: SimulatedMIRACLProject) throws -> JSONValue {
    try requireProject(call, project)
    let userID = try call.text("userId")
    guard userID.contains("@") else { throw MIRACLRefusal.parameter("userId") }
    _ = try call.text("deviceName")
    guard project.verification != .custom else { throw MIRACLRefusal.problem(.verification) }
    let now = environment.now()
    let next = later(project.backoffSeconds)
    try records.withLock { records in
      if let end = records.backoffs[[project.id, userID]], now.milliseconds < end.milliseconds {
        throw MIRACLRefusal.problem(.backoff, context: ["backoff": "\(end.milliseconds / 1000)"])
      }
      records.backoffs[[project.id, userID]] = next
    }
    let verification = makeVerification(call, project, userID, code: environment.makeCode("verification code"))
    deliver(verification, project)
    return .object([
      "backoff": .int(Int(next.milliseconds / 1000)), "method": .string(project.verification.rawValue),
    ])
  }

  /// Begun by an application's own backend, after it has identified the user by itself.
  func startVerification(_ call: Call, _ project: SimulatedMIRACLProject) throws -> JSONValue {
    try requireBackend(call, project)
    try requireProject(call, project)
    let userID = try call.text("userId")
    var verification = makeVerification(call, project, userID, code: environment.makeToken("verification code"))
    if let end = call.body["expiration"]?.integer {
      guard end > seconds else { throw MIRACLRefusal.parameter("expiration") }
      verification.end = Timestamp(milliseconds: Int64(end) * 1000)
      records.withLock { [verification] in $0.keep(verification) }
    }
    if call.body["delivery"]?.string != "no" { deliver(verification, project) }
    return .object(["verificationURL": .string(link(verification))])
  }

  func confirm(
    _ call: Call, _ project: SimulatedMIRACLProject, _ twist: MIRACLFault.Twist?
  ) throws -> JSONValue {
    let (userID, code, deviceTag) = (try call.text("userId"), try call.text("code"), call.body["deviceTag"]?.string)
    let now = environment.now()
    let found = try records.withLock { records in
      // For a user of several projects, the code decides, else the newest mail.
      let index =
        records.verifications.lastIndex { $0.userID == userID && $0.code == code }
        ?? records.verifications.lastIndex { $0.userID == userID }
      guard let index else { throw MIRACLRefusal.problem(.verification) }
      let verification = records.verifications[index]
      records.verifications[index].triesLeft -= 1
      let isOwn = verification.deviceTag == nil || verification.deviceTag == deviceTag
      guard verification.code == code, isOwn, verification.triesLeft > 0,
        now.milliseconds < verification.end.milliseconds
      else {
        var context = ["projectId": verification.projectID]
        context["accessId"] = verification.accessID
        throw MIRACLRefusal.problem(.verification, context: context)
      }
      // A code is good once.
      records.verifications.remove(at: index)
      return verification
    }
    var answer: [String: JSONValue] = [
      "projectId": .string(named(project, twist)), "actToken": .string(activate(found, deviceTag)),
    ]
    answer["accessId"] = found.accessID.map { .string($0) }
    return .object(answer)
  }

  /// A mail's link, opened in a browser: an older registration that waits for it continues.
  func followLink(_ call: Call) -> SimulatedResponse {
    let (userID, code) = (call.request.query["user_id"], call.request.query["code"])
    let isKnown = records.withLock { records in
      let waiting = records.identities.first { $0.value.userID == userID && $0.value.awaitedCode == code }
      if let id = waiting?.key { records.identities[id]?.awaitedCode = nil }
      return waiting != nil || records.verifications.contains { $0.userID == userID && $0.code == code }
    }
    return SimulatedResponse(
      status: isKnown ? 200 : 404, headers: [("Content-Type", "text/html")],
      body: "<!doctype html><title>\(isKnown ? "Go back to the app" : "The link is not good any more")</title>")
  }

  /// A code for one more device of a user, who has just logged in on another.
  func makeQuickCode(_ call: Call, _ project: SimulatedMIRACLProject) throws -> JSONValue {
    try requireProject(call, project)
    guard let claims = SimulatedSigningKey.claims(of: try call.text("jwt"), signedBy: try secrets.keySet),
      claims["aud"]?.string == project.id, claims["scope"]?.string == "reg-code",
      let end = claims["exp"]?.integer, end > seconds, let userID = claims["sub"]?.string,
      let id = claims["jti"]?.string
    else { throw MIRACLRefusal.parameter("jwt") }
    guard records.withLock({ $0.quickCodeTokens.insert(id).inserted }) else {
      throw MIRACLRefusal.problem(.quickCode)
    }
    let verification = makeVerification(call, project, userID, code: environment.makeCode("quick code"))
    return .object([
      "code": .string(verification.code), "expireTime": .int(Int(verification.end.milliseconds / 1000)),
      "ttlSeconds": .int(project.codeSeconds),
    ])
  }

  // MARK: - What they share

  private func makeVerification(
    _ call: Call, _ project: SimulatedMIRACLProject, _ userID: String, code: String
  ) -> MIRACLVerification {
    // A quick code is for a device other than the requesting one.
    let deviceTag = call.place == .email ? call.body["deviceTag"]?.string : nil
    let verification = MIRACLVerification(
      projectID: project.id, userID: userID, code: code, accessID: call.body["accessId"]?.string,
      deviceTag: deviceTag, end: later(project.codeSeconds), triesLeft: project.codeTries)
    environment.issued(userID, as: "user's name")
    records.withLock { $0.keep(verification) }
    return verification
  }

  func activate(_ verification: MIRACLVerification, _ deviceTag: String?) -> String {
    let token = environment.makeToken("activation token", bytes: 32)
    let activation = MIRACLActivation(
      projectID: verification.projectID, userID: verification.userID, deviceTag: deviceTag, end: later(300))
    records.withLock { $0.activations[token] = activation }
    return token
  }

  func link(_ verification: MIRACLVerification) -> String {
    "https://\(hosts.landing)/verification/confirmation?user_id=\(FormFields.encoded(verification.userID))"
      + "&code=\(verification.code)"
  }

  private func deliver(_ verification: MIRACLVerification, _ project: SimulatedMIRACLProject) {
    let isCode = project.verification == .code
    mailbox.deliver(
      isCode ? "Your code is \(verification.code)." : "Follow this link: \(link(verification))",
      subject: "Confirm your address for \(project.name)", to: verification.userID)
  }
}

extension MIRACLRecords {
  /// A newer code replaces an older one of the same project and user.
  fileprivate mutating func keep(_ verification: MIRACLVerification) {
    verifications.removeAll { $0.projectID == verification.projectID && $0.userID == verification.userID }
    verifications.append(verification)
  }
}
