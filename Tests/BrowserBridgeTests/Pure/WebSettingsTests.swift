import Glibc
import ModemModel
import SettingsFile
import SystemdSupport
import Testing

@testable import BrowserBridge

@Suite("Settings of modemd-web", .timeLimit(.minutes(1)))
struct WebSettingsTests {
  private static let shop =
    #""shop": { "name": "Shop", "tickets": "https://shop.example/t/", "return": "https://shop.example/back""#

  private static func error(_ json: String) -> String? {
    do throws(SettingsError) {
      _ = try WebSettings(json: Array(json.utf8)) { _ in WipedText("a-token-of-16-and-more") }
      return nil
    } catch {
      return "\(error.line.map { "\($0): " } ?? "")\(error.sentence)"
    }
  }

  @Test func `a file with one site is enough, and what it does not say is careful`() throws {
    let settings = try WebSettings(json: Array("{ \"backends\": { \(Self.shop) } } }".utf8)) { _ in WipedText("x") }
    #expect(settings.port == 61_977 && settings.users.isEmpty && settings.groups.isEmpty)
    let shop = try #require(settings.backends.first)
    #expect(!shop.isConsentConfigured && !shop.showsNumber && !shop.allowsPrivateAddresses && shop.asks == [.verify])
    let root = try WebSettings(
      json: Array("{ \"users\": [\"root\"], \"groups\": [\"root\"], \"backends\": { \(Self.shop) } } }".utf8)
    ) { _ in WipedText("x") }
    #expect(root.users == [0] && root.groups == [0])
  }

  @Test(arguments: [
    (#"{ "prot": 61977 }"#, "1: there is no key prot; did you mean port?"),
    ("{ \"port\": 80,\n \"backends\": { SHOP } } }", "1: port is not 1024 to 65535"),
    (
      "{\n \"users\": [\"nobody-of-this-name\"],\n \"backends\": { SHOP } } }",
      "2: users is not a list of users that exist"
    ),
    (#"{ "language": "fr", "backends": { SHOP } } }"#, "1: language is not auto, en or de"),
    ("{}", "backends is not an object with 1 to 32 sites"),
    (
      "{ \"backends\": { SHOP,\n \"retrun\": \"x\" } } }",
      "2: there is no key backends.shop.retrun; did you mean return?"
    ),
    ("{ \"backends\": { SHOP,\n \"consent\": \"always\" } } }", "2: backends.shop.consent is not click or configured"),
    (
      #"{ "backends": { SHOP, "asks": ["spend"] } } }"#,
      "1: backends.shop.asks is not a list of verify, simChange, signIn, login"
    ),
    (#"{ "backends": { SHOP, "flows": 0 } } }"#, "1: backends.shop.flows is not 1 to 64"),
    (
      #"{ "backends": { "shop": { "name": "", "tickets": "https://a.example/", "return": "https://a.example" } } }"#,
      "1: backends.shop.name is not there, with 1 to 80 characters that can be shown"
    ),
    (
      #"{ "backends": { "shop": { "name": "x", "tickets": "http://a.example/", "return": "https://a.example" } } }"#,
      "1: backends.shop.tickets is not there, an https address without a fragment"
    ),
    (
      #"{ "backends": { "shop": { "name": "x", "tickets": "https://a.example/t", "return": "https://a.example" } } }"#,
      "1: backends.shop.tickets is not an address that ends with / and has no query"
    ),
    (
      #"{ "backends": { "shop": { "name": "x", "tickets": "https://a.example/t/", "return": "javascript:x" } } }"#,
      "1: backends.shop.return is not there, an https address without a fragment"
    ),
    (
      #"{ "backends": { "Shop": { "name": "x", "tickets": "https://a.example/t/", "return": "https://a.example" } } }"#,
      "1: backends is not named with small letters, digits and dashes"
    ),
  ])
  func `a mistake is named with its line and its key`(_ json: String, _ text: String) {
    #expect(Self.error(json.replacing("SHOP", with: Self.shop)) == text)
  }

  @Test func `a site without a good secret is refused, and the secret is never told`() throws {
    var template = Array("/tmp/web-settings-XXXXXX".utf8CString)
    let made = try #require(template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } })
    let folder = String(cString: made)
    func write(_ text: String, _ name: String) throws {
      let file = try #require(fopen("\(folder)/\(name)", "we"))
      fputs(text, file)
      fclose(file)
    }
    defer {
      for name in ["web.json", "shop.token", "modemd-web_shop.token"] { unlink("\(folder)/\(name)") }
      rmdir(folder)
    }
    try write("{ \"backends\": { \(Self.shop) } } }", "web.json")
    let credentials = CredentialsDirectory(
      ServiceEnvironment(["CREDENTIALS_DIRECTORY": folder], process: getpid()))
    func check() -> WebFileCheck { WebFileCheck("\(folder)/web.json", credentials: credentials) }
    #expect(!check().isGood && check().line.contains("there is no credential shop.token"))
    for wrong in ["short-secret", "with a blank in its middle", "wörd-of-another-alphabet", ""] {
      try write(wrong, "shop.token")
      #expect(!check().isGood && check().line.contains("16 to 512 printable characters"), "\(check().line)")
      #expect(wrong.isEmpty || !check().line.contains(wrong))
    }
    unlink("\(folder)/shop.token")
    try write("a-good-secret-of-the-shop\n", "modemd-web_shop.token")
    #expect(check().isGood && check().line == "\(folder)/web.json: good: shop")
    let missing = WebFileCheck("\(folder)/none.json", credentials: credentials)
    #expect(!missing.isGood && missing.line.contains("none.json: it cannot be read"))
  }
}
