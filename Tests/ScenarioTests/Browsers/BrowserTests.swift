import Testing

@testable import ScenarioRunner

/// The ground of all other tests with browsers.
@Suite(
  "Browsers in a world", .serialized, .timeLimit(.minutes(3)), .enabled(if: Worlds.areAllowed, Worlds.reason),
  .world(#"{ "providers": [\#(TestSites.providers(["page.example"]))] }"#))
struct BrowserTests {
  @Test(arguments: WorldBrowser.Kind.allCases)
  func `a browser shows a page of the Internet that it has verified`(kind: WorldBrowser.Kind) async throws {
    let world = try SharedWorld.current()
    let sites = try await TestSites.start(in: world)
    try sites.put(
      "<!DOCTYPE html><html lang=en><title>A page</title><h1>Hello</h1><button>Press</button><input id=text>"
        + "<script>document.querySelector('button').onclick = () => { document.title = 'Pressed' }</script>",
      at: "page.example", "/")
    try await WorldBrowser.with(kind, in: world, over: sites.system) { browser in
      #expect(try await browser.open("https://page.example/") == nil)
      #expect(try await browser.text("document.title") == "A page")
      #expect(try await browser.named("button") == ("button", "Press"))
      try await browser.click("button")
      try await browser.wait(for: "document.title == 'Pressed'")
      try await browser.click("#text")
      try await browser.type("typed")
      #expect(try await browser.text("document.querySelector('#text').value") == "typed")
      try await browser.screenshot("page")
      // The certificate is for another name.
      #expect(try await browser.open("https://203.0.113.200/") != nil)
    }
    #expect(sites.requests().contains { $0["host"]?.string == "page.example" && $0["path"]?.string == "/" })
  }
}
