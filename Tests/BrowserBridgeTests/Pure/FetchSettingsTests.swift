import NativeMessaging
import SettingsFile
import Testing

@testable import BrowserBridge

@Suite("Settings of pages that ask by fetch", .timeLimit(.minutes(1)))
struct FetchSettingsTests {
  private static func error(_ json: String) -> String? {
    do throws(SettingsError) {
      _ = try FetchSettings(json: Array(json.utf8))
      return nil
    } catch {
      return error.sentence
    }
  }

  @Test func `a user and an origin are enough, and what is not said is careful`() throws {
    let settings = try FetchSettings(
      json: Array(#"{ "fetch": { "user": "root", "origins": { "https://kiosk.example": {} } } }"#.utf8))
    #expect(settings.user == 0 && settings.port == 61_978)
    let rule = try #require(PageOrigin("https://kiosk.example").flatMap { settings.origins[$0] })
    #expect(rule.asks == [.verify] && rule.startsPerMinute == 10 && rule.flows == 2)
    let local = try FetchSettings(
      json: Array(#"{ "fetch": { "user": "61001", "origins": { "http://localhost:8080": {} } } }"#.utf8))
    #expect(local.user == 61_001 && local.origins.keys.map(\.description) == ["http://localhost:8080"])
  }

  @Test(arguments: [
    ("{}", "fetch is not there: pages cannot ask by fetch unless it says who may"),
    (#"{ "fetch": { ORIGINS } }"#, "fetch.user is not there, the name or the number of one user of this machine"),
    (
      #"{ "fetch": { "user": "no-such-user", ORIGINS } }"#,
      "fetch.user is not there, the name or the number of one user of this machine"
    ),
    (
      #"{ "fetch": { "user": "nobody", ORIGINS } }"#,
      "fetch.user is not a user of its own: nobody stands for all unknown users"
    ),
    (#"{ "fetch": { "user": "root" } }"#, "fetch.origins is not an object with 1 to 32 origins"),
    (#"{ "fetch": { "user": "root", "prot": 1, ORIGINS } }"#, "there is no key fetch.prot; did you mean port?"),
    (#"{ "fetch": { "user": "root", "port": 80, ORIGINS } }"#, "fetch.port is not 1024 to 65535"),
    (
      #"{ "fetch": { "user": "root", "origins": { "https://a.example": { "asks": ["login"] } } } }"#,
      "fetch.origins.https://a.example.asks is not a list of verify, simChange, signIn"
    ),
    (
      #"{ "fetch": { "user": "root", "origins": { "https://a.example": { "flows": 9 } } } }"#,
      "fetch.origins.https://a.example.flows is not 1 to 8"
    ),
  ])
  func `a mistake is named with its key`(_ json: String, _ text: String) {
    #expect(Self.error(json.replacing("ORIGINS", with: #""origins": { "https://a.example": {} }"#)) == text)
  }

  @Test(arguments: [
    "*", "null", "", "https://*.example", "http://kiosk.example", "https://kiosk.example/", "https://Kiosk.example",
    "http://localhost.evil.example", "http://localhost:80", "http://localhost:8080/", "http://127.0.0.2:8080",
    "http://localhost:08080", "http://localhost:0", "http://user@localhost", "file://", "https://a.example:443",
  ])
  func `what is no one origin is none`(_ origin: String) {
    let json = #"{ "fetch": { "user": "root", "origins": { "\#(origin)": {} } } }"#
    #expect(
      Self.error(json)
        == "fetch.origins is not named with https:// and a host in small letters, perhaps with a port, "
        + "or http://localhost")
  }

  @Test func `the service finds a mistake in it, too, and is for nobody without sites`() {
    let shop =
      #""shop": { "name": "Shop", "tickets": "https://shop.example/t/", "return": "https://shop.example/back" }"#
    func error(_ fetch: String) -> String? {
      do throws(SettingsError) {
        _ = try WebSettings(json: Array(#"{ "backends": { \#(shop) }, "fetch": \#(fetch) }"#.utf8)) { _ in
          .init("a-token-of-16-and-more")
        }
        return nil
      } catch {
        return error.sentence
      }
    }
    #expect(error(#"{ "user": "root", "origins": {} }"#) == "fetch.origins is not an object with 1 to 32 origins")
    #expect(error(#"{ "user": "root", "origins": { "https://a.example": {} } }"#) == nil)
  }
}
