import AuthCore
import AuthFlows
import JSONTree
import MIRACLTestSupport
import Testing
import MIRACLFlows

@Suite("Signatures with MIRACL")
struct MIRACLSigningTests {
  struct Row: Sendable, CustomTestStringConvertible {
    enum Task: Sendable { case hash, link, session }

    var name: String
    var task: Task
    var changes: [MIRACLStage.Change] = []
    var pin: String? = "1234"
    var result: FlowResult = .signed
    var code: String?
    /// Whether the caller has a signature all the same.
    var isSigned = true
    var steps: [String]
    var testDescription: String { name }
  }

  private static let proof = ["askForPIN", "pass1", "pass2", "authenticate"]
  private static let wanted = MIRACLStage.Change.member("sessionDetails", "hash", .string(MIRACLPlatform.hash))

  private static func tooLong(_ step: String) -> MIRACLStage.Change {
    .member(step, "description", .string(String(repeating: "x", count: 1001)))
  }

  static let rows: [Row] = [
    Row(name: "a hash", task: .hash, steps: proof),
    Row(
      name: "a hash, with a wrong PIN", task: .hash, pin: "4321", result: .pinWrong,
      code: "UNSUCCESSFUL_AUTHENTICATION",
      isSigned: false, steps: proof),
    Row(
      name: "a hash, without a PIN", task: .hash, pin: nil, result: .codeRequired, isSigned: false, steps: ["askForPIN"]
    ),
    Row(
      name: "a website's document", task: .link, changes: [wanted],
      steps: ["sessionDetails"] + proof + ["sessionSigned"]),
    Row(
      name: "a website that wants nothing signed", task: .link, result: .badRequest, isSigned: false,
      steps: ["sessionDetails"]),
    Row(
      name: "a website's session is over", task: .link,
      changes: [.problem("sessionDetails", "INVALID_AUTH_SESSION", isOld: true)], result: .expired,
      code: "INVALID_AUTH_SESSION", isSigned: false, steps: ["sessionDetails"]),
    Row(
      name: "a website does not take it", task: .link, changes: [wanted, .reply("sessionSigned", 404)],
      result: .expired, steps: ["sessionDetails"] + proof + ["sessionSigned"]),
    Row(
      name: "an older session's document", task: .session, steps: ["signingSession"] + proof + ["signingSessionSigned"]),
    Row(
      name: "an older session that is over", task: .session, changes: [.reply("signingSession", 404)],
      result: .expired, isSigned: false, steps: ["signingSession"]),
    Row(
      name: "an older session without a hash", task: .session, changes: [.member("signingSession", "hash", nil)],
      result: .badAnswer, isSigned: false, steps: ["signingSession"]),
    Row(
      name: "an older session of another project", task: .session,
      changes: [.member("signingSession", "projectID", .string("x"))], result: .stateMismatch, code: "projectId",
      isSigned: false, steps: ["signingSession"]),
    // A person who signs is to see all that it is.
    Row(
      name: "a website that says more than can be shown", task: .link, changes: [tooLong("sessionDetails")],
      result: .badAnswer, isSigned: false, steps: ["sessionDetails"]),
    Row(
      name: "an older session that says more than can be shown", task: .session,
      changes: [tooLong("signingSession")], result: .badAnswer, isSigned: false, steps: ["signingSession"]),
    Row(
      name: "an older session does not take it", task: .session,
      changes: [.problem("signingSessionSigned", "NO", 400)], result: .badRequest, code: "NO",
      steps: ["signingSession"] + proof + ["signingSessionSigned"]),
  ]

  @Test("A hash is signed, and who wanted it gets the signature", arguments: rows)
  func sign(_ row: Row) async throws {
    let stage = MIRACLStage()
    try await stage.register()
    stage.then(row.changes, answers: [row.pin].compactMap(\.self))
    let task: MIRACLSigningTask =
      switch row.task {
      case .hash: .hash(try #require(MIRACLHash(MIRACLPlatform.hash)))
      case .link: .link(try stage.flow.link(MIRACLStage.link))
      case .session: .session(Secret("session-1"))
      }
    let end = try await stage.flow.sign(task, canAsk: true, stage.run)
    #expect(end.outcome.result == row.result, "\(end.outcome)")
    #expect(end.outcome.code == row.code && stage.record.steps == row.steps)
    #expect((end.answer?.signature != nil) == row.isSigned)
    guard let signature = end.answer?.signature else { return }
    #expect(stage.accepts(signature.document()) && signature.timestamp == 1_700_000_000)
    #expect(stage.record.questions.map(\.purpose) == [row.task == .session ? "a contract" : nil])
    let scopes = stage.record.calls.first { $0.step == "pass1" }
      .flatMap { JSONValue(parsing: $0.body?.bytes ?? [])?["scope"]?.items.compactMap(\.string) }
    #expect(scopes == ["dvs-auth"])
    // It is not the website's session that is logged in to.
    #expect(stage.record.calls.first { $0.step == "pass2" }?.field("WID") == nil)
    guard row.result == .signed, let last = stage.record.calls.last else { return }
    switch row.task {
    case .hash: break
    case .link:
      let sent = JSONValue(parsing: last.field("signature").flatMap { Base64.decode($0) } ?? [])
      #expect(sent == signature.document() && last.field("status") == "signed")
    case .session:
      let body = try #require(JSONValue(parsing: last.body?.bytes ?? []))
      #expect(last.method == .put && last.url.path == "/dvs/session" && body["id"]?.string == "session-1")
      #expect(body["signature"] == signature.document(withTime: false) && body["timestamp"]?.integer == 1_700_000_000)
    }
  }

  @Test("A renewed identity signs with its new key")
  func renewed() async throws {
    let stage = MIRACLStage()
    let old = try await stage.register()
    stage.then(answers: ["1234"])
    stage.offerRenewal()
    let end = try await stage.flow.sign(
      .hash(try #require(MIRACLHash(MIRACLPlatform.hash))), canAsk: true, stage.run)
    let document = try #require(end.answer?.signature?.document())
    #expect(stage.accepts(document) && document["publicKey"]?.string != old.key.publicKey.hex)
  }

  @Test("A signature of another document, or dated otherwise, is not accepted")
  func changed() async throws {
    let stage = MIRACLStage()
    try await stage.register()
    stage.then(answers: ["1234"])
    let end = try await stage.flow.sign(
      .hash(try #require(MIRACLHash(MIRACLPlatform.hash))), canAsk: true, stage.run)
    guard case .object(let members)? = end.answer?.signature?.document() else {
      return #expect(Bool(false), "no signature")
    }
    let other = ["hash": JSONValue.string(String(repeating: "5b", count: 32)), "timestamp": .int(1_700_000_001)]
    for (name, value) in other {
      var changed = members
      changed[name] = value
      #expect(!stage.accepts(.object(changed)), "\(name)")
    }
  }

  @Test("An older session is ended by DELETE")
  func abort() async throws {
    let stage = MIRACLStage()
    #expect(try await stage.flow.abortSigning(Secret("session-1"), stage.run).outcome.result == .authorized)
    let call = try #require(stage.record.calls.first)
    #expect(call.method == .delete && call.url.path == "/dvs/session" && call.field("id") == "session-1")
  }

  @Test(
    "The project's own backend has signatures verified",
    arguments: [
      (nil, .verified), (.reply("verifySignature", 400), .tokenRefused),
      (.reply("verifySignature", 401), .clientRefused),
      (.member("verifySignature", "certificate", nil), .badAnswer),
      (.reply("verifySignature", 500), .providerUnavailable),
    ] as [(MIRACLStage.Change?, FlowResult)])
  func verify(change: MIRACLStage.Change?, result: FlowResult) async throws {
    let stage = MIRACLStage(.backendShop, [change].compactMap(\.self))
    let end = try await stage.flow.verify(
      .object(["u": .string("1")]), timestamp: 1_700_000_000, stage.run)
    #expect(end.outcome.result == result && (end.answer?.revealed == "c.e.rt") == (result == .verified))
    let call = try #require(stage.record.calls.first)
    #expect(call.url.path == "/dvs/verify" && call.field("type") == "verification")
    #expect(call.header("Authorization") == "Basic Y2xpZW50LTE6Y2xpZW50LXNlY3JldC0x")
    let none = MIRACLStage()
    #expect(try await none.flow.verify(.null, timestamp: 1, none.run).outcome.result == .notConfigured)
    #expect(none.record.calls.isEmpty)
  }
}
