import Testing

@testable import BrowserBridge

/// A browser, a backend and modemd's socket, from the link to the way back.
@Suite("A flow in a browser", .timeLimit(.minutes(2)))
struct FlowTests {
  @Test func `a link leads to a page, a click to a check, and the end back to the site`() async throws {
    try await BridgeWorld.run { world in
      let offer = try await world.browser.get(world.link)
      #expect(offer.status == 200 && offer.body.contains("The &lt;Shop&gt; asks for a check"), "\(offer.text)")
      #expect(!offer.body.contains("5678"), "the page has the number")
      #expect(world.backend.requests == ["GET /tickets/\(BridgeWorld.ticket)"], "a GET has done more than look")
      #expect(world.modemd.numbers == [])
      let path = try await world.press(offer)
      let end = try await world.page(path, with: "The number belongs to the SIM card")
      #expect(end.body.contains("url=\(path)/return") && end.body.contains(#"<ol id="steps""#), "\(end.body)")
      #expect(world.modemd.numbers == [BridgeWorld.number])
      let verdict = try #require(world.backend.verdicts.first)
      #expect(verdict["result"]?.string == "verified" && verdict["number"]?.string == "matches")
      #expect(verdict["ticket"]?.string == BridgeWorld.ticket && verdict["ask"]?.string == "verify")
      let (modem, source) = (verdict["modem"], verdict["source"])
      #expect(modem == nil && source == nil && world.backend.verdicts.count == 1, "\(verdict.text)")
      let back = try await world.browser.page(path + "/return")
      let code = try #require(verdict["returnCode"]?.string)
      #expect(back.status == 303)
      #expect(
        back.field("location") == "https://shop.example/back?from=modem&ticket=\(BridgeWorld.ticket)&code=\(code)")
      #expect(!world.backend.hasWrongToken)
    }
  }

  @Test func `every answer forbids scripts, frames and stores of others`() async throws {
    try await BridgeWorld.run { world in
      for path in [world.link, "/start", "/nothing", "/flow/x"] {
        let answer = try await world.browser.page(path)
        #expect(answer.field("cache-control") == "no-store" && answer.field("x-content-type-options") == "nosniff")
        #expect(answer.field("referrer-policy") == "same-origin" && answer.field("x-frame-options") == "DENY")
        #expect(answer.field("cross-origin-opener-policy") == "same-origin")
        #expect(answer.field("cross-origin-resource-policy") == "same-origin")
        let policy = try #require(answer.field("content-security-policy"))
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe") && answer.field("access-control-allow-origin") == nil)
      }
    }
  }

  @Test func `the configuration may consent, and the page goes on by its own script`() async throws {
    try await BridgeWorld.run(#", "consent": "configured", "number": "masked""#) { world in
      let offer = try await world.browser.get(world.link, ["Accept-Language": "de-DE,de"])
      #expect(offer.body.contains(#"data-consent="configured""#) && offer.body.contains("/assets/consent.js"))
      #expect(offer.body.contains("bittet um eine Prüfung") && offer.body.contains(#"lang="de""#))
      #expect(world.modemd.numbers == [] && world.backend.requests.count == 1, "the GET has acted")
      world.modemd.change { $0.waits = true }
      let path = try await world.press(offer)
      let page = try await world.page(path, with: "••78")
      #expect(page.body.contains("Die Prüfung läuft") && !page.body.contains("12345"), "\(page.body)")
      let script = try await world.browser.get(
        "/assets/consent.js",
        ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"])
      #expect(script.status == 200 && script.field("content-type") == "text/javascript; charset=utf-8")
      try await world.cancel(path)
    }
  }

  @Test func `the page's script reads each step as it happens`() async throws {
    try await BridgeWorld.run { world in
      world.modemd.change { $0.waits = true }
      let path = try await world.begin()
      let connection = try TestConnection(to: world.browser.port)
      let head = world.browser.head(
        "GET \(path)/news",
        ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"])
      let text = try await TestBrowser.blocking {
        try connection.send(head)
        return try connection.read(until: "Question to the provider of the check")
      }
      #expect(text.contains("application/x-ndjson") && text.contains(#""page":1"#), "\(text)")
      try await world.cancel(path)
      let rest = try await TestBrowser.blocking { String(decoding: try connection.rest(), as: UTF8.self) }
      #expect(rest.contains(#""page":3"#), "the page is another one now: \(rest)")
    }
  }

  @Test func `a code is asked for with a form, and a wrong one again`() async throws {
    try await BridgeWorld.run(#", "asks": ["signIn"]"#) { world in
      world.backend.change { state in
        state.ticket = state.ticket.replacing("verify", with: "signIn")
        state.claim = state.claim.replacing("verify", with: "signIn")
      }
      let path = try await world.begin()
      let question = try await world.page(path, with: #"<form id="answer""#)
      #expect(question.body.contains(#"<label for="value">One-time code</label>"#), "\(question.body)")
      let form = try #require(question.input("form"))
      let wrong = try await world.browser.post("\(path)/answer", ["form": form, "value": "000000"])
      #expect(wrong.status == 303 && wrong.field("location") == path)
      let again = try await world.page(path, with: "That code was wrong.")
      #expect(again.body.contains("Attempts left: 2.") && again.body.contains(#"aria-describedby="error""#))
      _ = try await world.browser.post("\(path)/answer", ["form": form, "value": "123+456"])
      _ = try await world.page(path, with: "You are signed in.")
      #expect(world.modemd.codes == ["000000", "123456"])
      let verdict = try #require(world.backend.verdicts.first)
      #expect(verdict["result"]?.string == "signedIn" && verdict["idToken"]?.string == "id-token")
    }
  }

  @Test func `a PIN is asked for with what it is for, and only digits of its length are passed on`() async throws {
    try await BridgeWorld.run(#", "asks": ["login"]"#) { world in
      world.backend.change { state in
        state.ticket = state.ticket.replacing("verify", with: "login")
        state.claim = #"{"id":"\#(BridgeWorld.ticket)","ask":"login","link":"https://mcl.example/#a"}"#
      }
      let path = try await world.begin()
      let question = try await world.page(path, with: #"<form id="answer""#)
      #expect(question.body.contains(#"<label for="value">PIN, 4 to 6 digits</label>"#), "\(question.body)")
      #expect(question.body.contains(#"type="password""#) && question.body.contains("For: &lt;The Bank&gt;"))
      let form = try #require(question.input("form"))
      for wrong in ["123", "1234567", "12a4", ""] {
        _ = try await world.browser.post("\(path)/answer", ["form": form, "value": wrong])
        _ = try await world.page(path, with: #"<form id="answer""#)
      }
      #expect(world.modemd.codes == [])
      _ = try await world.browser.post("\(path)/answer", ["form": form, "value": "1357"])
      let end = try await world.page(path, with: "You are signed in.")
      #expect(world.modemd.codes == ["1357"] && !end.body.contains("1357"))
      let verdict = try #require(world.backend.verdicts.first)
      #expect(verdict["token"]?.string == "a-token" && verdict["user"]?.string == "me@bank.example")
    }
  }

  @Test func `whether a number moved is asked of modemd, and told with the hours`() async throws {
    try await BridgeWorld.run(#", "asks": ["simChange"]"#) { world in
      world.backend.change { state in
        state.ticket = state.ticket.replacing("verify", with: "simChange")
        state.claim = #"{"id":"\#(BridgeWorld.ticket)","ask":"simChange","maximumAgeHours":48}"#
      }
      let path = try await world.begin()
      _ = try await world.page(path, with: "The number moved to another SIM card lately.")
      #expect(world.modemd.numbers == ["the SIM's"])
      let verdict = try #require(world.backend.verdicts.first)
      #expect(verdict["result"]?.string == "simSwapped" && verdict["periodHours"]?.integer == 48)
    }
  }

  @Test func `cancelling ends modemd's call and tells the backend`() async throws {
    try await BridgeWorld.run { world in
      world.modemd.change { $0.waits = true }
      let path = try await world.begin()
      _ = try await world.page(path, with: "Question to the provider of the check")
      try await world.cancel(path)
      #expect(world.backend.verdicts.map { $0["result"]?.string } == ["cancelled"])
      while world.modemd.left == 0 { await Task.yield() }
    }
  }

  @Test func `a page that was left ends its flow`() async throws {
    try await BridgeWorld.run { world in
      world.modemd.change { $0.waits = true }
      let sweeps = Task { await world.bridge.run() }
      let path = try await world.begin()
      _ = try await world.page(path, with: "Question to the provider of the check")
      await world.clock.asleep()
      world.clock.advance(by: .seconds(19))
      await world.clock.asleep()
      #expect(world.modemd.left == 0)
      world.clock.advance(by: .seconds(3))
      while world.modemd.left == 0 || world.backend.verdicts.isEmpty { await Task.yield() }
      #expect(world.backend.verdicts.map { $0["result"]?.string } == ["cancelled"])
      sweeps.cancel()
      await sweeps.value
    }
  }

  @Test func `the end of the service ends all flows, and their backends are told`() async throws {
    try await BridgeWorld.run { world in
      world.modemd.change { $0.waits = true }
      let sweeps = Task { await world.bridge.run() }
      let path = try await world.begin()
      _ = try await world.page(path, with: "Question to the provider of the check")
      sweeps.cancel()
      await sweeps.value
      #expect(world.backend.verdicts.map { $0["result"]?.string } == ["cancelled"])
    }
  }

  @Test func `a verdict is told again to a backend that is busy, a limited number of times`() async throws {
    try await BridgeWorld.run { world in
      world.backend.change { $0.verdictStatuses = [503, 429] }
      let path = try await world.begin()
      for wait in [1, 2] {
        #expect(await world.clock.asleep() == [.seconds(wait)])
        world.clock.advance(by: .seconds(wait))
      }
      _ = try await world.page(path, with: "You are being led back")
      #expect(world.backend.verdicts.count == 1)
    }
    try await BridgeWorld.run { world in
      world.backend.change { $0.verdictStatuses = [500, 500, 500, 500, 500, 500] }
      let path = try await world.begin()
      for wait in [1, 2, 4, 8] {
        #expect(await world.clock.asleep() == [.seconds(wait)])
        world.clock.advance(by: .seconds(wait))
      }
      let end = try await world.page(path, with: "could not be told the result")
      #expect(!end.body.contains("http-equiv"), "nobody is led back without a verdict")
      #expect(world.backend.requests.count { $0.hasSuffix("/verdict") } == 5)
      let back = try await world.browser.page(path + "/return")
      #expect(back.field("location") == "https://shop.example/back?from=modem&ticket=\(BridgeWorld.ticket)")
    }
  }
}

extension BridgeWorld {
  /// Presses the page's other button, and waits for the end.
  func cancel(_ path: String) async throws {
    let page = try await browser.page(path)
    let form = try #require(page.input("form"), "\(page.text)")
    #expect(try await browser.post("\(path)/cancel", ["form": form]).status == 303)
    while backend.verdicts.isEmpty { await Task.yield() }
    _ = try await self.page(path, with: #"id="going""#)
  }
}
