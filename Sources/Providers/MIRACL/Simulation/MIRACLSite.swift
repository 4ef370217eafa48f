import Crypto
import FoundationEssentials
import JSONTree
import NetworkAddress
import OperatorSimulator
import Synchronization

/// A website with MIRACL's login, and its backend: it shows what stands in the QR code, and says who logged in. All that it knows it asks
/// the platform, as a client of its API.
///
/// | request | answer |
/// | --- | --- |
/// | `POST /login` | opens a session: `session`, `qr` |
/// | `POST /sign`, the document as the body | a session in which it is to be signed: `session`, `qr`, `hash` |
/// | `GET /login/SESSION`, `GET /sign/SESSION` | `status`, `user`, and whether the platform takes the signature: `isSigned` |
/// | `GET /login/SESSION/qr` | the text of the QR code alone |
/// | `POST /verify` | the site has found out by itself who the user is: `link` |
/// | `POST /token` with `jwt` | whose token it is: `user` |
/// | `POST /signature` with `signature`, `timestamp` | whether the platform takes it: `isSigned`, `hash` |
///
/// `last` in place of SESSION is the newest of the project. `project` in the query names a project other than the first, `user` the user, `older=1` a signing session of the older form.
package final class MIRACLSite: SimulatedService {
  /// A session of this site.
  private struct Visit: Sendable {
    var project: SimulatedMIRACLProject
    var qr: String
    /// Nil for a signing session of the older form.
    var webOTT: String?
    /// Of an older session.
    var id: String
    var hash: String?
  }

  private let host: String
  private let platform: MIRACLService
  private let projects: [SimulatedMIRACLProject]
  private let visits = Mutex<[String: Visit]>([:])
  /// The newest session of each project.
  private let last = Mutex<[String: String]>([:])

  /// - Parameters:
  ///   - host: in lower case.
  ///   - projects: the site's own, the first of them where a request names none.
  package init(host: String, projects: [SimulatedMIRACLProject], platform: MIRACLService) {
    self.host = host
    self.platform = platform
    self.projects = projects
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    guard request.host == host, request.isSecure else { return nil }
    let id = request.query["project"] ?? projects.first?.id
    guard let project = projects.first(where: { $0.id == id }) else { return .problem(404, "there is no such project") }
    let parts = request.pathParts
    switch (request.method, parts.first, parts.count) {
    case ("GET", nil, _): return page(project)
    case ("POST", "login", 1): return await open(request, project, document: nil)
    case ("POST", "sign", 1): return await open(request, project, document: request.body)
    case ("GET", "login", 2), ("GET", "sign", 2): return await status(visit(parts[1], project))
    case ("GET", "login", 3), ("GET", "sign", 3): return qr(visit(parts[1], project))
    case ("POST", "verify", 1): return await verify(request, project)
    case ("POST", "token", 1): return await token(request, project)
    case ("POST", "signature", 1): return await signature(request, project)
    default: return .problem(404, "nothing is served here")
    }
  }

  private func page(_ project: SimulatedMIRACLProject) -> SimulatedResponse {
    SimulatedResponse(
      status: 200, headers: [("Content-Type", "text/html")],
      body:
        "<!doctype html><title>\(project.name)</title><form method=post action=/login><button>Log in</button></form>")
  }

  // MARK: - Sessions

  private func open(
    _ request: SimulatedRequest, _ project: SimulatedMIRACLProject, document: [UInt8]?
  ) async -> SimulatedResponse {
    var members: [String: JSONValue] = ["projectId": .string(project.id)]
    members["userId"] = request.query["user"].map { .string($0) }
    let hash = document.map { Hexadecimal.text(of: SHA256.hash(data: $0)) }
    members["hash"] = hash.map { .string($0) }
    if document != nil { members["description"] = .string("A document of \(project.name)") }
    let isOlder = request.query["older"] == "1"
    let answer = await ask(isOlder ? "/dvs/session" : "/rps/v2/session", .object(members), project)
    guard let qr = answer.body["qrURL"]?.string, let fragment = qr.split(separator: "#").last else {
      return .problem(502, "the platform opens no session")
    }
    // The site's own name of the session: who reads it on the page cannot take it over.
    let id = String(Hexadecimal.text(of: SHA256.hash(data: Array(qr.utf8))).prefix(16))
    let visit = Visit(
      project: project, qr: qr, webOTT: answer.body["webOTT"]?.string, id: String(fragment), hash: hash)
    visits.withLock { $0[id] = visit }
    last.withLock { $0[project.id] = id }
    var shown: [String: JSONValue] = ["session": .string(id), "qr": .string(qr)]
    shown["hash"] = hash.map { .string($0) }
    return .json(JSONValue.object(shown).text)
  }

  private func visit(_ name: String, _ project: SimulatedMIRACLProject) -> Visit? {
    let newest = last.withLock { $0[project.id] }
    guard let id = name == "last" ? newest : name else { return nil }
    return visits.withLock { $0[id] }
  }

  private func qr(_ visit: Visit?) -> SimulatedResponse {
    guard let visit else { return .problem(404, "there is no such session") }
    return SimulatedResponse(status: 200, headers: [("Content-Type", "text/plain")], body: visit.qr)
  }

  private func status(_ visit: Visit?) async -> SimulatedResponse {
    guard let visit else { return .problem(404, "there is no such session") }
    let answer =
      if let webOTT = visit.webOTT {
        await ask("/rps/v2/access", .object(["webOTT": .string(webOTT)]), visit.project)
      } else {
        await ask("/dvs/session/details", .object(["id": .string(visit.id)]), visit.project)
      }
    var shown: [String: JSONValue] = ["status": answer.body["status"] ?? .string("error")]
    shown["user"] = answer.body["userId"]
    if let text = answer.body["signature"]?.string, let signature = JSONValue(parsing: Array(text.utf8)) {
      let certified = await certifiedHash(signature, nil, visit.project)
      shown["isSigned"] = .bool(certified != nil && certified == visit.hash)
    }
    return .json(JSONValue.object(shown).text)
  }

  // MARK: - The backend

  private func verify(_ request: SimulatedRequest, _ project: SimulatedMIRACLProject) async -> SimulatedResponse {
    let answer = await ask(
      "/verification",
      .object([
        "projectId": .string(project.id), "userId": .string(request.query["user"] ?? ""),
        "deviceName": .string("modem"), "delivery": .string("no"),
      ]), project)
    guard let link = answer.body["verificationURL"] else { return .problem(502, "the platform gives no link") }
    return .json(JSONValue.object(["link": link]).text)
  }

  private func token(_ request: SimulatedRequest, _ project: SimulatedMIRACLProject) async -> SimulatedResponse {
    guard let claims = await claims(request.json?["jwt"]?.string ?? "", project),
      claims["aud"]?.string == project.id, claims["iss"]?.string == "https://\(platform.hosts.api)",
      let end = claims["exp"]?.integer, end > platform.seconds
    else { return .problem(401, "the token is not taken") }
    return .json(JSONValue.object(["user": claims["sub"] ?? .null]).text)
  }

  private func signature(_ request: SimulatedRequest, _ project: SimulatedMIRACLProject) async -> SimulatedResponse {
    let hash = await certifiedHash(request.json?["signature"] ?? .null, request.json?["timestamp"], project)
    var shown: [String: JSONValue] = ["isSigned": .bool(hash != nil)]
    shown["hash"] = hash.map { .string($0) }
    return .json(JSONValue.object(shown).text)
  }

  /// What the platform says that was signed; nil where it takes no signature, or its certificate is not its own.
  private func certifiedHash(
    _ signature: JSONValue, _ timestamp: JSONValue?, _ project: SimulatedMIRACLProject
  ) async -> String? {
    var members: [String: JSONValue] = ["signature": signature, "type": .string("verification")]
    members["timestamp"] = timestamp ?? signature["timestamp"]
    let answer = await ask("/dvs/verify", .object(members), project)
    guard let certificate = answer.body["certificate"]?.string else { return nil }
    return await claims(certificate, project)?["hash"]?.string
  }

  private func claims(_ token: String, _ project: SimulatedMIRACLProject) async -> JSONValue? {
    SimulatedSigningKey.claims(of: token, signedBy: await ask("/.well-known/jwks", nil, project).body)
  }

  /// Calls the platform, over no network of the world.
  private func ask(
    _ path: String, _ body: JSONValue?, _ project: SimulatedMIRACLProject
  ) async -> (status: Int, body: JSONValue) {
    var headers = ["content-type": "application/json"]
    headers["authorization"] = "Basic " + Data("\(project.clientID):\(project.clientSecret)".utf8).base64EncodedString()
    let request = SimulatedRequest(
      method: body == nil ? "GET" : "POST", isSecure: true, host: platform.hosts.api, path: path, headers: headers,
      body: body.map { Array($0.text.utf8) } ?? [], source: .v4(IPv4Address(number: 0xc000_0201)))
    let answer = await platform.answer(request)
    return (answer?.status ?? 404, answer.flatMap { JSONValue(parsing: Array($0.body.utf8)) } ?? .null)
  }
}
