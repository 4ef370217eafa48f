import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// What other pages, names and tickets may try with modemd-web, in real browsers. Each gets
/// nothing: the backend gives no ticket away, and modemd asks nobody.
@Suite(
  "Pages against modemd-web", .serialized, .timeLimit(.minutes(4)),
  .enabled(if: Worlds.areAllowed, KioskWorld.reason))
struct TicketAttackTests {
  private static let evil = "https://\(KioskWorld.evil)"

  /// A page that puts an address everywhere where a page can, and says when all has come to an end.
  private static func page(_ start: String) -> String {
    """
    <!DOCTYPE html><html lang=en><title>trying</title><h1>Evil</h1>
    <link rel=prefetch href="\(start)">
    <script type=speculationrules>{"prefetch":[{"source":"list","urls":["\(start)"]}],"prerender":[{"source":"list","urls":["\(start)"]}]}</script>
    <script>
    const bridge = "\(KioskWorld.bridge)", start = "\(start)", all = [];
    const end = (element) => new Promise(done => { element.onload = element.onerror = () => done(); document.body.append(element); setTimeout(done, 3000); });
    const make = (name, source) => Object.assign(document.createElement(name), source);
    addEventListener("DOMContentLoaded", async () => {
      all.push(end(make("img", { src: start })), end(make("script", { src: start })), end(make("iframe", { src: start })));
      all.push(end(make("object", { data: start })), end(make("embed", { src: start })), end(make("video", { src: start })));
      all.push(end(make("link", { rel: "stylesheet", href: start })));
      const body = "visit=0&form=0";
      for (const path of ["/start", "/begin", "/flow/0", "/flow/0/answer"]) {
        for (const mode of ["cors", "no-cors"]) all.push(fetch(bridge + path, { method: "POST", mode, body, credentials: "include" }).catch(() => 0));
      }
      all.push(fetch(start, { mode: "no-cors" }).catch(() => 0), fetch(start).catch(() => 0));
      navigator.sendBeacon(bridge + "/begin", body);
      try { new WebSocket(bridge.replace("http", "ws") + "/start"); } catch {}
      try { new EventSource(start).onerror = () => 0; } catch {}
      await Promise.race([Promise.allSettled(all), new Promise(done => setTimeout(done, 4000))]);
      document.title = "tried";
    });
    </script><body></body></html>
    """
  }

  private static func leading(to path: String) -> String {
    #"<!DOCTYPE html><title>leading</title><script>setTimeout(() => { location = "\#(path)"; }, 100)</script>"#
  }

  private static func form(_ method: String, _ action: String, _ fields: [String: String]) -> String {
    let inputs = fields.sorted { $0.key < $1.key }.map { #"<input name="\#($0.key)" value="\#($0.value)">"# }.joined()
    return """
      <!DOCTYPE html><title>form</title><form id=form method=\(method) action="\(action)">\(inputs)<button>Win</button></form>
      """
  }

  @Test(arguments: WorldBrowser.Kind.allCases)
  func `images, frames, forms, other names and other tickets get nothing`(kind: WorldBrowser.Kind) async throws {
    try await KioskWorld.run(kind) { kiosk in
      let (browser, sites) = (kiosk.browser, kiosk.sites)
      let bridge = try await kiosk.startBridge()
      let start = try await kiosk.ticketOfSomebody()
      let before = try await kiosk.asked()

      // A page of another origin, with the address everywhere.
      try sites.put(Self.page(start), at: KioskWorld.evil, "/all.html")
      // Another page leads to it: Firefox may hold what it loads until a person permits it, and
      // with that whoever waits for the page.
      try sites.put(Self.leading(to: "/all.html"), at: KioskWorld.evil, "/")
      #expect(try await browser.open("\(Self.evil)/") == nil)
      try await browser.wait(for: "document.title == 'tried'")
      #expect(try await kiosk.asked() == before, "not even the ticket was looked at")

      // Forms that a person sends, without knowing where they go.
      for (name, page) in [
        ("begin", Self.form("post", "\(KioskWorld.bridge)/begin", ["visit": "0", "form": "0"])),
        ("start", Self.form("post", start, ["consent": "yes"])),
      ] {
        try sites.put(page, at: KioskWorld.evil, "/\(name).html")
        #expect(try await browser.open("\(Self.evil)/\(name).html") == nil)
        try await browser.click("button")
        try await browser.wait(for: "location.host != '\(KioskWorld.evil)'")
        #expect(try await browser.read("!!document.getElementById('continue')") == .bool(false), "\(name)")
      }
      #expect(try await kiosk.asked() == before)

      // A name of somebody else's that leads to this machine.
      let rebound = start.replacing("127.0.0.1", with: "rebound.example")
      _ = try await browser.open(rebound)
      #expect(try await browser.text("location.host") == "rebound.example:61977")
      #expect(try await browser.text("document.body.innerText").contains("another server"))
      try await browser.screenshot("attack-1-rebound")
      #expect(try await kiosk.asked() == before)

      // Tickets of hosts that are not allowed, and of hosts that look allowed.
      let id = "A2345678901234567890"
      for ticket in [
        "\(Self.evil)/modem/tickets/\(id)", "https://kiosk.example@\(KioskWorld.evil)/modem/tickets/\(id)",
        "https://kiosk.example.\(KioskWorld.evil)/modem/tickets/\(id)", "http://kiosk.example/modem/tickets/\(id)",
        "https://kiosk.example:8443/modem/tickets/\(id)", "https://kiosk.example/modem/tickets/../../\(id)",
        "https://kiosk.example/modem/tickets/\(id)?x=1", "https://kiosk.example/other/\(id)",
      ] {
        let link = "\(KioskWorld.bridge)/start?ticket=" + Self.encoded(ticket)
        _ = try await browser.open(link)
        #expect(try await browser.read("!!document.getElementById('continue')") == .bool(false), "\(ticket)")
      }
      #expect(try await kiosk.asked() == before)
      try await browser.screenshot("attack-2-unknown-site")
      #expect(!sites.requests().contains { $0["path"]?.string?.hasPrefix("/modem") == true })

      // A forged address to go back to changes nothing, and whoever's ticket it was learns nothing
      // of the device that was asked: the code goes to the registered address, in another browser.
      _ = try await browser.open(start + "&return=" + Self.encoded("\(Self.evil)/back"))
      let back = "document.getElementById('back')?.href ?? ''"
      #expect(try await browser.text(back).hasPrefix("https://kiosk.example/modem/back?ticket="))
      #expect(try await kiosk.isUnused(start))
      #expect(try await kiosk.asked().checks == before.checks, "it is shown, and nothing is asked")
      try await browser.click("#continue")
      try await browser.wait(for: "location.host == 'kiosk.example' && \(KioskWorld.result)")
      #expect(try await browser.text(KioskWorld.result) == "cancelled", "this browser did not ask that")
      #expect(try await kiosk.asked().checks == before.checks + 1, "the person agreed")
      #expect(!sites.requests().contains { $0["path"]?.string == "/back" })
      // The page of one flow is nobody's way into another.
      _ = try await browser.open("\(KioskWorld.bridge)/flow/00000000000000000000000000000000000000")
      #expect(try await browser.read("!!document.getElementById('error')") == .bool(true))
      #expect(bridge.process.end == nil)
      await kiosk.stop(bridge)
    }
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
