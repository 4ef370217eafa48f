import JSONTree
import Testing

@testable import NativeMessaging

/// What a page is answered, as tables of messages and actions.
@Suite("A page at the native host")
struct PageSessionTests {
  private static let kiosk = #"{"id":0,"call":"open","parameters":{"origin":"https://kiosk.example"}}"#
  private static let verify = #"{"id":1,"call":"verify","parameters":{"number":"+4915112345678"}}"#

  private static func session() -> PageSession {
    PageSession { $0.description == "https://kiosk.example" ? ["verify", "signIn"] : [] }
  }

  /// The error that a message gets, and whether the host ends then.
  private static func refusal(_ session: inout PageSession, _ message: String) -> (name: String?, ends: Bool) {
    let actions = session.take(Array(message.utf8))
    guard case .send(let event)? = actions.first, case .error(let failure) = event.what else { return (nil, false) }
    return (failure.name, actions.contains(.hangUp))
  }

  private static func opened() -> PageSession {
    var session = session()
    _ = session.take(Array(kiosk.utf8))
    return session
  }

  @Test func `a page is opened, asks, and is told steps and outcome`() {
    var session = Self.session()
    #expect(
      session.take(Array(Self.kiosk.utf8)) == [.send(PageEvent(0, .opened(asks: ["verify", "signIn"])))])
    let parameters = JSONValue.object(["number": .string("+4915112345678")])
    #expect(
      session.take(Array(Self.verify.utf8)) == [.begin(flow: 1, ask: "verify", parameters: parameters)])
    let step = PageStep(index: 1, name: "createCheck", lane: "host", start: 1.5, milliseconds: 20, hasFailed: false)
    #expect(session.note(.progress(step), of: 1) == [.send(PageEvent(1, .progress(step)))])
    let end = PageEvent.What.outcome(result: "verified", details: ["number": .string("matches")])
    #expect(session.note(end, of: 1) == [.send(PageEvent(1, end))])
    // What comes late belongs to nobody; another call may begin.
    #expect(session.note(end, of: 1) == [] && session.note(.progress(step), of: 1) == [])
    #expect(session.take(Array(Self.verify.utf8)) != [])
    #expect(session.leave() == [.cancel(flow: 1), .hangUp])
    #expect(session.leave() == [] && session.take(Array(Self.verify.utf8)) == [])
  }

  @Test(
    "before it is open, a page gets one answer and the host ends",
    arguments: [
      (verify, "notOpened"), ("{", "badMessage"), ("", "badMessage"), ("[]", "badMessage"), ("{}", "badArgument"),
      (#"{"id":0,"call":"open"}"#, "badArgument"),
      (#"{"id":0,"call":"open","parameters":{"origin":"https://evil.example"}}"#, "notAllowed"),
      (#"{"id":0,"call":"open","parameters":{"origin":"https://kiosk.example:8443"}}"#, "notAllowed"),
      (#"{"id":0,"call":"open","parameters":{"origin":"https://kiosk.example.evil.example"}}"#, "notAllowed"),
      (#"{"id":0,"call":"open","parameters":{"origin":"null"}}"#, "badArgument"),
      (#"{"id":0,"call":"open","parameters":{"origin":"https://kiosk.example","more":1}}"#, "badArgument"),
      (String(repeating: "[", count: 60_000), "badMessage"),
    ])
  func unopened(_ message: String, _ name: String) {
    var session = Self.session()
    let refusal = Self.refusal(&session, message)
    #expect(refusal.name == name && refusal.ends)
    #expect(session.take(Array(Self.kiosk.utf8)) == [], "nothing follows")
  }

  @Test(
    "an open page gets an error for what it may not, and goes on",
    arguments: [
      (kiosk, "notOpened"), (#"{"id":1,"call":"login","parameters":{}}"#, "notAllowed"),
      (#"{"id":1,"call":"verify","parameters":[]}"#, "badArgument"),
      (#"{"id":1,"call":"verify","parameters":{},"extra":true}"#, "badArgument"),
      (#"{"id":"1","call":"verify"}"#, "badArgument"), (#"{"id":-1,"call":"verify"}"#, "badArgument"),
      (#"{"id":1.5,"call":"verify"}"#, "badArgument"), (#"{"id":1,"call":"../verify"}"#, "badArgument"),
      (#"{"id":1,"call":7}"#, "badArgument"), (#"{"id":2,"call":"cancel","parameters":{"flow":1}}"#, "noSuchFlow"),
      (#"{"id":2,"call":"answer","parameters":{"flow":1,"value":"1234"}}"#, "noSuchFlow"),
      (#"{"id":2,"call":"answer","parameters":{"flow":1,"value":""}}"#, "badArgument"),
    ])
  func opened(_ message: String, _ name: String) {
    var session = Self.opened()
    let refusal = Self.refusal(&session, message)
    #expect(refusal.name == name && !refusal.ends)
    guard case .begin? = session.take(Array(Self.verify.utf8)).first else {
      Issue.record("the page cannot go on")
      return
    }
  }

  @Test func `one flow at a time, and an answer only to its own question, once`() {
    var session = Self.opened()
    let answer = { (flow: Int) in #"{"id":9,"call":"answer","parameters":{"flow":\#(flow),"value":"123456"}}"# }
    _ = session.take(Array(#"{"id":3,"call":"signIn","parameters":{}}"#.utf8))
    #expect(Self.refusal(&session, Self.verify).name == "busy")
    #expect(Self.refusal(&session, answer(3)).name == "noSuchFlow", "nobody has asked")
    let question = PageEvent.What.question(.code(wasWrong: false, attemptsLeft: 3))
    #expect(session.note(question, of: 3) == [.send(PageEvent(3, question))])
    #expect(Self.refusal(&session, answer(4)).name == "noSuchFlow")
    #expect(session.take(Array(answer(3).utf8)) == [.give(flow: 3, value: "123456")])
    #expect(Self.refusal(&session, answer(3)).name == "noSuchFlow", "it was answered")
    #expect(
      session.take(Array(#"{"id":9,"call":"cancel","parameters":{"flow":3}}"#.utf8)) == [.cancel(flow: 3)])
  }

  @Test func `a message that is too long ends everything`() throws {
    var session = Self.opened()
    _ = session.take(Array(Self.verify.utf8))
    let actions = session.tooLong(MessageReader.TooLong(bytes: 70_000))
    #expect(actions.suffix(2) == [.cancel(flow: 1), .hangUp] && actions.count == 3)
    #expect(session.tooLong(MessageReader.TooLong(bytes: 70_000)) == [])
  }

  @Test func `events are written as the documentation says`() {
    let events: [(PageEvent, String)] = [
      (PageEvent(0, .opened(asks: ["verify"])), #"{"asks":["verify"],"event":"opened","id":0,"version":1}"#),
      (
        PageEvent(1, .question(.pin(shortest: 4, longest: 6, purpose: nil))),
        #"{"event":"question","id":1,"question":{"longest":6,"shortest":4,"what":"pin"}}"#
      ),
      (
        PageEvent(1, .outcome(result: "verified", details: ["result": .string("other")])),
        #"{"event":"outcome","id":1,"outcome":{"result":"verified"}}"#
      ),
      (
        PageEvent(nil, .error(.badArgument("id", "a number"))),
        #"{"error":{"field":"id","name":"badArgument","text":"id is missing or wrong; expected a number"},"event":"error","id":null}"#
      ),
      (
        PageEvent(1, .error(.tooMany(retryAfterSeconds: 5))),
        #"{"error":{"name":"tooMany","retryAfterSeconds":5,"text":"this site has asked too often; try again in 5 s"},"event":"error","id":1}"#
      ),
    ]
    for (event, text) in events { #expect(event.json.text == text) }
  }
}
