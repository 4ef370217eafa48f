import FoundationEssentials
import SettingsFile
import Testing

@testable import BrowserBridge

/// The manual page of the settings, the example, and what the documents say of the pages.
@Suite("Documents of modemd-web", .timeLimit(.minutes(1)))
struct WebPageTests {
  private static let repository = String(#filePath).split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }

  private static func read(_ path: String) throws -> String {
    try String(contentsOfFile: "\(repository)/\(path)", encoding: .utf8)
  }

  private static func keys(in page: String, from section: String) -> Set<String> {
    let lines = page.split(separator: "\n").drop { $0 != ".SH \(section)" }.dropFirst().prefix { !$0.hasPrefix(".SH") }
    let names = zip(lines, lines.dropFirst()).filter { $0.0 == ".TP" && $0.1.hasPrefix(".B ") }
    return Set(names.map { String($0.1.dropFirst(".B ".count)) })
  }

  @Test func `modemd.web(5) has every key, and no other`() throws {
    let page = try Self.read("Docs/man/modemd.web.5")
    let (site, origin) = ("backends.NAME.", "fetch.origins.NAME.")
    let paths = WebDocument.keys.paths
    let whole = paths.filter { !$0.hasPrefix(site) && !$0.hasPrefix(origin) } + ["backends", "fetch.origins"]
    #expect(Self.keys(in: page, from: "KEYS") == Set(whole))
    for (prefix, section, count) in [(site, "KEYS OF EACH SITE", 11), (origin, "KEYS OF EACH ORIGIN", 3)] {
      let own = paths.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
      #expect(Self.keys(in: page, from: section) == Set(own) && own.count == count)
    }
  }

  @Test func `the example can be used`() throws {
    let text = try Self.read("Examples/browser/web.json").replacing("kiosk", with: "root")
    let settings = try WebSettings(json: Array(text.utf8)) { _ in .init("a-secret-of-16-and-more") }
    #expect(settings.backends.map(\.name) == ["The Shop"] && settings.port == WebSettings.usualPort)
  }

  @Test func `every element that a test of a browser may look for is in the list, and is made`() throws {
    let document = try Self.read("Docs/browser.md")
    let pages = try Self.read("Sources/Browser/BrowserBridge/Pages/Pages.swift")
    let named = Set(document.matches(of: /`[a-z0-9]+#(?<id>[a-z]+)`/).map { String($0.output.id) })
    #expect(named.count >= 15)
    for id in named { #expect(pages.contains("\"\(id)\""), "\(id)") }
    for id in pages.matches(of: /\.init\(\.id, "(?<id>[a-z]+)"\)/).map({ String($0.output.id) }) {
      #expect(named.contains(id), "\(id)")
    }
  }
}
