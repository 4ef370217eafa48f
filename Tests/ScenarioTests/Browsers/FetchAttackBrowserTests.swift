import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// What pages try with the bridge for `fetch` although the browser lets them reach loopback, and
/// what local users try. modemd is asked nothing.
@Suite(
  "Pages against the bridge for fetch", .serialized, .timeLimit(.minutes(4)),
  .enabled(if: Worlds.areAllowed, KioskWorld.reason))
struct FetchAttackBrowserTests {
  private static let call =
    #"{"id":1,"call":"verify","parameters":{"number":"\#(KioskWorld.own)"}}"#

  /// A page that tries what a script can, and shows the names of those that got an answer.
  private static let trying = """
    <!DOCTYPE html><html lang=en><title>trying</title><p id=answered></p><script>
    const at = "\(KioskWorld.fetch)", body = '\(call)', json = { "Content-Type": "application/json" };
    const got = (name) => { document.getElementById("answered").textContent += name + " "; };
    const limit = () => AbortSignal.timeout(5000);
    const ask = (name, options, url = at) => fetch(url, { method: "POST", body, signal: limit(), ...options })
      .then((answer) => { if (answer.type !== "opaque") got(name); }).catch(() => 0);
    const load = (name, source) => new Promise((done) => {
      const element = Object.assign(document.createElement(name), source, { onload: done, onerror: done });
      document.body.append(element);
      setTimeout(done, 3000);
    });
    const frame = (source) => new Promise((done) => {
      addEventListener("message", (event) => { if (event.data === "answered") got("frame"); done(); });
      load("iframe", source);
      setTimeout(done, 4000);
    });
    const inner = `<script>fetch("${at}", { method: "POST", body: ${JSON.stringify(body)}, headers: { "Content-Type":
      "application/json" } }).then(() => parent.postMessage("answered", "*")).catch(() => parent.postMessage("refused", "*"))<\\/script>`;
    addEventListener("DOMContentLoaded", async () => {
      const all = [
        ask("json", { headers: json }), ask("cookies", { headers: json, credentials: "include" }),
        ask("another name", { headers: json }, at.replace("127.0.0.1", "localhost")),
        ask("plain", { mode: "no-cors" }), ask("plain cors", {}), ask("json no-cors", { mode: "no-cors", headers: json }),
        ask("form", { mode: "no-cors", body: new URLSearchParams({ body }) }),
        ask("parts", { mode: "no-cors", body: new FormData() }), ask("blob", { body: new Blob([body], { type: "application/json" }) }),
        ask("get", { method: "GET", body: undefined }), ask("put", { method: "PUT", headers: json }),
        ask("more fields", { headers: { ...json, "X-More": "1" } }),
        load("img", { src: at }), load("script", { src: at }), load("iframe", { src: at }), load("link", { rel: "stylesheet", href: at }),
        frame({ sandbox: "allow-scripts", allow: "loopback-network", srcdoc: inner }),
        frame({ src: "data:text/html," + encodeURIComponent(inner), allow: "loopback-network" }),
        new Promise((done) => {
          const request = new XMLHttpRequest();
          request.open("POST", at);
          request.setRequestHeader("Content-Type", "application/json");
          request.onload = () => { got("request"); done(); };
          request.onerror = done;
          request.send(body);
        }),
      ];
      navigator.sendBeacon(at, body);
      navigator.sendBeacon(at, new Blob([body], { type: "application/json" }));
      try { new WebSocket(at.replace("http", "ws")); } catch {}
      try { new EventSource(at).onmessage = () => got("events"); } catch {}
      await Promise.race([Promise.allSettled(all), new Promise((done) => setTimeout(done, 8000))]);
      document.title = "tried";
    });
    </script><body></body></html>
    """

  @Test(arguments: WorldBrowser.Kind.allCases)
  func `another origin, a page without one, forms, images and other names get nothing`(
    kind: WorldBrowser.Kind
  ) async throws {
    let hosts = [KioskWorld.partner, KioskWorld.evil]
    try await KioskWorld.run(kind, as: .kiosk, policies: FetchBrowserTests.policies(for: hosts)) { kiosk in
      let (browser, sites) = (kiosk.browser, kiosk.sites)
      let bridge = try await kiosk.startFetch()
      let before = try await kiosk.asked()
      for host in hosts {
        try sites.put(FetchBrowserTests.page, at: host, "/fetch.html")
        try sites.put(Self.trying, at: host, "/try.html")
      }
      // The browser lets it through, and the server refuses it.
      _ = try await browser.open(FetchBrowserTests.address(KioskWorld.evil, KioskWorld.own))
      try await browser.wait(for: FetchBrowserTests.end)
      #expect(try await browser.text(FetchBrowserTests.end) == "TypeError")
      #expect(try await kiosk.world.eventually { bridge.error().contains("refused with 403") }, "it came there")
      #expect(try await browser.open("https://\(KioskWorld.evil)/try.html") == nil)
      try await browser.wait(for: "document.title == 'tried'")
      #expect(try await browser.text("document.getElementById('answered').textContent") == "")
      try await browser.screenshot("fetch-2-tried")

      // Forms that a person sends: to the address, with the call in them.
      for type in ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data"] {
        try sites.put(
          """
          <!DOCTYPE html><title>form</title><form method=post enctype="\(type)" action="\(KioskWorld.fetch)">
          <input name='\(Self.call.dropLast())' value='}'><button>Win</button></form>
          """, at: KioskWorld.evil, "/form.html")
        #expect(try await browser.open("https://\(KioskWorld.evil)/form.html") == nil)
        try await browser.click("button")
        try await browser.wait(for: "location.host != '\(KioskWorld.evil)' && document.body")
        #expect(!(try await browser.text("document.body.innerText")).contains("outcome"))
      }
      // A link, and a name of somebody else's that leads to this machine.
      _ = try await browser.open(KioskWorld.fetch)
      #expect(try await browser.text("document.body.innerText").contains("origin"))
      _ = try await browser.open(KioskWorld.fetch.replacing("127.0.0.1", with: "rebound.example"))
      #expect(try await browser.text("document.body.innerText").contains("another server"))
      // A page of that name asks its own server, as it believes.
      let asked = try await browser.read(
        """
        fetch("/call", { method: "POST", headers: { "Content-Type": "application/json" }, body: '\(Self.call)' })
          .then((answer) => answer.status).catch(() => 0)
        """)
      #expect(asked != .int(200))
      #expect(!bridge.error().contains("a flow begins"), "\(bridge.error())")
      #expect(try await kiosk.asked() == before)

      // The listed page itself gets no more than its call: a key that no question had is refused.
      #expect(try await browser.open("https://\(KioskWorld.partner)/") == nil)
      let key = String(repeating: "0", count: 40)
      let body = #"{"id":2,"call":"answer","parameters":{"flow":"\#(key)","value":"123456"}}"#
      let answer = try await browser.text(
        """
        fetch("\(KioskWorld.fetch)", { method: "POST", headers: { "Content-Type": "application/json" }, body: '\(body)' })
          .then((answer) => answer.json()).then((event) => event.error.name).catch((error) => error.name)
        """)
      #expect(answer == "noSuchFlow")
      #expect(try await kiosk.asked() == before)
      #expect(bridge.process.end == nil)
      await kiosk.stop(bridge)
    }
  }

  @Test func `another local user with a forged origin gets 403, and the kiosk's own an answer`() async throws {
    try await KioskWorld.run(.chromium, as: .kiosk) { kiosk in
      let world = kiosk.world
      let bridge = try await kiosk.startFetch()
      let before = try await kiosk.asked()
      func post(_ user: LocalUser?, _ more: [String] = []) async throws -> String {
        try await world.run(
          (user?.words ?? []) + [
            "curl", "-sS", "-m", "20", "-w", "%{http_code}", "-H", "Origin: https://\(KioskWorld.partner)", "-H",
            "Content-Type: application/json", "-H", "Sec-Fetch-Mode: cors", "-H", "Sec-Fetch-Dest: empty", "-H",
            "Sec-Fetch-Site: cross-site", "-d", Self.call,
          ] + more + [KioskWorld.fetch]
        ).output
      }
      // A member of modemd's group, a stranger and root: each is another user.
      for user in [LocalUser.first, .stranger, nil] { #expect(try await post(user) == "403") }
      #expect(try await post(.first, ["-H", "Cookie: a=b"]) == "403")
      // Who leaves at once has no user in the kernel's list: root's number counts for nothing.
      let early = """
        import socket, sys
        for _ in range(50):
            with socket.create_connection(("127.0.0.1", 61978)) as connection:
                connection.sendall(sys.argv[1].encode())
        """
      let text = """
        POST /call HTTP/1.1\r\nHost: 127.0.0.1:61978\r\nOrigin: https://\(KioskWorld.partner)\r\nSec-Fetch-Mode: cors\r
        Sec-Fetch-Dest: empty\r\nSec-Fetch-Site: cross-site\r\nContent-Type: application/json\r
        Content-Length: \(Self.call.utf8.count)\r\n\r\n\(Self.call)
        """
      let run = try await world.run(LocalUser.stranger.words + [WorldBrowser.python, "-c", early, text])
      #expect(run.end == .exited(0), "\(run.error)")
      #expect(!bridge.error().contains("a flow begins"), "\(bridge.error())")
      #expect(try await kiosk.asked() == before)
      let own = try await post(.kiosk)
      #expect(own.contains(#""result":"verified""#) && own.hasSuffix("200"), "\(own)")
      await kiosk.stop(bridge)
      // Nobody but the configured user can run it.
      let other = try await world.run(
        LocalUser.first.words + [
          world.folder.file("modemd-web"), "fetch", "--configuration", world.folder.file("fetch.json"),
        ])
      #expect(other.end == .exited(1) && other.error.contains("runs as 61001"), "\(other.error)")
    }
  }
}
