import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// modemd-web between curl as a browser, the app's server of the examples, and modemd with a SIM.
@Suite(
  "A web page asks modemd", .serialized, .timeLimit(.minutes(3)),
  .enabled(if: Worlds.areAllowed && AppServerWorld.python != nil, AppServerWorld.reason))
struct BrowserWorldTests {
  @Test func `a page's link leads to verified, and the page's user is signed in`() async throws {
    try await BrowserWorld.run { web in
      let path = try await web.begin(try await web.link(AppServerWorld.own))
      let address = try await web.end(path)
      #expect(address.hasPrefix("https://app.example/modem/back?ticket=") && !address.contains("49151"), "\(address)")
      let back = try await web.back(address)
      #expect(back.status == 200 && back.body?["result"]?.string == "verified", "\(back)")
      let session = try #require(back.body?["session"]?.string)
      let known = try await web.app.ask("/session", ["-H", "Authorization: Bearer \(session)"])
      #expect(known["phone_number"] == AppServerWorld.own && known["provider"] == "modemd-web")
      #expect(try await web.back(address).body?["result"]?.string == "used", "one verdict is one session")
      await web.stop(web.bridge)
    }
  }

  @Test func `another number is not verified, and nobody is signed in`() async throws {
    try await BrowserWorld.run { web in
      let path = try await web.begin(try await web.link(AppServerWorld.other))
      let back = try await web.back(try await web.end(path))
      let session = back.body?["session"]
      #expect(back.body?["result"]?.string == "notVerified" && session == nil, "\(back)")
      await web.stop(web.bridge)
    }
  }

  /// Somebody begins at the site with a victim's number, and has the victim open the link.
  @Test func `who sends a link to somebody else gets nothing by it`() async throws {
    try await BrowserWorld.run { web in
      let link = try await web.link(AppServerWorld.own, browser: "attacker")
      let address = try await web.end(try await web.begin(link))
      #expect(try await web.back(address, browser: "victim").status == 403)
      let ticket = try #require(address.split(separator: "&").first.map(String.init))
      for guess in [ticket, ticket + "&code=", ticket + "&code=0123456789abcdef0123456789abcdef01234567"] {
        let attacker = try await web.back(guess, browser: "attacker")
        let session = attacker.body?["session"]
        #expect(attacker.status == 403 && session == nil, "\(guess): \(attacker)")
      }
      await web.stop(web.bridge)
    }
  }

  @Test func `after a restart in the middle of a flow its ticket does not act again`() async throws {
    try await BrowserWorld.run { web in
      let modemd = try #require(await web.world.process(of: .service))
      modemd.send(SIGSTOP)
      let link = try await web.link(AppServerWorld.own)
      let path = try await web.begin(link)
      // The ticket is claimed, and modemd has not answered.
      #expect(try await web.world.eventually { web.app.server.error().contains("POST modem/tickets 200") })
      web.bridge.process.send(SIGKILL)
      _ = await web.bridge.process.waitForEnd()
      modemd.send(SIGCONT)
      let bridge = try await BrowserWorld.start(web.app)
      let lost = try await web.open(path, site: "same-origin")
      #expect(lost.status == 410 && lost.text.contains("This check has ended"), "\(lost.text)")
      let again = try await web.open(link)
      #expect(again.status == 410 && again.text.contains("used before"), "\(again.text)")
      let next = try await web.begin(try await web.link(AppServerWorld.own))
      #expect(try await web.back(try await web.end(next)).body?["result"]?.string == "verified")
      await web.stop(bridge)
    }
  }

  @Test func `what pages and users may not do reaches neither the site nor modemd`() async throws {
    try await BrowserWorld.run { web in
      let link = try await web.link(AppServerWorld.own)
      let before = web.app.server.error()
      for destination in ["image", "iframe", "empty"] {
        #expect(try await web.open(link, destination: destination).status == 403, "\(destination)")
      }
      for (options, status) in [
        (["-H", "Host: evil.example:61977"], 421), (["-H", "Sec-Purpose: prefetch"], 403),
        (["-d", "x=1"], 405),
      ] {
        #expect(try await web.open(link, options).status == status, "\(options)")
      }
      let stranger = try await web.open(link, as: LocalUser.stranger.words)
      #expect(stranger.status == 403 && stranger.text.contains("may not use this service"), "\(stranger.text)")
      let other = link.replacing("app.example", with: "evil.example")
      #expect(try await web.open(other).status == 403)
      #expect(web.app.server.error() == before, "the site was asked")
      let offer = try await web.open(link)
      #expect(offer.status == 200, "the link still works: \(offer.text)")
      await web.stop(web.bridge)
    }
  }
}
