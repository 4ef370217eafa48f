import JSONTree
import Testing

@testable import BrowserBridge

/// What a page of a configured origin gets.
@Suite("A flow by fetch", .timeLimit(.minutes(1)))
struct FetchFlowTests {
  @Test func `steps and an outcome, each a line, without the modem, its address and the number`() async throws {
    try await FetchWorld.run { world in
      let answer = try await world.post(FetchWorld.call())
      #expect(answer.status == 200 && answer.field("content-type") == "application/x-ndjson")
      #expect(answer.field("access-control-allow-origin") == FetchWorld.origin && answer.field("vary") == "Origin")
      #expect(answer.field("access-control-allow-credentials") == nil && answer.field("set-cookie") == nil)
      #expect(answer.field("cross-origin-resource-policy") == "same-origin")
      #expect(answer.field("content-security-policy")?.contains("frame-ancestors 'none'") == true)
      #expect(answer.events.map { $0["event"]?.string } == ["progress", "outcome"])
      #expect(
        answer.events.first?.text
          == #"{"event":"progress","id":1,"step":{"failed":false,"index":1,"lane":"host","milliseconds":1,"name":"createCheck","start":0}}"#
      )
      #expect(answer.events.last?["outcome"]?["result"]?.string == "verified")
      for secret in ["modem-secret", "192.0.2.7", "4915112345678"] { #expect(!answer.text.contains(secret)) }
      #expect(world.modemd.numbers == [FetchWorld.number])
    }
  }

  @Test func `events come as they happen, and a page that leaves ends the check at modemd`() async throws {
    try await FetchWorld.run { world in
      world.modemd.change { $0.waits = true }
      let connection = try TestConnection(to: world.browser.port)
      try connection.send(world.text(FetchWorld.call()))
      let begun = try await TestBrowser.blocking { try connection.read(until: "createCheck") }
      #expect(begun.contains("\"progress\"") && !begun.contains("\"outcome\""))
      #expect(world.modemd.left == 0)
      connection.abort()
      try await world.left(1)
    }
  }

  @Test func `a code is taken once for each question, from the same origin, and goes to modemd alone`() async throws {
    try await FetchWorld.run { world in
      world.modemd.change { $0.rightCode = "135790" }
      let connection = try TestConnection(to: world.browser.port)
      try connection.send(world.text(FetchWorld.call("signIn")))
      func key() async throws -> String {
        let text = try await TestBrowser.blocking { try connection.read(until: "\"wasWrong\"") }
        let mark = try #require(text.firstRange(of: "\"flow\":\""))
        return String(text[mark.upperBound...].prefix { $0 != "\"" })
      }
      func answer(_ key: String, _ value: String, _ changes: [String: String] = [:]) async throws -> Int {
        let body = #"{"id":2,"call":"answer","parameters":{"flow":"\#(key)","value":"\#(value)"}}"#
        return try await world.post(body, changes).status
      }
      let first = try await key()
      #expect(first.utf8.count == 40)
      #expect(try await answer(first, "000000", ["Origin": FetchWorld.other]) == 404, "another origin's page")
      #expect(try await answer(String(repeating: "0", count: 40), "000000") == 404)
      #expect(try await answer("1", "000000") == 404, "the call's own id is no key")
      #expect(try await answer(first, "no code") == 400)
      #expect(world.modemd.codes == [])
      #expect(try await answer(first, "000000") == 204)
      let second = try await key()
      #expect(second != first)
      #expect(try await answer(first, "135790") == 404, "it was used")
      #expect(try await answer(second, "135790") == 204)
      let end = try await TestBrowser.blocking { String(decoding: try connection.rest(), as: UTF8.self) }
      #expect(end.contains("id-token") && !end.contains("refresh-token"), "\(end)")
      #expect(world.modemd.codes == ["000000", "135790"])
      #expect(try await answer(second, "135790") == 404, "the flow is over")
    }
  }

  @Test func `a question whose flow has ended takes no answer`() async throws {
    try await FetchWorld.run { world in
      let connection = try TestConnection(to: world.browser.port)
      try connection.send(world.text(FetchWorld.call("signIn")))
      let text = try await TestBrowser.blocking { try connection.read(until: "\"wasWrong\"") }
      let mark = try #require(text.firstRange(of: "\"flow\":\""))
      let key = String(text[mark.upperBound...].prefix { $0 != "\"" })
      await world.bridge.end()
      let answer = try await world.post(
        #"{"id":2,"call":"answer","parameters":{"flow":"\#(key)","value":"123456"}}"#)
      #expect(answer.status == 404 && world.modemd.codes == [])
      let end = try await TestBrowser.blocking { String(decoding: try connection.rest(), as: UTF8.self) }
      #expect(end.contains("cancelled"), "\(end)")
    }
  }

  @Test func `a flow ends in time, whoever waits`() async throws {
    try await FetchWorld.run { world in
      world.modemd.change { $0.waits = true }
      let connection = try TestConnection(to: world.browser.port)
      try connection.send(world.text(FetchWorld.call()))
      _ = try await TestBrowser.blocking { try connection.read(until: "createCheck") }
      #expect(await world.clock.asleep() == [.seconds(600)])
      world.clock.advance(by: .seconds(600))
      let end = try await TestBrowser.blocking { String(decoding: try connection.rest(), as: UTF8.self) }
      #expect(end.contains(#""result":"cancelled""#), "\(end)")
      try await world.left(1)
    }
  }

  @Test func `without modemd a page is told what to do`() async throws {
    try await FetchWorld.run { world in
      await world.modemd.stop()
      let answer = try await world.post(FetchWorld.call())
      #expect(answer.events.last?["error"]?["name"]?.string == "unreachable", "\(answer.text)")
    }
  }
}
