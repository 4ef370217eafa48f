import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Web

/// The requests of MIRACL Trust's API, of both generations.
struct MIRACLCalls: Sendable {
  /// What a session is told.
  enum SessionStatus: String {
    case details = "wid"
    case user, abort, signed
  }

  let settings: MIRACLSettings
  let service: MIRACLService

  init(_ settings: MIRACLSettings, _ service: MIRACLService? = nil) {
    self.settings = settings
    self.service = service ?? MIRACLService(settings.api)
  }

  // MARK: Sessions

  /// `codeStatus`: asks about a session, or sends it something.
  func status(
    _ step: String, _ status: SessionStatus, of session: Secret, user: MIRACLUser? = nil, signature: String? = nil
  ) -> BackendCall {
    post(
      step, .codeStatus,
      [
        "wid": .string(session.revealed), "status": .string(status.rawValue),
        "userId": user.map { .string($0.revealed) }, "signature": signature.map { .string($0) },
      ])
  }

  /// Without a body: reads an address from a link or an answer.
  func get(_ step: String, _ url: WebURL) -> BackendCall {
    BackendCall(step, .get, url, headers: headers, route: settings.route)
  }

  // MARK: Verification

  func mail(to user: MIRACLUser, for session: Secret?, known: MIRACLIdentity?) -> BackendCall {
    post(
      "requestMail", .mail,
      [
        "projectId": .string(settings.project), "userId": .string(user.revealed),
        "deviceName": .string(settings.deviceName), "deviceTag": settings.deviceTag.map { .string($0) },
        "accessId": session.map { .string($0.revealed) }, "mpinId": known.map { .string($0.key.mpinIdHex) },
      ])
  }

  func confirm(_ user: MIRACLUser, code: Secret) -> BackendCall {
    post(
      "confirmMail", .confirmation,
      [
        "userId": .string(user.revealed), "code": .string(code.revealed),
        "deviceTag": settings.deviceTag.map { .string($0) },
      ])
  }

  /// The request of an application's backend for a user that it knows by itself.
  ///
  /// - Parameter expiry: seconds since 1970.
  func verification(of user: MIRACLUser, by client: MIRACLSettings.Client, until expiry: Int) -> BackendCall {
    ofClient(
      "requestVerification", .verification, client,
      [
        "projectId": .string(settings.project), "userId": .string(user.revealed),
        "deviceName": .string(settings.deviceName), "expiration": .int(expiry), "delivery": .string("no"),
      ])
  }

  func quickCode(_ token: Secret) -> BackendCall {
    post(
      "quickCode", .quickCode,
      [
        "projectId": .string(settings.project), "jwt": .string(token.revealed),
        "deviceName": .string(settings.deviceName),
      ])
  }

  // MARK: Signatures

  func signingDetails(_ session: Secret) -> BackendCall {
    post("signingSession", .signingDetails, ["id": .string(session.revealed)])
  }

  func signingEnd(_ session: Secret, _ signature: MIRACLSignature) -> BackendCall {
    call(
      "signingSessionSigned", .put, .signingSession,
      .members([
        "id": .string(session.revealed), "signature": signature.document(withTime: false),
        "timestamp": .int(Int(signature.timestamp)),
      ]))
  }

  func signingAbort(_ session: Secret) -> BackendCall {
    call(
      "signingSessionAbort", .delete, .signingSession,
      .members(["id": .string(session.revealed)]))
  }

  func check(_ signature: JSONValue, timestamp: Int, by client: MIRACLSettings.Client) -> BackendCall {
    ofClient(
      "verifySignature", .signatureCheck, client,
      ["signature": signature, "timestamp": .int(timestamp), "type": .string("verification")])
  }

  // MARK: In general

  func post(
    _ step: String, _ place: MIRACLService.Place, _ members: KeyValuePairs<String, JSONValue?>
  ) -> BackendCall { call(step, .post, place, .members(members)) }

  func call(
    _ step: String, _ method: BackendCall.Method, _ place: MIRACLService.Place, _ body: JSONValue?, path: String = "",
    _ query: FormFields = FormFields()
  ) -> BackendCall {
    var query = query
    if settings.sendsProjectInQuery { query.add("project_id", settings.project) }
    return BackendCall(
      step, method, service.url(place, path, query), headers: headers + [project], body: body.map { .json($0) },
      route: settings.route)
  }

  private func ofClient(
    _ step: String, _ place: MIRACLService.Place, _ client: MIRACLSettings.Client,
    _ members: KeyValuePairs<String, JSONValue?>
  ) -> BackendCall {
    let host = settings.backend.map { MIRACLService($0) } ?? service
    return BackendCall(
      step, .post, host.url(place), headers: headers + [project, .basic(client.id, client.secret)],
      body: .json(.members(members)), route: settings.route)
  }

  var headers: [WebHeader] {
    [.accept("application/json"), .init(name: "X-MIRACL-CLIENT", value: "modemd/\(Product.version)")]
  }

  var project: WebHeader { .init(name: "X-MIRACL-CID", value: settings.project) }
}
