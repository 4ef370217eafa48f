import Glibc
import Testing

@testable import ScenarioRunner

/// From a public https page to `verified`, by a link with a ticket.
@Suite(
  "A page asks by a ticket", .serialized, .timeLimit(.minutes(4)),
  .enabled(if: Worlds.areAllowed, KioskWorld.reason))
struct TicketBrowserTests {
  @Test(arguments: WorldBrowser.Kind.allCases)
  func `the kiosk's page, modemd-web's page, a click, and the result at the kiosk`(
    kind: WorldBrowser.Kind
  ) async throws {
    try await KioskWorld.run(kind) { kiosk in
      let bridge = try await kiosk.startBridge()
      let browser = kiosk.browser
      let before = try await kiosk.asked()
      let start = try await kiosk.begin(KioskWorld.own)
      try await browser.screenshot("ticket-1-asked")
      #expect(try await browser.text("document.title").contains("Riverside Lockers"))
      #expect(try await browser.named("#continue").name == "Continue")
      // A ticket that is only shown asks nothing.
      #expect(try await kiosk.isUnused(start))
      var asked = try await kiosk.asked()
      #expect(asked.checks == before.checks && asked.provider == before.provider)

      try await browser.click("#continue")
      try await browser.wait(for: "location.host == 'kiosk.example' && \(KioskWorld.result)")
      #expect(try await browser.text(KioskWorld.result) == "verified")
      #expect(try await browser.text("location.href") == "https://kiosk.example/")
      #expect(try await browser.text("document.querySelector('svg title').textContent").contains("actions in"))
      try await browser.screenshot("ticket-2-verified")
      asked = try await kiosk.asked()
      #expect(asked.checks == before.checks + 1)

      // The ticket has acted.
      #expect(try await browser.open(start) == nil)
      #expect(try await browser.read("!!document.getElementById('continue')") == .bool(false))
      try await browser.screenshot("ticket-3-used")
      #expect(try await kiosk.isUnused(start) == false)
      #expect(try await kiosk.asked().checks == asked.checks)

      // Another number, with the keyboard alone.
      _ = try await kiosk.begin(KioskWorld.other)
      for _ in 0..<4 where try await browser.text("document.activeElement.id") != "continue" {
        try await browser.press("Tab")
      }
      try await browser.press("Enter")
      try await browser.wait(for: "location.host == 'kiosk.example' && \(KioskWorld.result)")
      #expect(try await browser.text(KioskWorld.result) == "notVerified")
      try await browser.screenshot("ticket-4-not-verified")
      await kiosk.stop(bridge)
    }
  }

  @Test(arguments: WorldBrowser.Kind.allCases)
  func `modemd-web is restarted before and within a flow`(kind: WorldBrowser.Kind) async throws {
    try await KioskWorld.run(kind) { kiosk in
      let browser = kiosk.browser
      var bridge = try await kiosk.startBridge()
      let before = try await kiosk.asked()
      let start = try await kiosk.begin(KioskWorld.own)
      await kiosk.stop(bridge)
      bridge = try await kiosk.startBridge()
      // The page is of the process before: its button does nothing, and the ticket stays good.
      try await browser.click("#continue")
      try await browser.wait(for: "!document.getElementById('continue')")
      #expect(try await browser.text("location.origin") == KioskWorld.bridge)
      #expect(try await kiosk.isUnused(start))
      #expect(try await kiosk.asked().checks == before.checks)
      #expect(try await browser.open(start) == nil)
      try await browser.click("#continue")
      try await browser.wait(for: "location.host == 'kiosk.example' && \(KioskWorld.result)")
      #expect(try await browser.text(KioskWorld.result) == "verified")

      // Within: the kiosk is told, and the page says what became of it.
      let slow = try await kiosk.begin(KioskWorld.slow)
      try await browser.click("#continue")
      try await browser.wait(for: "document.querySelectorAll('#steps li').length > 0")
      try await browser.screenshot("ticket-5-running")
      await kiosk.stop(bridge)
      #expect(try await kiosk.isUnused(slow) == false)
      #expect(bridge.error().contains("result=cancelled told=true"), "\(bridge.error())")
      bridge = try await kiosk.startBridge()
      try await browser.wait(for: "document.getElementById('error')")
      try await browser.screenshot("ticket-6-restarted")
      #expect(try await browser.open(slow) == nil)
      #expect(try await browser.read("!!document.getElementById('continue')") == .bool(false), "it was claimed")
      await kiosk.stop(bridge)
    }
  }
}
