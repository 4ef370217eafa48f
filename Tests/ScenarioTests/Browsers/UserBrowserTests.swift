import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// The ways of a page in the browser of a user who is not root. `FetchBrowserTests` has the third.
@Suite(
  "A browser of another user than root", .serialized, .timeLimit(.minutes(4)),
  .enabled(if: Worlds.areAllowed, KioskWorld.reason))
struct UserBrowserTests {
  @Test(arguments: WorldBrowser.Kind.allCases)
  func `a ticket: the configuration names the browser's user, by the kernel's word`(
    kind: WorldBrowser.Kind
  ) async throws {
    try await KioskWorld.run(kind, as: .kiosk) { kiosk in
      let browser = kiosk.browser
      let closed = try await kiosk.startBridge()
      let before = try await kiosk.asked()
      try await kiosk.ask(KioskWorld.own, way: "?ticket")
      try await browser.wait(for: "location.origin == '\(KioskWorld.bridge)' && document.getElementById('error')")
      #expect(try await browser.read("!!document.getElementById('continue')") == .bool(false), "it is root's alone")
      #expect(try await kiosk.asked().checks == before.checks)
      await kiosk.stop(closed)
      let bridge = try await kiosk.startBridge(users: ["backup"])
      _ = try await kiosk.begin(KioskWorld.own)
      try await browser.click("#continue")
      try await browser.wait(for: "location.host == 'kiosk.example' && \(KioskWorld.result)")
      #expect(try await browser.text(KioskWorld.result) == "verified")
      #expect(try await kiosk.asked().checks == before.checks + 1)
      await kiosk.stop(bridge)
    }
  }

  @Test(arguments: WorldBrowser.Kind.allCases)
  func `native messaging: the host runs as the browser's user, whom modemd knows`(
    kind: WorldBrowser.Kind
  ) async throws {
    try await KioskWorld.run(kind, as: .kiosk) { kiosk in
      let (browser, world) = (kiosk.browser, kiosk.world)
      let before = try await kiosk.asked()
      // The operator is slow, so that the host can be looked at.
      try await kiosk.ask(KioskWorld.slow)
      try await browser.wait(for: "document.querySelectorAll('#rows tr').length > 1")
      let hosts = Scratch.processes(naming: world.folder.socket).filter { id in
        Worlds.contents(of: "/proc/\(id)/cmdline")?.contains("native-host") == true
      }
      #expect(hosts.count == 1)
      for id in hosts {
        let status = try #require(Worlds.contents(of: "/proc/\(id)/status"))
        #expect(status.contains("Uid:\t34\t34\t34\t34\n"), "\(status)")
      }
      try await browser.click("#cancel")
      try await browser.wait(for: "document.getElementById('result').dataset.result == 'cancelled'")
      try await kiosk.ask(KioskWorld.own)
      try await browser.wait(for: KioskWorld.result)
      #expect(try await browser.text(KioskWorld.result) == "verified")
      #expect(try await kiosk.asked().checks > before.checks)

      // Without its group the same user is nobody to modemd.
      chown(world.folder.socket, 0, 0)
      let last = try await kiosk.asked()
      try await kiosk.ask(KioskWorld.own)
      try await browser.wait(for: KioskWorld.result)
      #expect(try await browser.text(KioskWorld.result) == "failed")
      #expect(try await kiosk.asked() == last)
    }
  }
}
