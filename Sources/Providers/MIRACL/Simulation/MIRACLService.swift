import JSONTree
import MPin
import MPinServer
import ModemModel
import OperatorSimulator
import Synchronization

/// A simulated MIRACL platform: sessions of websites, verification of users, both forms of
/// registration, logins that are checked by a pairing, and signatures.
///
/// | request | answer |
/// | --- | --- |
/// | `POST /rps/v2/session`, `/rps/v2/access` | a website opens a session, and asks how it is |
/// | `POST /rps/v2/codeStatus` | the client says how far it is, and learns what the session is about |
/// | `POST /verification/email`, `/verification`, `/verification/confirmation`, `/verification/quickcode` | codes, and tokens for them |
/// | `POST /registration`, then both `secretUrls`, one of them at the second authority | an M-Pin id and the client's secret in two shares |
/// | `PUT /rps/v2/user`, `GET /rps/v2/signature/…`, `POST /rps/v2/dvsregister` | the same for older clients |
/// | `POST /rps/v2/pass1`, `/rps/v2/pass2`, `/rps/v2/authenticate` | a login |
/// | `POST /dvs/verify`, `/dvs/session`, `/dvs/session/details`, `PUT` and `DELETE /dvs/session` | signatures, and sessions for them |
/// | `GET /.well-known/jwks` | the key of its tokens |
/// | `GET …/service` at the landing host, `GET /rps/clientSettings` | what older clients begin with |
///
/// A word `miracl.CALL` is a fault of all projects at that call, as in `MIRACLFault.answer`. A word
/// `miracl.generation` names the secret for new registrations. When it changes, earlier identities
/// are told to renew theirs.
package final class MIRACLService: SimulatedService {
  /// The hosts by their part.
  package struct Hosts: Hashable, Sendable {
    package var api: String
    /// The second authority, which gives the other half of each secret.
    package var authority: String
    /// What QR codes lead to.
    package var landing: String

    package init(api: String, authority: String, landing: String) {
      self.api = api
      self.authority = authority
      self.landing = landing
    }
  }

  /// A call and its content.
  struct Call {
    var place: MIRACLFault.Place
    var request: SimulatedRequest
    var body: JSONValue
    /// The rest of the path after the call's own part.
    var rest: String

    /// - Throws: `MIRACLRefusal` if the member is missing or empty.
    func text(_ name: String) throws -> String {
      guard let text = body[name]?.string else { throw MIRACLRefusal.parameter(name) }
      return text
    }
  }

  let hosts: Hosts
  let projects: [String: SimulatedMIRACLProject]
  let mailbox: SimulatedMailbox
  let environment: ProviderEnvironment
  let secrets: MIRACLSecrets
  let records = Mutex(MIRACLRecords())
  /// Its wording is used to refuse a call that names no project.
  private let firstProject: SimulatedMIRACLProject

  /// - Parameters:
  ///   - projects: at least one.
  ///   - mailbox: where its mail goes.
  package init(
    hosts: Hosts, projects: [SimulatedMIRACLProject], mailbox: SimulatedMailbox, _ environment: ProviderEnvironment
  ) {
    precondition(!projects.isEmpty, "a platform has a project")
    self.hosts = hosts
    self.projects = Dictionary(projects.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    firstProject = projects[0]
    self.mailbox = mailbox
    self.environment = environment
    secrets = MIRACLSecrets(environment)
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    guard let call = call(request) else { return nil }
    let project = project(of: call) ?? firstProject
    do {
      return try perform(call, project)
    } catch let refusal as MIRACLRefusal {
      return refusal.response(project, requestID: environment.makeName(bytes: 8))
    } catch is MPinError {
      // A point or a key that the client sent is none.
      return MIRACLRefusal.problem(.parameters).response(project, requestID: environment.makeName(bytes: 8))
    } catch {
      return .problem(500, "the simulated platform has no key to sign with")
    }
  }

  private func perform(_ call: Call, _ project: SimulatedMIRACLProject) throws -> SimulatedResponse {
    let twist = try twist(of: call, project)
    let answer: JSONValue
    switch call.place {
    case .session: answer = try openSession(call, project)
    case .access: answer = try access(call)
    case .codeStatus: answer = try codeStatus(call, project, twist)
    case .email: answer = try sendMail(call, project)
    case .verification: answer = try startVerification(call, project)
    case .confirmation where call.request.method == "GET": return followLink(call)
    case .confirmation: answer = try confirm(call, project, twist)
    case .quickCode: answer = try makeQuickCode(call, project)
    case .registration: answer = try register(call, project, twist)
    case .firstShare: answer = try share(call, isFirst: true, twist)
    case .secondShare: answer = try share(call, isFirst: false, twist)
    case .user: answer = try startUser(call, project, twist)
    case .signature: answer = try finishUser(call, project, twist)
    case .dvsRegister: answer = try renewUser(call, project, twist)
    case .pass1: answer = try passOne(call, project, twist)
    case .pass2: answer = try passTwo(call)
    case .authenticate: answer = try authenticate(call, project, twist)
    case .verify: answer = try verify(call, project, twist)
    case .signingSession: answer = try signingSession(call, project)
    case .keys: answer = try secrets.keySet
    case .service: return try service(call, project)
    case .settings: answer = settings
    }
    return .json(answer.text)
  }

  /// The twist of an answer; a fault of another kind is thrown.
  private func twist(of call: Call, _ project: SimulatedMIRACLProject) throws -> MIRACLFault.Twist? {
    let word = environment.word("miracl.\(call.place.rawValue)").flatMap { MIRACLFault.answer($0, at: call.place) }
    guard let answer = word ?? fault(of: call, project) else { return nil }
    switch answer {
    case .error, .twist(.hangUp), .twist(.silence), .twist(.unavailable), .twist(.page), .twist(.empty):
      throw MIRACLRefusal.fault(answer)
    case .twist(let twist): return twist
    }
  }

  private func fault(of call: Call, _ project: SimulatedMIRACLProject) -> MIRACLFault.Answer? {
    let user = userID(of: call)
    let fault = project.faults.first { $0.place == call.place && ($0.userID == nil || $0.userID == user) }
    guard let fault else { return nil }
    let count = records.withLock { records in
      records.faultCounts[project.id, default: [:]][fault, default: 0] += 1
      return records.faultCounts[project.id]?[fault] ?? 0
    }
    let last = fault.times.map { $0 + fault.skip } ?? .max
    return count > fault.skip && count <= last ? fault.answer : nil
  }

  func later(_ seconds: Int) -> Timestamp {
    Timestamp(milliseconds: environment.now().milliseconds + Int64(seconds) * 1000)
  }

  /// Seconds since 1970.
  var seconds: Int { Int(environment.now().milliseconds / 1000) }
}
