// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import ModemModel
import Testing
import Web

@testable import TS43Flows

@Suite("Logins at an entitlement server")
struct LoginTests {
  @Test("Ends", arguments: table)
  func ends(_ row: OutcomeCase) {
    let trial = TS43Stage.login(row.reactions, row.change)
    row.check(trial.outcome, trial.sent.count)
    #expect((trial.answer != nil) == (row.result == .authorized))
  }

  @Test("The token, with what was learnt of the server")
  func token() {
    let trial = TS43Stage.login(
      [.text(405), .text(406), .relay(), .answered(.response), .xml(Document.afterLogin)])
    let token = trial.answer?.token
    #expect(token?.token == Secret("token-1"))
    #expect(token?.method == .post)
    #expect(token?.version == "10.0")
    #expect(token?.groupIdentifier == [0x0a, 0xff])
    #expect(token?.expires == TS43Stage.start.later(by: .seconds(86_406)))
    #expect(trial.sent.map(\.method) == [.get, .post, .post, .post])
  }

  static let validities: [(String, Int64?)] = [
    ("86400", 86_400 + 4), ("0", 4), ("-1", 3), ("soon", nil),
    ("99999999999999999999", Timestamp.latest.seconds - TS43Stage.start.seconds),
  ]

  @Test("A token's time", arguments: validities)
  func validity(_ text: String, _ seconds: Int64?) {
    let document = Reaction.json(#"{"Token":{"token":"t","validity":"\#(text)"}}"#)
    let trial = TS43Stage.login([.relay(), .answered(.response), document])
    #expect(trial.answer?.token.expires.map { $0.seconds - TS43Stage.start.seconds } == seconds)
  }

  private func cookies(_ trial: Trial<some Sendable>) -> [String?] {
    trial.sent.map { call in call.headers.first { $0.name == "Cookie" }?.value }
  }

  @Test("Cookies go back to their host alone, without their attributes, and on to the operation")
  func cookies() {
    let trial = TS43Stage.login([
      .relay(cookie: "session=a; Path=/; HttpOnly; Secure; SameSite=Lax"), .answered(.synchronisation),
      .relay(cookie: "lb=b; Path=/"), .answered(.response),
      .redirect("https://auth.operator.example/x"), .relay(cookie: "c=d"), .answered(.response),
      .redirect("https://aes.mnc001.mcc001.pub.3gppnetwork.org/y"), .xml(Document.afterLogin),
    ])
    #expect(cookies(trial) == [nil, "session=a", "session=a; lb=b", nil, "c=d", "session=a; lb=b"])
    guard let answer = trial.answer else { return }
    let next = TS43Stage.run(
      TS43OperationMachine(
        .phoneNumber, of: TS43Stage.subscriber, TS43Stage.context(), with: answer.token, jar: answer.jar), [.text(500)])
    #expect(cookies(next) == ["session=a; lb=b"])
  }

  @Test("An answer of the SIM goes to no other origin by a redirect, and to its own with its body")
  func bodies() {
    let elsewhere = TS43Stage.login([
      .relay(), .answered(.response), .redirect("https://b.example/", 307), .xml(Document.afterLogin),
    ])
    #expect(elsewhere.sent.last?.method == .get)
    #expect(elsewhere.sent.last?.body == nil)
    let own = TS43Stage.login([.relay(), .answered(.response), .redirect("/b", 308), .xml(Document.afterLogin)])
    #expect(own.sent.last?.method == .post)
    #expect(own.sent.last?.body == own.sent[1].body)
    let seen = TS43Stage.login([.relay(), .answered(.response), .redirect("/b", 303), .xml(Document.afterLogin)])
    #expect(seen.sent.last?.method == .get)
    // A question by POST has the IMSI in its body.
    let asked = TS43Stage.login([.redirect("https://b.example/", 307), .text(500)]) { $0.method = .post }
    #expect(asked.sent.last?.body == nil)
  }

  @Test("The answer to a packet goes where the packet came from, without the query")
  func place() {
    let trial = TS43Stage.login([
      .redirect("https://auth.operator.example/eap?session=1"), .relay(), .answered(.response), .text(500),
    ])
    #expect(trial.sent.last?.url.text == "https://auth.operator.example/eap")
  }

  @Test("An event that follows from nothing ends the flow")
  func unexpected() {
    var machine = TS43LoginMachine(TS43Stage.context())
    _ = machine.start(at: TS43Stage.start)
    guard case .finish(let outcome, nil) = machine.receive(.resumed, at: TS43Stage.start) else {
      Issue.record("it goes on")
      return
    }
    #expect(outcome.result == .badAnswer)
  }
}
