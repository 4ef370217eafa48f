import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// A page that asks by `fetch`, from a public https page to `verified`, in a browser and a bridge
/// of a user who is not root.
@Suite(
  "A page asks by fetch", .serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, KioskWorld.reason))
struct FetchBrowserTests {
  /// The policies of the examples, for other hosts.
  static func policies(for hosts: [String]) -> (TestSites) throws -> Void {
    { sites in
      func list(_ prefix: String) -> String { hosts.map { "\"\(prefix)\($0)\"" }.joined(separator: ",") }
      let example = "\(Worlds.repository)/Examples/browser/policies"
      for (file, place, prefix) in [
        ("chromium.json", "chromium/policies/managed/fetch.json", "https://"),
        ("firefox.json", "firefox/policies/policies.json", ""),
      ] {
        let text = try #require(Worlds.contents(of: "\(example)/\(file)"))
        let path = "\(sites.system)/etc/\(place)"
        let given = text.replacing("\"\(prefix)kiosk.example\"", with: list(prefix))
        try #require(given != text)
        // Firefox's one file has the extension's policies already.
        guard prefix.isEmpty, let known = Worlds.contents(of: path),
          case .object(let old)? = JSONValue(parsing: Array(known.utf8))?["policies"],
          case .object(let new)? = JSONValue(parsing: Array(given.utf8))?["policies"]
        else {
          try sites.write(given, to: path)
          continue
        }
        try sites.write(JSONValue.object(["policies": .object(old.merging(new) { $1 })]).text, to: path)
      }
    }
  }

  /// Asks as soon as it is loaded, and shows each event as it comes.
  static let page = """
    <!DOCTYPE html><html lang=en><title>asking</title><ol id=steps></ol><p id=end></p><script type=module>
    const end = (text) => { document.getElementById("end").textContent = text; parent.postMessage(text, "*"); };
    // Chromium keeps a page that was left, with its request, in case the person comes back.
    const leaving = new AbortController();
    addEventListener("pagehide", () => leaving.abort());
    try {
      const number = new URLSearchParams(location.search).get("number");
      const answer = await fetch("\(KioskWorld.fetch)", {
        method: "POST", signal: leaving.signal, headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ id: 1, call: "verify", parameters: { number } }),
      });
      let text = "";
      for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
        const lines = (text += piece).split("\\n");
        text = lines.pop();
        for (const event of lines.map((line) => JSON.parse(line))) {
          if (event.event === "progress") {
            document.getElementById("steps").append(Object.assign(document.createElement("li"), { textContent: event.step.name }));
          } else end(event.outcome?.result ?? event.error.name);
        }
      }
    } catch (error) { end(error.name); }
    </script></html>
    """
  static let end = "document.getElementById('end')?.textContent"
  private static let steps = "document.querySelectorAll('#steps li').length"

  static func address(_ host: String, _ number: String) -> String {
    "https://\(host)/fetch.html?number=%2B\(number.dropFirst())"
  }

  @Test(arguments: WorldBrowser.Kind.allCases)
  func `a public page sees each step and the result, and a page that leaves ends its check`(
    kind: WorldBrowser.Kind
  ) async throws {
    try await KioskWorld.run(kind, as: .kiosk, policies: Self.policies(for: [KioskWorld.partner])) { kiosk in
      let (browser, world) = (kiosk.browser, kiosk.world)
      let bridge = try await kiosk.startFetch()
      try kiosk.sites.put(Self.page, at: KioskWorld.partner, "/fetch.html")
      let before = try await kiosk.asked()
      #expect(try await browser.open(Self.address(KioskWorld.partner, KioskWorld.own)) == nil)
      try await browser.wait(for: Self.end)
      #expect(try await browser.text(Self.end) == "verified", "\(bridge.error())")
      #expect(try await browser.read(Self.steps).flatMap(\.integer) ?? 0 >= 4)
      #expect(try await kiosk.asked().checks == before.checks + 1)
      try await browser.screenshot("fetch-1-verified")
      _ = try await browser.open(Self.address(KioskWorld.partner, KioskWorld.other))
      try await browser.wait(for: Self.end)
      #expect(try await browser.text(Self.end) == "notVerified")

      // The operator says nothing yet: steps are there, and no end.
      _ = try await browser.open(Self.address(KioskWorld.partner, KioskWorld.slow))
      try await browser.wait(for: "\(Self.steps) > 1")
      #expect(try await browser.text(Self.end) == "")
      #expect(!bridge.error().contains("result=cancelled"))
      _ = try await browser.open("https://\(KioskWorld.evil)/")
      #expect(try await world.eventually { bridge.error().contains("result=cancelled") }, "\(bridge.error())")
      #expect(!bridge.error().contains("4915"), "a number is in the log")
      await kiosk.stop(bridge)
    }
  }

  @Test(arguments: WorldBrowser.Kind.allCases)
  func `without the browser's policy no byte reaches the server`(kind: WorldBrowser.Kind) async throws {
    try await KioskWorld.run(kind, as: .kiosk) { kiosk in
      let (browser, world) = (kiosk.browser, kiosk.world)
      // In the bridge's place, to see every byte.
      let listener = try await world.begin([
        WorldBrowser.python, "-uc",
        """
        import socket
        listener = socket.create_server(("127.0.0.1", 61978))
        print("ready")
        while True:
            connection, _ = listener.accept()
            connection.settimeout(5)
            try:
                data = connection.recv(65536)
            except TimeoutError:
                data = b""
            print("connection", data[:60])
            connection.close()
        """,
      ])
      #expect(try await world.eventually { listener.output().contains("ready") })
      // The test itself is seen.
      _ = try await world.run(["curl", "-sS", "-m", "5", KioskWorld.fetch])
      #expect(try await world.eventually { listener.output().contains("connection b'GET") })
      let seen = listener.output()
      // Chromium refuses at once; Firefox waits for a person, and the page not as long.
      let page = Self.page.replacing("leaving.signal", with: "AbortSignal.timeout(3000)")
      try kiosk.sites.put(page, at: KioskWorld.partner, "/fetch.html")
      _ = try await browser.open(Self.address(KioskWorld.partner, KioskWorld.own))
      try await browser.wait(for: Self.end)
      #expect(["TypeError", "TimeoutError"].contains(try await browser.text(Self.end)))
      // Firefox opens a connection before it looks at its rules, and sends nothing over it.
      #expect(listener.output().replacing("connection b''\n", with: "") == seen, "\(listener.output())")
      listener.process.send(SIGTERM)
      _ = await listener.process.waitForEnd()
    }
  }
}
