import Glibc
import JSONTree
import NativeMessaging
import Testing

@testable import BrowserBridge

/// clients/browser-extension/set-up, which writes what browsers and the native host read.
@Suite(
  "The set-up of the browsers' extension", .timeLimit(.minutes(1)),
  .enabled(if: Tool.exists("openssl"), "openssl is not installed"))
struct BrowserExtensionTests {
  private static let script = "\(Tool.repository)/clients/browser-extension/set-up"
  private static let policies = "etc/firefox/policies/policies.json"

  private static func json(_ path: String) -> JSONValue? {
    File.read(path).flatMap { JSONValue(parsing: Array($0.utf8)) }
  }

  @Test("the host can read its file, the ids fit, and what others wrote stays")
  func writes() async throws {
    try await Scratch.with { scratch in
      let root = scratch.path + "/root"
      func setUp(_ words: String...) async throws -> Tool.Result {
        try await Tool.run("python3", [Self.script, "--root", root] + words)
      }
      File.makeFolder(root + "/etc/firefox/policies")
      File.write(#"{"policies":{"BlockAboutConfig":true}}"#, to: "\(root)/\(Self.policies)")
      let first = try await setUp("--origin", "https://kiosk.example", "--origin", "https://shop.example:8443")
      #expect(first.status == 0, "\(first.error)")
      let host = try HostSettings.read("\(root)/etc/modemd/browser-host.json")
      #expect(Set(host.origins.keys.map(\.description)) == ["https://kiosk.example", "https://shop.example:8443"])
      let id = try #require(host.extensions.first { $0.utf8.count == 32 })
      #expect(host.extensions == [id, "modemd@modemd.org"])
      for folder in ["chromium", "opt/chrome"] {
        let manifest = Self.json("\(root)/etc/\(folder)/native-messaging-hosts/org.modemd.browser.json")
        #expect(manifest?["allowed_origins"]?.text == #"["chrome-extension://\#(id)/"]"#)
        #expect(manifest?["path"]?.string == "/usr/lib/modemd/modemd-browser-host")
        let policy = Self.json("\(root)/etc/\(folder)/policies/managed/modemd.json")
        let origins = policy?["3rdparty"]?["extensions"]?[id]?["origins"]
        #expect(origins?.text == #"["https://kiosk.example","https://shop.example:8443"]"#)
      }
      var information = stat()
      #expect(stat("\(root)/etc/modemd/browser-extension.key", &information) == 0)
      #expect(information.st_mode & 0o777 == 0o600, "whoever has the key can make that extension")

      // Again: the same id, and the administrator's own words stay.
      let text = try #require(File.read("\(root)/etc/modemd/browser-host.json"))
      File.write(
        text.replacing("https://kiosk.example\": {", with: "https://kiosk.example\": { \"startsPerMinute\": 3,"),
        to: "\(root)/etc/modemd/browser-host.json")
      #expect(try await setUp("--origin", "https://kiosk.example").status == 0)
      let second = try HostSettings.read("\(root)/etc/modemd/browser-host.json")
      #expect(second.extensions == host.extensions && second.origins.values.map(\.startsPerMinute) == [3])
      #expect(Self.json("\(root)/\(Self.policies)")?["policies"]?["BlockAboutConfig"] == .bool(true))

      #expect(try await setUp("--remove").status == 0)
      let left = try await Tool.run("find", [root, "-type", "f"]).output.split(separator: "\n").sorted()
      #expect(left == ["\(root)/etc/firefox/policies/policies.json", "\(root)/etc/modemd/browser-extension.key"])
      #expect(File.read("\(root)/\(Self.policies)")?.contains("modemd") == false)
    }
  }

  @Test(
    "what is no origin is refused, and nothing is written",
    arguments: [
      "http://kiosk.example", "https://Kiosk.example", "https://kiosk.example/", "https://kiosk.example:443",
      "https://kiosk.example:65536", "https://*.example", "https://a@b.example", "*", "null", "",
    ])
  func refuses(_ origin: String) async throws {
    try await Scratch.with { scratch in
      let result = try await Tool.run("python3", [Self.script, "--root", scratch.path + "/root", "--origin", origin])
      #expect(result.status == 2 && result.error.contains("is no origin"), "\(result.error)")
      #expect(access(scratch.path + "/root", F_OK) != 0)
      #expect(PageOrigin(origin) == nil, "the host would take it")
    }
  }
}
