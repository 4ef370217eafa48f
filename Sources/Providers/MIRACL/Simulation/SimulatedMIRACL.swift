import OperatorSimulator

/// `MIRACLService` in a scenario, with a website that has its login and the mailbox of its users.
///
///     { "kind": "miracl", "pins": ["4711"],
///       "projects": [ { "id": "shop", "verification": "code",
///                       "faults": [ { "at": "pass1", "answer": "EXPIRED_MPINID",
///                                     "status": 401, "skip": 1 } ] } ] }
package struct SimulatedMIRACL: SimulatedProvider {
  package static let kind = "miracl"
  package static let hosts = [
    "api": ProviderHost("api.miracl.example", ["198.51.100.180", "2001:db8:180::10"]),
    "authority": ProviderHost("authority.miracl.example", ["198.51.100.181", "2001:db8:180::11"]),
    "landing": ProviderHost("mcl.miracl.example", ["198.51.100.182", "2001:db8:180::12"]),
    "site": ProviderHost("site.shop.example", ["203.0.113.180", "2001:db8:180::20"]),
    "mail": ProviderHost("mail.shop.example", ["203.0.113.181", "2001:db8:180::21"]),
  ]
  package static let known = ["projects", "pins"]

  private let hosts: [String: ProviderHost]
  private let projects: [SimulatedMIRACLProject]
  /// The PINs that users will choose: the platform never learns them, and no log may show them.
  private let pins: [String]

  package init(hosts: [String: ProviderHost], _ fields: ScenarioFields) throws {
    self.hosts = hosts
    let given = try fields.list("projects", known: Self.projectMembers)?.map(Self.project) ?? []
    projects = given.isEmpty ? [SimulatedMIRACLProject("shop")] : given
    pins = try fields.texts("pins", "4 to 6 digits", { $0.digits(4...6) }) ?? []
  }

  private static let projectMembers = [
    "id", "name", "secret", "verification", "pinLength", "errorBody", "errorCodes", "wrongPINs", "identitySeconds",
    "codeSeconds", "codeTries", "backoffSeconds", "sessionSeconds", "tokenSeconds", "landing", "faults",
  ]

  private static func project(_ fields: ScenarioFields) throws -> SimulatedMIRACLProject {
    guard let id = try fields.text("id") else { throw fields.missing("id", "the project's id") }
    var project = SimulatedMIRACLProject(id)
    project.name = try fields.text("name") ?? project.name
    project.clientSecret = try fields.text("secret") ?? project.clientSecret
    project.verification =
      try fields.word("verification", SimulatedMIRACLProject.Verification.self) ?? project.verification
    project.pinLength = try fields.number("pinLength", 4...6) ?? project.pinLength
    project.errorBody = try fields.word("errorBody", SimulatedMIRACLProject.Wording.self) ?? project.errorBody
    project.errorCodes = try fields.word("errorCodes", SimulatedMIRACLProject.Wording.self) ?? project.errorCodes
    project.wrongPINs = try fields.number("wrongPINs", 1...10) ?? project.wrongPINs
    project.identitySeconds = try fields.number("identitySeconds", 0...1_000_000_000)
    project.codeSeconds = try fields.number("codeSeconds", 0...86_400) ?? project.codeSeconds
    project.codeTries = try fields.number("codeTries", 1...10) ?? project.codeTries
    project.backoffSeconds = try fields.number("backoffSeconds", 0...86_400) ?? project.backoffSeconds
    project.sessionSeconds = try fields.number("sessionSeconds", 0...86_400) ?? project.sessionSeconds
    project.tokenSeconds = try fields.number("tokenSeconds", 0...86_400) ?? project.tokenSeconds
    project.landing = try fields.word("landing", SimulatedMIRACLProject.Landing.self) ?? project.landing
    let known = ["at", "answer", "status", "user", "skip", "times"]
    project.faults = try fields.list("faults", known: known)?.map(fault) ?? []
    return project
  }

  private static func fault(_ fields: ScenarioFields) throws -> MIRACLFault {
    guard let place = try fields.word("at", MIRACLFault.Place.self) else {
      throw fields.missing("at", "one of " + MIRACLFault.Place.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let twists = MIRACLFault.Twist.allCases.filter { $0.places.contains(place) }.map(\.rawValue).joined(separator: ", ")
    let expected = "the code of an error, or one of \(twists)"
    let status = try fields.number("status", 400...599) ?? 400
    let answer = try fields.text("answer", expected) { MIRACLFault.answer($0, status: status, at: place) }
    guard let answer else { throw fields.missing("answer", expected) }
    var fault = MIRACLFault(place, answer)
    fault.userID = try fields.text("user")
    fault.skip = try fields.number("skip", 0...1000) ?? fault.skip
    fault.times = try fields.number("times", 1...1000)
    return fault
  }

  package var secrets: [ScenarioSecret] {
    projects.map { ScenarioSecret(kind: "client secret", value: $0.clientSecret) }
      + pins.map { ScenarioSecret(kind: "PIN", value: $0) }
  }

  package func services(_ environment: ProviderEnvironment) -> [any SimulatedService] {
    let mailbox = SimulatedMailbox(host: hosts.name("mail"))
    let platform = MIRACLService(
      hosts: .init(api: hosts.name("api"), authority: hosts.name("authority"), landing: hosts.name("landing")),
      projects: projects,
      mailbox: mailbox, environment)
    return [platform, MIRACLSite(host: hosts.name("site"), projects: projects, platform: platform), mailbox]
  }
}

extension SimulatedMIRACLProject {
  fileprivate init(_ id: String) {
    self.init(id: id, clientID: "client-of-\(id)", clientSecret: "miracl-client-secret-\(id)")
  }
}
