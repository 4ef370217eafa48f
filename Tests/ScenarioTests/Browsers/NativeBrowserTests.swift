import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// From a public https page to `verified`, by the extension and the native host, which the
/// browsers' policies install as on a kiosk.
@Suite(
  "A page asks by native messaging", .serialized, .timeLimit(.minutes(4)),
  .enabled(if: Worlds.areAllowed, KioskWorld.reason))
struct NativeBrowserTests {
  private static let steps = "document.querySelectorAll('#rows tr').length"

  @Test(arguments: WorldBrowser.Kind.allCases)
  func `the kiosk's page shows each step and the result, in two languages and for everybody`(
    kind: WorldBrowser.Kind
  ) async throws {
    try await KioskWorld.run(kind) { kiosk in
      let browser = kiosk.browser
      let before = try await kiosk.asked()
      _ = try await browser.open("https://kiosk.example/")
      try await browser.wait(for: KioskWorld.isReady)
      try await browser.screenshot("native-0-asking")
      #expect(try await browser.named("#number") == ("textbox", "Phone number"))
      #expect(try await browser.named("#go") == ("button", "Check the number"))
      try await kiosk.ask(KioskWorld.own)
      try await browser.wait(for: KioskWorld.result)
      #expect(try await browser.text(KioskWorld.result) == "verified")
      #expect(try await kiosk.asked().checks == before.checks + 1)
      #expect(try await kiosk.asked().tickets == before.tickets, "no ticket was made")
      #expect(try await browser.read(Self.steps).flatMap(\.integer) ?? 0 >= 4)
      try await browser.screenshot("native-1-verified")

      // A screen reader gets names and the result, whoever presses keys gets on, and twice the size
      // fits.
      #expect(try await browser.named("svg").name.contains("actions in"))
      #expect(try await browser.text("document.activeElement.id") == "result-title")
      try await browser.press("Tab")
      #expect(try await browser.text("document.activeElement.id") == "again")
      try await browser.click("[data-language=de]")
      #expect(try await browser.text("document.documentElement.lang") == "de")
      #expect(try await browser.text("document.getElementById('result-title').textContent") == "Das stimmt")
      #expect(try await browser.named("svg").name.contains("Schritte in"))
      try await browser.click("summary")
      try await browser.zoom(2)
      #expect(try await browser.read("document.documentElement.scrollWidth <= innerWidth") == .bool(true))
      try await browser.screenshot("native-2-twice-the-size")
      try await browser.zoom(1)

      // Another number, which is none first.
      try await browser.click("#again")
      try await browser.read("document.getElementById('number').value = ''")
      try await browser.type("4711")
      try await browser.press("Enter")
      try await browser.wait(for: "document.getElementById('problem').textContent.includes('Landesvorwahl')")
      #expect(try await browser.text("document.activeElement.id") == "number")
      try await browser.read("document.getElementById('number').value = ''")
      try await browser.type(KioskWorld.other)
      try await browser.press("Enter")
      try await browser.wait(for: "document.getElementById('result').dataset.result == 'notVerified'")
      try await browser.screenshot("native-3-not-verified")

      // A person who cancels ends the flow in modemd.
      try await browser.click("#again")
      try await browser.read("document.getElementById('number').value = ''")
      try await browser.type(KioskWorld.slow)
      try await browser.press("Enter")
      try await browser.wait(for: "\(Self.steps) > 1 && !document.getElementById('working').hidden")
      try await browser.screenshot("native-4-working")
      try await browser.click("#cancel")
      try await browser.wait(for: "document.getElementById('result').dataset.result == 'cancelled'")
      #expect(try await kiosk.world.eventually { try await kiosk.hosts() == 1 }, "the page's host goes on")
    }
  }

  @Test(arguments: WorldBrowser.Kind.allCases)
  func `a page that leaves ends its host and its flow, and other pages have none`(
    kind: WorldBrowser.Kind
  ) async throws {
    try await KioskWorld.run(kind) { kiosk in
      let (browser, sites) = (kiosk.browser, kiosk.sites)
      let library = try #require(Worlds.contents(of: "\(Worlds.repository)/clients/browser-extension/modemd.js"))
      let page = """
        <!DOCTYPE html><html lang=en><title>asking</title><p id=end></p><script type=module>
        import { Modemd } from "./modemd.js";
        const end = (text) => { document.getElementById("end").textContent = text; parent.postMessage(text, "*"); };
        try {
          const modemd = await Modemd.connect();
          const number = new URLSearchParams(location.search).get("number");
          document.title = "connected";
          end((await modemd.call("verify", { number })).result);
        } catch (error) { end(error.name); }
        </script>
        """
      for host in [KioskWorld.evil, KioskWorld.partner] {
        try sites.put(page, at: host, "/ask.html")
        try sites.put(library, at: host, "/modemd.js")
      }
      let end = "document.getElementById('end').textContent"
      func ask(_ host: String, _ number: String) async throws -> String {
        _ = try await browser.open("https://\(host)/ask.html?number=%2B\(number.dropFirst())")
        try await browser.wait(for: end)
        return try await browser.text(end)
      }
      let before = try await kiosk.asked()
      #expect(try await ask(KioskWorld.evil, KioskWorld.own) == "notInstalled")
      // A page that may ask, in another page's frame.
      try sites.put(
        """
        <!DOCTYPE html><title>frame</title><p id=end></p>
        <script>addEventListener("message", (event) => { document.getElementById("end").textContent = event.data })</script>
        <iframe src="https://\(KioskWorld.partner)/ask.html?number=%2B\(KioskWorld.own.dropFirst())"></iframe>
        """, at: KioskWorld.evil, "/frame.html")
      _ = try await browser.open("https://\(KioskWorld.evil)/frame.html")
      try await browser.wait(for: end)
      #expect(try await browser.text(end) == "notInstalled")
      #expect(try await kiosk.hosts() == 0)
      #expect(try await kiosk.asked() == before)

      // By itself it may.
      #expect(try await ask(KioskWorld.partner, KioskWorld.own) == "verified")
      // It leaves in the middle: its host ends, and with it the call.
      let slow = try await kiosk.asked().provider
      _ = try await browser.open("https://\(KioskWorld.partner)/ask.html?number=%2B\(KioskWorld.slow.dropFirst())")
      #expect(try await kiosk.world.eventually { try await kiosk.asked().provider > slow })
      _ = try await browser.open("https://\(KioskWorld.evil)/")
      #expect(try await kiosk.world.eventually { try await kiosk.hosts() == 0 })

      // What the policy of the browser lets through, the host's own file may still refuse.
      let file = "\(sites.system)/etc/modemd/browser-host.json"
      let text = try #require(Worlds.contents(of: file)).replacing(
        "https://\(KioskWorld.partner)", with: "https://x.example")
      try sites.write(text, to: file)
      let last = try await kiosk.asked()
      #expect(try await ask(KioskWorld.partner, KioskWorld.own) == "notAllowed")
      #expect(try await kiosk.asked() == last)
    }
  }
}

extension KioskWorld {
  /// How many native hosts run in the world.
  fileprivate func hosts() async throws -> Int {
    Scratch.processes(naming: world.folder.socket).count { id in
      Worlds.contents(of: "/proc/\(id)/cmdline")?.contains("native-host") == true
    }
  }
}
