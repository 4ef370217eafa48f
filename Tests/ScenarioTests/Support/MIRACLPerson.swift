import FoundationEssentials
import JSONTree
import MIRACLAPI
import ModemAPI
import ModemAPIClient
import ScenarioRunner
import Testing
import Varlink

/// A reply of the calls of `org.modemd.MIRACL` that may ask.
protocol MIRACLReply: Sendable {
  var step: MIRACLInterface.Step? { get }
  var flow: String? { get }
  var question: MIRACLInterface.Question? { get }
  var outcome: MIRACLInterface.Outcome? { get }
}

extension MIRACLInterface.Register.Reply: MIRACLReply {}
extension MIRACLInterface.Login.Reply: MIRACLReply {}
extension MIRACLInterface.Sign.Reply: MIRACLReply {}
extension MIRACLInterface.QuickCode.Reply: MIRACLReply {}

/// What a call of a person came to.
struct MIRACLRun<Reply: MIRACLReply>: Sendable {
  var steps: [MIRACLInterface.Step] = []
  var last: Reply?

  var result: MIRACLInterface.Outcome.Result? { last?.outcome?.result }
  var names: [String] { steps.map(\.name) }
  var words: String { "\(names) \(last?.outcome?.result.rawValue ?? "-"): \(last?.outcome?.text ?? "-")" }
}

/// Somebody in a world who has mail and a PIN, and looks at websites.
struct MIRACLPerson: Sendable {
  let world: World
  var address = "ada@shop.example"
  var pin = "4711"
  /// Of the simulated platform.
  var project = "shop"
  /// Of modemd; nil for the project's name.
  var provider: String?

  // MARK: At modemd

  func register(
    _ verification: MIRACLInterface.Register.Parameters.Verification? = nil, proof: String? = nil, link: String? = nil
  ) async throws -> MIRACLRun<MIRACLInterface.Register.Reply> {
    try await run(
      MIRACLInterface.Register.self,
      .init(user: address, verification: verification, proof: proof, link: link, provider: provider ?? project))
  }

  func logIn(_ link: String? = nil, pin: String? = nil) async throws -> MIRACLRun<MIRACLInterface.Login.Reply> {
    var person = self
    person.pin = pin ?? self.pin
    return try await person.run(
      MIRACLInterface.Login.self, .init(link: link, user: address, provider: provider ?? project))
  }

  func sign(
    hash: String? = nil, link: String? = nil, session: String? = nil
  ) async throws -> MIRACLRun<MIRACLInterface.Sign.Reply> {
    try await run(
      MIRACLInterface.Sign.self,
      .init(hash: hash, link: link, signingSession: session, user: address, provider: provider ?? project))
  }

  func run<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> MIRACLRun<Method.Reply> where Method.Reply: MIRACLReply {
    var run = MIRACLRun<Method.Reply>()
    for try await reply in try await world.client().stream(method, parameters) {
      if let step = reply.step { run.steps.append(step) }
      if let question = reply.question, let flow = reply.flow { try await answer(question, flow) }
      if reply.outcome != nil { run.last = reply }
    }
    return run
  }

  private func answer(_ question: MIRACLInterface.Question, _ flow: String) async throws {
    let client = try await world.client()
    switch question.what {
    case .pin: _ = try await client.call(MIRACLInterface.GivePIN.self, .init(flow: flow, pin: pin))
    case .mailCode, .mailLink:
      _ = try await client.call(MIRACLInterface.GiveMail.self, .init(flow: flow, mail: try await mail()))
    case .other(let word): Issue.record("modemd asks for \(word)")
    }
  }

  /// What modemd keeps of this person.
  func identity() async throws -> MIRACLInterface.Identity? {
    let all = try await world.client().call(MIRACLInterface.Identities.self, .init())
    #expect(all.damaged.isEmpty)
    return all.identities.first { $0.user == address && $0.project == project }
  }

  // MARK: At websites

  /// The code in the newest mail, or its link.
  func mail() async throws -> String {
    let text = try await curl("https://mail.shop.example/to/\(address)")
    let last = text.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? "-"
    return last.hasSuffix(".") ? String(last.dropLast()) : last
  }

  func site(_ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
    let query = path.contains("?") ? "&" : "?"
    let url = "https://site.shop.example\(path)\(query)project=\(project)"
    let text = try await curl(url, body)
    return try #require(JSONValue(parsing: Array(text.utf8)), "\(path): \(text)")
  }

  /// Has the website open a session.
  func visit(_ path: String = "/login", _ body: JSONValue = .object([:])) async throws -> (session: String, qr: String)
  {
    let opened = try await site(path, body)
    return (try #require(opened["session"]?.string), try #require(opened["qr"]?.string))
  }

  private func curl(_ url: String, _ body: JSONValue? = nil) async throws -> String {
    let content = body.map { ["-H", "Content-Type: application/json", "-d", $0.text] } ?? []
    let result = try await world.run(
      ["curl", "-sS", "-m", "30", "--cacert", world.folder.authority] + content + [url])
    #expect(result.end == .exited(0), "\(url): \(result.error)")
    return result.output
  }
}
