import AuthCore
import ModemModel
import Testing
import Web

@testable import TS43Flows

@Suite("Nothing of the SIM is in what people see of TS.43")
struct RedactionTests {
  private static let secrets = [
    "001010123456063", "350077523237513", "447700900123", "447700900999", "token-1", "token-2", "temporary-1",
    "8944100000000000063", "session=a", "nai.epc",
  ]

  private func check(_ text: String, _ place: String) {
    for secret in Self.secrets { #expect(!text.contains(secret), "\(place): \(text)") }
  }

  @Test("Outcomes of logins", arguments: LoginTests.table)
  func logins(_ row: OutcomeCase) {
    let outcome = TS43Stage.login(row.reactions, row.change).outcome
    check("\(outcome)", row.name)
  }

  @Test("Outcomes of operations", arguments: OperationTests.table)
  func operations(_ row: OutcomeCase) {
    let outcome = TS43Stage.operation(row.operation, row.reactions, row.change).outcome
    check("\(outcome)", row.name)
  }

  @Test("A server that says the request back", arguments: [400, 401, 403, 404, 406])
  func echoes(_ status: Int) {
    let sent = TS43Stage.operation(.verify(TS43Stage.number), [.text(500)]).sent[0]
    let trial = TS43Stage.operation(.verify(TS43Stage.number), [.text(status, "Bad request: \(sent.url.text)")]) {
      $0.versions = ["12.0"]
    }
    check("\(trial.outcome)", "\(status)")
    check(EntitlementRefusal.shown("IMSI=001010123456063 token: AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA \u{1b}[31m"), "shown")
  }

  @Test("Requests, questions, tokens, keys and answers, however they are printed")
  func values() async throws {
    let server = TS43Server([
      "login": [.relay(cookie: "session=a")], "answerChallenge": [.answered(.response)],
      "sendAnswer": [.xml(Document.afterLogin)],
      "acquireTemporaryToken": [.document(Document.parm(["TemporaryToken": "temporary-1"]))],
    ])
    let end = try await server.run(.temporaryToken(.verify))
    let key = try #require(TS43Stage.context().key)
    let kept = try await server.store.token(for: key)
    #expect(end.outcome.result == .authorized)
    var values: [Any] = [end, key, TS43Stage.token, kept as Any, TS43Stage.context()]
    values += server.sent.map { $0 as Any } + server.asked.map { $0 as Any } + server.steps.map { $0 as Any }
    values += [TS43Operation.verify(TS43Stage.number), EntitlementRequest(proof: .identity(TS43Stage.identity))]
    values.append(try EntitlementDocument(Array(Document.afterLogin.utf8), type: nil))
    for value in values {
      check("\(value)", "description")
      check(String(reflecting: value), "reflection")
      var text = ""
      dump(value, to: &text)
      check(text, "dump")
    }
  }

  @Test("Steps tell the host, the status and the time")
  func steps() async throws {
    let server = TS43Server(["getPhoneNumber": [.text(503)]])
    let key = try #require(TS43Stage.context().key)
    try await server.store.keep(TS43Stage.token, for: key)
    _ = try await server.run(.phoneNumber)
    #expect(server.steps.map(\.name) == ["getPhoneNumber"])
    #expect(server.steps.map(\.host) == ["aes.mnc001.mcc001.pub.3gppnetwork.org"])
    #expect(server.steps.map(\.status) == [503])
    #expect(server.steps.map(\.lane) == [.host])
  }
}
