import FoundationEssentials
import JSONTree
import OperatorSimulator

/// A website's sessions: the content of a QR code, and the user's progress.
extension MIRACLService {
  func openSession(_ call: Call, _ project: SimulatedMIRACLProject) throws -> JSONValue {
    try requireProject(call, project)
    var session = MIRACLSession(
      projectID: project.id, expectedUser: call.body["userId"]?.string, end: later(project.sessionSeconds))
    if let hash = call.body["hash"]?.string {
      session.document = .init(hash: hash, description: call.body["description"]?.string ?? "")
    }
    let (accessID, webOTT) = (environment.makeName(bytes: 16), environment.makeToken("website token"))
    records.withLock { [session] records in
      records.sessions[accessID] = session
      records.accessIDs[webOTT] = accessID
    }
    return .object([
      "accessId": .string(accessID), "webOTT": .string(webOTT),
      "accessURL": .string("https://\(hosts.api)/rps/v2/access"),
      "qrURL": .string(qrURL(accessID)),
    ])
  }

  func qrURL(_ accessID: String) -> String { "https://\(hosts.landing)/mobile-login/#\(accessID)" }

  func access(_ call: Call) throws -> JSONValue {
    let webOTT = try call.text("webOTT")
    guard let session = records.withLock({ records in records.accessIDs[webOTT].flatMap { records.sessions[$0] } })
    else {
      throw MIRACLRefusal.parameter("webOTT")
    }
    let isOver = session.isUnanswered && !session.isOpen(at: environment.now())
    var answer: [String: JSONValue] = ["status": .string(isOver ? "expired" : session.status.rawValue)]
    if session.status == .authenticated || session.status == .signed {
      answer["userId"] = session.userID.map { .string($0) }
      answer["signature"] = session.signature.map { .string($0) }
    }
    return .object(answer)
  }

  func codeStatus(
    _ call: Call, _ project: SimulatedMIRACLProject, _ twist: MIRACLFault.Twist?
  ) throws -> JSONValue {
    let (id, status) = (try call.text("wid"), try call.text("status"))
    let now = environment.now()
    let session = try records.withLock { records in
      guard var session = records.sessions[id], session.isOpen(at: now) else { throw MIRACLRefusal.parameter("wid") }
      switch status {
      case "wid": session.status = .wid
      case "user":
        session.userID = try call.text("userId")
        session.status = .user
      case "abort": session.status = .abort
      case "signed":
        let signature = try signature(call, session)
        session.signature = signature.text
        session.userID = signature["mpinId"]?.string.flatMap { records.identities[$0]?.userID }
        session.status = .signed
      default: throw MIRACLRefusal.parameter("status")
      }
      records.sessions[id] = session
      return session
    }
    return status == "wid" ? details(session, project, twist) : .object([:])
  }

  /// A session's data for a client.
  private func details(
    _ session: MIRACLSession, _ project: SimulatedMIRACLProject, _ twist: MIRACLFault.Twist?
  ) -> JSONValue {
    let isCustom = project.verification == .custom
    var details: [String: JSONValue] = [
      "prerollId": .string(session.expectedUser ?? ""), "projectId": .string(named(project, twist)),
      "projectName": .string(project.name), "projectLogoURL": .string("https://\(hosts.landing)/logo.png"),
      "pinLength": .int(project.pinLength), "verificationMethod": .string(isCustom ? "fullCustom" : "standardEmail"),
      "verificationURL": .string(isCustom ? "https://\(hosts.landing)/verification" : ""),
      "verificationCustomText": .string(""), "identityType": .string("email"), "identityTypeLabel": .string("E-mail"),
      "enableRegistrationCode": .bool(true), "limitRegCodeVerified": .bool(false),
    ]
    if let document = session.document {
      details["hash"] = .string(document.hash)
      details["description"] = .string(document.description)
    }
    return .object(details)
  }

  /// The project's id in an answer.
  func named(_ project: SimulatedMIRACLProject, _ twist: MIRACLFault.Twist?) -> String {
    twist == .otherProject ? "another-project" : project.id
  }

  /// The signature that a client gives for a session's document, from Base64 of its JSON.
  private func signature(_ call: Call, _ session: MIRACLSession) throws -> JSONValue {
    guard let document = session.document, let data = Data(base64Encoded: try call.text("signature")),
      let signature = JSONValue(parsing: data), signature["hash"]?.string == document.hash
    else { throw MIRACLRefusal.parameter("signature") }
    return signature
  }
}
