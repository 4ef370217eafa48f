import JSONTree
import Logging
import Testing

@testable import BrowserBridge

/// The native host with a modemd whose answers the test decides, over its real socket.
@Suite("A flow by native messaging", .timeLimit(.minutes(1)))
struct NativeHostFlowTests {
  /// A page's end of the way, with what the host says as it comes.
  private final class Page {
    let modemd: TestModemd
    private let input: AsyncStream<[UInt8]>.Continuation
    private var events: AsyncStream<[UInt8]>.Iterator
    private let host: Task<Void, Never>

    init(_ modemd: TestModemd) throws {
      self.modemd = modemd
      let settings = try HostSettings(
        json: Array(
          """
          { "extensions": ["modemd@modemd.org"], "origins": { "https://kiosk.example": {
            "asks": ["verify", "simChange", "signIn", "login"] } } }
          """.utf8))
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      let host = NativeHost(
        settings, gateway: ModemGateway(socket: modemd.path), notes: CallNotes(folder: nil), logger: logger)
      let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
      input = continuation
      events = host.messages.makeAsyncIterator()
      self.host = Task { await host.serve(pieces) }
      say(#"{"id":0,"call":"open","parameters":{"origin":"https://kiosk.example"}}"#)
    }

    func say(_ message: String) {
      input.yield(withUnsafeBytes(of: UInt32(message.utf8.count)) { Array($0) } + Array(message.utf8))
    }

    /// The next event; nil if the host has ended.
    func next() async -> JSONValue? {
      guard let message = await events.next() else { return nil }
      return JSONValue(parsing: message.dropFirst(4))
    }

    /// The next event of this kind; others before it are passed over.
    func next(_ kind: String) async throws -> JSONValue {
      while let event = await next() {
        if event["event"]?.string == kind { return event }
        if event["event"]?.string == "error" { throw Unexpected(event: event.text) }
      }
      throw Unexpected(event: "the end, and not \(kind)")
    }

    func leave() async {
      input.finish()
      await host.value
    }

    struct Unexpected: Error { let event: String }
  }

  private static func with(_ body: (Page) async throws -> Void) async throws {
    let modemd = try await TestModemd.start()
    let page = try Page(modemd)
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(page))
    } catch {
      result = .failure(error)
    }
    await page.leave()
    await modemd.stop()
    try result.get()
  }

  @Test func `steps and an outcome, without the modem and its address`() async throws {
    try await Self.with { page in
      #expect(try await page.next("opened")["asks"]?.text == #"["verify","simChange","signIn","login"]"#)
      page.say(#"{"id":1,"call":"verify","parameters":{"number":"+4915112345678"}}"#)
      #expect(
        try await page.next("progress").text
          == #"{"event":"progress","id":1,"step":{"failed":false,"index":1,"lane":"host","milliseconds":1,"name":"createCheck","start":0}}"#
      )
      let outcome = try await page.next("outcome")
      #expect(outcome["outcome"]?["result"]?.string == "verified")
      for secret in ["modem-secret", "192.0.2.7", "4915112345678"] { #expect(!outcome.text.contains(secret)) }
      #expect(page.modemd.numbers == ["+4915112345678"])
    }
  }

  @Test func `a code is asked for until it is right, and goes to modemd alone`() async throws {
    try await Self.with { page in
      page.say(#"{"id":1,"call":"signIn","parameters":{"number":"+4915112345678"}}"#)
      var question = try await page.next("question")
      #expect(question["question"]?["what"]?.string == "code" && question["question"]?["wasWrong"] == .bool(false))
      page.say(#"{"id":2,"call":"answer","parameters":{"flow":1,"value":"000000"}}"#)
      question = try await page.next("question")
      #expect(question["question"]?["wasWrong"] == .bool(true) && question["question"]?["attemptsLeft"] == .int(2))
      page.say(#"{"id":3,"call":"answer","parameters":{"flow":1,"value":"123456"}}"#)
      let outcome = try await page.next("outcome")
      #expect(outcome["outcome"]?["idToken"]?.string == "id-token" && outcome["id"] == .int(1))
      #expect(outcome["outcome"]?["refreshToken"] == nil, "that stays with programs")
      #expect(page.modemd.codes == ["000000", "123456"])
    }
  }

  @Test func `a PIN is asked for with what it is for`() async throws {
    try await Self.with { page in
      page.say(#"{"id":1,"call":"login","parameters":{"user":"me@bank.example"}}"#)
      let question = try await page.next("question")
      #expect(
        question["question"]?.text == #"{"longest":6,"purpose":"<The Bank>","shortest":4,"what":"pin"}"#)
      page.say(#"{"id":2,"call":"answer","parameters":{"flow":1,"value":"1357"}}"#)
      #expect(try await page.next("outcome")["outcome"]?["user"]?.string == "me@bank.example")
      #expect(page.modemd.codes == ["1357"])
    }
  }

  @Test func `a call that is cancelled ends at modemd, and so does that of a page that leaves`() async throws {
    try await Self.with { page in
      page.modemd.change { $0.waits = true }
      let call = { (id: Int) in #"{"id":\#(id),"call":"verify","parameters":{"number":"+4915112345678"}}"# }
      page.say(call(1))
      _ = try await page.next("progress")
      page.say(#"{"id":2,"call":"cancel","parameters":{"flow":1}}"#)
      #expect(try await page.next("outcome")["outcome"]?["result"]?.string == "cancelled")
      while page.modemd.left < 1 { await Task.yield() }
      page.say(call(3))
      _ = try await page.next("progress")
      await page.leave()
      while page.modemd.left < 2 { await Task.yield() }
      while let event = await page.next() { #expect(event["event"]?.string != "outcome" || event["id"] == .int(3)) }
    }
  }

  @Test func `without modemd a page is told what to do`() async throws {
    try await Self.with { page in
      await page.modemd.stop()
      page.say(#"{"id":1,"call":"verify","parameters":{"number":"+4915112345678"}}"#)
      _ = try await page.next("opened")
      let event = await page.next()
      #expect(event?["error"]?["name"]?.string == "unreachable", "\(event?.text ?? "nothing")")
    }
  }
}
