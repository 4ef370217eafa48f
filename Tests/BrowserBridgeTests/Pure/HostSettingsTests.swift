import Glibc
import NativeMessaging
import SettingsFile
import Testing

@testable import BrowserBridge

@Suite("Settings of the native host")
struct HostSettingsTests {
  private static let id = "abcdefghijklmnopabcdefghijklmnop"

  private static func read(_ text: String) throws(SettingsError) -> HostSettings {
    try HostSettings(json: Array(text.utf8))
  }

  @Test("an origin may ask for a verification unless the file says more")
  func origins() throws {
    let settings = try Self.read(
      """
      { "extensions": ["\(Self.id)", "modemd@modemd.org"],
        "origins": { "https://kiosk.example": {}, "https://shop.example:8443": {
          "asks": ["verify", "simChange", "verify"], "startsPerMinute": 3 } } }
      """)
    #expect(settings.extensions == [Self.id, "modemd@modemd.org"])
    let kiosk = try #require(PageOrigin("https://kiosk.example").flatMap { settings.origins[$0] })
    #expect(kiosk.asks == [.verify] && kiosk.startsPerMinute == 10)
    let shop = try #require(PageOrigin("https://shop.example:8443").flatMap { settings.origins[$0] })
    #expect(shop.asks == [.verify, .simChange] && shop.startsPerMinute == 3)
  }

  @Test(
    "a mistake is named with its key",
    arguments: [
      ("{}", "extensions"), (#"{ "extensions": ["*"] }"#, "extensions"), (#"{ "extensions": [ID] }"#, "origins"),
      (#"{ "extensions": [ID], "origins": {} }"#, "origins"),
      (#"{ "extensions": [ID], "origins": { "*": {} } }"#, "origins"),
      (#"{ "extensions": [ID], "origins": { "https://Kiosk.example": {} } }"#, "origins"),
      (#"{ "extensions": [ID], "origins": { "http://kiosk.example": {} } }"#, "origins"),
      (
        #"{ "extensions": [ID], "origins": { "https://a.example": { "asks": ["imsi"] } } }"#,
        "origins.https://a.example.asks"
      ),
      (
        #"{ "extensions": [ID], "origins": { "https://a.example": { "asks": [] } } }"#,
        "origins.https://a.example.asks"
      ),
      (
        #"{ "extensions": [ID], "origins": { "https://a.example": { "startsPerMinute": 0 } } }"#,
        "origins.https://a.example.startsPerMinute"
      ),
    ])
  func mistakes(_ text: String, _ key: String) {
    let error = #expect(throws: SettingsError.self) { try Self.read(text.replacing("ID", with: "\"\(Self.id)\"")) }
    #expect(error?.key == key)
  }
}

@Suite("Calls of an origin in a minute")
struct CallNotesTests {
  private static let kiosk = PageOrigin("https://kiosk.example")
  private static let other = PageOrigin("https://other.example")

  private static func withFolder(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/modemd-notes-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer {
      unlink("\(folder)/modemd-browser-host")
      rmdir(folder)
    }
    try body(folder)
  }

  @Test func `processes of one user count together, each origin by itself, for a minute`() throws {
    let (kiosk, other) = (try #require(Self.kiosk), try #require(Self.other))
    try Self.withFolder { folder in
      // Each page has a host of its own.
      func take(_ origin: PageOrigin, _ now: Int) -> Int? { CallNotes(folder: folder).take(origin, most: 2, at: now) }
      #expect(take(kiosk, 100) == nil && take(kiosk, 110) == nil)
      #expect(take(kiosk, 111) == 49)
      #expect(take(other, 111) == nil)
      #expect(take(kiosk, 159) == 1)
      #expect(take(kiosk, 160) == nil)
      #expect(take(kiosk, 161) == 9)
      // The machine was started again, and its clock with it.
      #expect(take(kiosk, 5) == nil)
    }
  }

  @Test func `whatever the file holds, and without a file, nothing ends`() throws {
    let kiosk = try #require(Self.kiosk)
    #expect(CallNotes(folder: nil).take(kiosk, most: 1, at: 1) == nil)
    #expect(CallNotes(folder: "/nowhere").take(kiosk, most: 1, at: 1) == nil)
    try Self.withFolder { folder in
      let path = "\(folder)/modemd-browser-host"
      for text in ["\0\0\0", "9223372036854775807 https://kiosk.example\n", "-9223372036854775808 x\n", "1 2 3\n1\n"] {
        let file = try #require(fopen(path, "we"))
        fputs(text, file)
        fclose(file)
        #expect(CallNotes(folder: folder).take(kiosk, most: 1, at: 1) == nil)
      }
      // A link that somebody put there is not followed.
      unlink(path)
      symlink("/dev/zero", path)
      #expect(CallNotes(folder: folder).take(kiosk, most: 1, at: 1) == nil)
    }
  }
}
