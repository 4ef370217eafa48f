import Glibc
import LoopbackHTTP
import ModemAPIClient
import Testing

@testable import BrowserBridge

/// The inspector behind its real port, with a modemd whose answers the test decides.
@Suite("The inspector", .timeLimit(.minutes(2)))
struct InspectorTests {
  /// As a person's tab asks.
  private static let typed = ["Sec-Fetch-Site": "none"]

  /// Opens a link, as a person does.
  ///
  /// - Returns: the value of the session's cookie field.
  private static func enter(_ world: BridgeWorld) async throws -> String {
    let answer = try await world.browser.get(await world.inspector.newPath(for: geteuid()), typed)
    try #require(answer.status == 303 && answer.field("location") == "/inspect", "\(answer.text)")
    let cookie = try #require(answer.field("set-cookie"))
    #expect(cookie.hasSuffix("; Path=/inspect; Max-Age=900; HttpOnly; SameSite=Strict"), "\(cookie)")
    return String(cookie.prefix { $0 != ";" })
  }

  @Test func `a link leads to a page that shows modem, bearer and history with everything masked`() async throws {
    try await BridgeWorld.run { world in
      let cookie = try await Self.enter(world)
      let page = try await world.browser.get("/inspect", Self.typed.merging(["Cookie": cookie]) { $1 })
      #expect(page.status == 200)
      for text in [
        "<h2>modem-1</h2>", "/dev/cdc-wdm0 mbim", "home", "up (2026-01-01", "Last checks", "••78", "•••0000",
      ] {
        #expect(page.body.contains(text), "\(text): \(page.body)")
      }
      for secret in [BridgeWorld.number, "15112345678", "262011234567890", "8949020000012345678", "004999010640000"] {
        #expect(!page.text.contains(secret))
      }
      #expect(page.field("content-security-policy") == SafeFields.policy)
      #expect(page.body.ranges(of: "<form").count == 1, "nothing but the end of the session can be sent")
    }
  }

  @Test func `the page's script reads each change, until the session ends`() async throws {
    try await BridgeWorld.run { world in
      let cookie = try await Self.enter(world)
      let connection = try TestConnection(to: world.browser.port)
      let head = world.browser.head(
        "GET /inspect/news",
        ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty", "Cookie": cookie])
      let first = try await TestBrowser.blocking {
        try connection.send(head)
        return try connection.read(until: #"["Registration","home"]"#)
      }
      #expect(first.contains("application/x-ndjson"))
      world.modemd.change { $0.registration = .denied }
      await world.pass(.seconds(1))
      _ = try await TestBrowser.blocking { try connection.read(until: #"["Registration","denied"]"#) }
      await world.pass(.seconds(900))
      _ = try await TestBrowser.blocking { try connection.rest() }
      let page = try await world.browser.page("/inspect", ["Cookie": cookie])
      #expect(page.status == 403 && page.body.contains("modemctl web open"), "\(page.text)")
    }
  }

  @Test func `a used or old link, no cookie and pages of other sites get nothing`() async throws {
    try await BridgeWorld.run { world in
      let link = await world.inspector.newPath(for: geteuid())
      for (fields, status) in [
        (["Sec-Fetch-Site": "cross-site"], 403), (["Sec-Fetch-Site": "same-site"], 403),
        (["Sec-Fetch-Site": "none", "Host": "evil.example:\(world.browser.port)"], 421),
        (["Sec-Fetch-Site": "none", "Sec-Fetch-Dest": "iframe"], 403),
        (["Sec-Fetch-Site": "none", "Sec-Purpose": "prefetch"], 403),
      ] {
        #expect(try await world.browser.get(link, fields).status == status, "\(fields)")
      }
      #expect(try await world.browser.get(link, Self.typed).status == 303, "what was refused has not used it")
      #expect(try await world.browser.get(link, Self.typed).status == 403)
      let old = await world.inspector.newPath(for: geteuid())
      world.clock.advance(by: .seconds(60))
      #expect(try await world.browser.get(old, Self.typed).status == 403)
      for cookie in ["", "modemd-inspect=", "modemd-inspect=" + String(repeating: "0", count: 40)] {
        let page = try await world.browser.get("/inspect", Self.typed.merging(["Cookie": cookie]) { $1 })
        #expect(page.status == 403 && !page.body.contains("modem-1"), "\(cookie)")
      }
    }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to be another user"))
  func `another user's browser gets nothing by a link or a cookie`() async throws {
    try await BridgeWorld.run(users: [1501]) { world in
      func ask(_ path: String, _ fields: [String: String]) async throws -> Int {
        let head = world.browser.head("GET \(path)", Self.typed.merging(fields) { $1 })
        let port = world.browser.port
        return try await TestBrowser.blocking {
          let connection = try OtherUser.connection(to: port, as: 1501)
          try connection.send(head)
          return TestBrowser.Answer(text: String(decoding: try connection.rest(), as: UTF8.self)).status
        }
      }
      let link = await world.inspector.newPath(for: 0)
      #expect(try await ask(link, [:]) == 403)
      #expect(try await world.browser.get(link, Self.typed).status == 403, "it is used up")
      let cookie = try await Self.enter(world)
      #expect(try await ask("/inspect", ["Cookie": cookie]) == 403)
      #expect(try await ask(await world.inspector.newPath(for: 1501), [:]) == 303)
    }
  }

  @Test func `only the page's own form ends the session`() async throws {
    try await BridgeWorld.run { world in
      let cookie = try await Self.enter(world)
      let page = try await world.browser.page("/inspect", ["Cookie": cookie])
      let form = try #require(page.input("form"))
      #expect(try await world.browser.post("/inspect/end", ["form": "x"], ["Cookie": cookie]).status == 403)
      let other = ["Cookie": cookie, "Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"]
      #expect(try await world.browser.post("/inspect/end", ["form": form], other).status == 403)
      #expect(try await world.browser.page("/inspect", ["Cookie": cookie]).status == 200)
      #expect(try await world.browser.post("/inspect/end", ["form": form], ["Cookie": cookie]).status == 303)
      #expect(try await world.browser.page("/inspect", ["Cookie": cookie]).status == 403)
    }
  }

  @Test func `a check of a site is shown with its steps, and without its number`() async throws {
    try await BridgeWorld.run { world in
      world.modemd.change { $0.waits = true }
      let path = try await world.begin()
      _ = try await world.page(path, with: "Question to the provider of the check")
      let cookie = try await Self.enter(world)
      let page = try await world.browser.page("/inspect", ["Cookie": cookie])
      #expect(page.body.contains("Now: verify for The &lt;Shop&gt;, user \(geteuid())"), "\(page.body)")
      #expect(page.body.contains("1 createCheck") && !page.body.contains("15112345678"))
      try await world.cancel(path)
    }
  }
}

extension BridgeWorld {
  /// Lets time pass once the page's stream waits for it.
  fileprivate func pass(_ time: Duration) async {
    while await clock.asleep() != [.seconds(1)] { await Task.yield() }
    clock.advance(by: time)
  }
}
