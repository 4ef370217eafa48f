import JSONTree
import OperatorSimulator

/// Which call a request is, and whose.
extension MIRACLService {
  func call(_ request: SimulatedRequest) -> Call? {
    guard let (place, rest) = place(of: request) else { return nil }
    return Call(place: place, request: request, body: request.json ?? .null, rest: rest)
  }

  private func place(of request: SimulatedRequest) -> (MIRACLFault.Place, rest: String)? {
    guard request.isSecure else { return nil }
    switch request.host {
    case hosts.api: return placeOfAPI(request)
    case hosts.authority:
      return rest(request.path, behind: "/rps/v2/secret/").flatMap {
        request.method == "GET" ? (.secondShare, $0) : nil
      }
    case hosts.landing where request.method == "GET":
      if request.path == "/verification/confirmation" { return (.confirmation, "") }
      return request.path.hasSuffix("/service") ? (.service, "") : nil
    default: return nil
    }
  }

  private func placeOfAPI(_ request: SimulatedRequest) -> (MIRACLFault.Place, rest: String)? {
    switch (request.method, request.path) {
    case ("POST", "/rps/v2/session"): (.session, "")
    case ("POST", "/rps/v2/access"): (.access, "")
    case ("POST", "/rps/v2/codeStatus"): (.codeStatus, "")
    case ("POST", "/verification/email"): (.email, "")
    case ("POST", "/verification"): (.verification, "")
    case ("POST", "/verification/confirmation"): (.confirmation, "")
    case ("POST", "/verification/quickcode"): (.quickCode, "")
    case ("POST", "/registration"): (.registration, "")
    case ("PUT", "/rps/v2/user"): (.user, "")
    case ("POST", "/rps/v2/dvsregister"): (.dvsRegister, "")
    case ("POST", "/rps/v2/pass1"): (.pass1, "")
    case ("POST", "/rps/v2/pass2"): (.pass2, "")
    case ("POST", "/rps/v2/authenticate"): (.authenticate, "")
    case ("POST", "/dvs/verify"): (.verify, "")
    case ("POST", "/dvs/session/details"): (.signingSession, "details")
    case ("POST", "/dvs/session"), ("PUT", "/dvs/session"), ("DELETE", "/dvs/session"): (.signingSession, "")
    case ("GET", "/.well-known/jwks"), ("GET", "/oidc/certs"): (.keys, "")
    case ("GET", "/rps/clientSettings"): (.settings, "")
    case ("GET", let path):
      rest(path, behind: "/rps/v2/secret/").map { (.firstShare, $0) }
        ?? rest(path, behind: "/rps/v2/signature/").map { (.signature, $0) }
    default: nil
    }
  }

  private func rest(_ path: String, behind prefix: String) -> String? {
    path.hasPrefix(prefix) && path.utf8.count > prefix.utf8.count ? String(path.dropFirst(prefix.count)) : nil
  }

  /// The project that a call is about: by its id, by the header that older clients send, or by what the call names.
  func project(of call: Call) -> SimulatedMIRACLProject? {
    let named = call.body["projectId"]?.string ?? call.request.query["project_id"]
    let id = named ?? records.withLock { projectID(of: call, $0) } ?? call.request.headers["x-miracl-cid"]
    return id.flatMap { projects[$0] }
  }

  private func projectID(of call: Call, _ records: MIRACLRecords) -> String? {
    let body = call.body
    switch call.place {
    case .codeStatus: return body["wid"]?.string.flatMap { records.sessions[$0]?.projectID }
    case .access:
      return body["webOTT"]?.string.flatMap { records.accessIDs[$0] }.flatMap { records.sessions[$0]?.projectID }
    case .email: return body["accessId"]?.string.flatMap { records.sessions[$0]?.projectID }
    case .confirmation: return verification(of: call, records)?.projectID
    case .registration:
      let token = body["activationToken"]?.string ?? ""
      // It may be a user's code too.
      return records.activations[token]?.projectID ?? records.verifications.last { $0.code == token }?.projectID
    case .dvsRegister: return body["dvsRegisterToken"]?.string.flatMap { records.activations[$0]?.projectID }
    case .signingSession: return body["id"]?.string.flatMap { records.sessions[$0]?.projectID }
    case .verification, .verify:
      return projects.values.first { $0.clientID == call.request.basicCredentials?.name }?.id
    default: return mpinID(of: call, records).flatMap { records.identities[$0]?.projectID }
    }
  }

  /// Whose call it is; nil where it names nobody.
  func userID(of call: Call) -> String? {
    call.body["userId"]?.string
      ?? records.withLock { records in
        mpinID(of: call, records).flatMap { records.identities[$0]?.userID }
      }
  }

  private func mpinID(of call: Call, _ records: MIRACLRecords) -> String? {
    switch call.place {
    case .firstShare, .secondShare: records.shares[call.rest]
    case .signature: call.rest
    case .authenticate: call.body["authOTT"]?.string.flatMap { records.answered[$0]?.mpinID }
    default: call.body["mpin_id"]?.string
    }
  }

  private func verification(of call: Call, _ records: MIRACLRecords) -> MIRACLVerification? {
    let userID = call.body["userId"]?.string ?? call.request.query["user_id"]
    let code = call.body["code"]?.string ?? call.request.query["code"]
    return records.verifications.last { $0.userID == userID && $0.code == code }
      ?? records.verifications.last { $0.userID == userID }
  }

  /// - Throws: `MIRACLRefusal` where a call that must name a project names none that is known.
  func requireProject(_ call: Call, _ project: SimulatedMIRACLProject) throws {
    guard call.body["projectId"]?.string == project.id else { throw MIRACLRefusal.parameter("projectId") }
  }

  /// - Throws: `MIRACLRefusal` where the call does not carry the credentials of the project's backend.
  func requireBackend(_ call: Call, _ project: SimulatedMIRACLProject) throws {
    let given = call.request.basicCredentials
    guard given == .init(name: project.clientID, secret: project.clientSecret) else {
      throw MIRACLRefusal.problem(.credentials)
    }
  }
}
