import Testing

@testable import NativeMessaging

/// What two browsers write to a host's standard input, as bytes.
@Suite("Messages of native messaging")
struct MessageFramesTests {
  private static func framed(_ text: String) -> [UInt8] {
    withUnsafeBytes(of: UInt32(text.utf8.count)) { Array($0) } + Array(text.utf8)
  }

  @Test("messages come out whole, however they are cut", arguments: 1...9)
  func pieces(_ size: Int) throws {
    let texts = ["{}", #"{"id":1}"#, "", String(repeating: "x", count: 300)]
    let bytes = texts.flatMap(Self.framed)
    var reader = MessageReader()
    var found: [String] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      reader.append(rest.prefix(size))
      rest = rest.dropFirst(size)
      while let message = try reader.next() { found.append(String(decoding: message, as: UTF8.self)) }
    }
    #expect(found == texts && reader.isBetweenMessages)
  }

  @Test("a length is known to be too long before its content has come")
  func tooLong() throws {
    var reader = MessageReader()
    reader.append(withUnsafeBytes(of: UInt32(MessageReader.mostBytes)) { Array($0) })
    #expect(try reader.next() == nil && !reader.isBetweenMessages)
    for length in [UInt32(MessageReader.mostBytes) + 1, .max] {
      var reader = MessageReader()
      reader.append(withUnsafeBytes(of: length) { Array($0) })
      #expect(throws: MessageReader.TooLong(bytes: Int(length))) { try reader.next() }
    }
  }

  @Test("a message for the browser has its length, up to what a browser takes")
  func writing() {
    #expect(MessageFrame.bytes(Array("{}".utf8)) == Self.framed("{}"))
    #expect(MessageFrame.bytes([UInt8](repeating: 32, count: MessageFrame.mostBytes)) != nil)
    #expect(MessageFrame.bytes([UInt8](repeating: 32, count: MessageFrame.mostBytes + 1)) == nil)
    let long = PageEvent(1, .outcome(result: String(repeating: "x", count: MessageFrame.mostBytes), details: [:]))
    #expect(String(decoding: long.frame.dropFirst(4), as: UTF8.self).contains(#""name":"badMessage""#))
  }
}

@Suite("Who calls a native host")
struct BrowserCallerTests {
  private static let chromium = "chrome-extension://abcdefghijklmnopabcdefghijklmnop/"

  @Test("each browser names the extension in its own way")
  func callers() {
    #expect(BrowserCaller([Self.chromium])?.extension == "abcdefghijklmnopabcdefghijklmnop")
    #expect(BrowserCaller([Self.chromium, "--parent-window=1"])?.extension == "abcdefghijklmnopabcdefghijklmnop")
    let manifest = "/usr/lib/mozilla/native-messaging-hosts/org.modemd.browser.json"
    #expect(BrowserCaller([manifest, "modemd@modemd.org"])?.extension == "modemd@modemd.org")
    #expect(BrowserCaller([manifest, "{00000000-0000-0000-0000-000000000000}"]) != nil)
  }

  @Test(
    "anything else is nobody",
    arguments: [
      [], [""], ["chrome-extension://"], ["chrome-extension://abc/"], ["https://kiosk.example/"], ["/manifest"],
      ["chrome-extension://abcdefghijklmnopabcdefghijklmnoq/"], ["chrome-extension://abcdefghijklmnopabcdefghijklmnop"],
      ["chrome-extension://abcdefghijklmnopabcdefghijklmnop/x"], ["/manifest", "a b@c"], ["manifest", "a@b"],
      ["/manifest", "modemd@modemd.org", "more"],
    ])
  func strangers(_ arguments: [String]) { #expect(BrowserCaller(arguments) == nil) }

  @Test(
    "an origin has one form",
    arguments: [
      ("https://kiosk.example", true), ("https://kiosk.example:8443", true), ("https://a-1.example", true),
      ("http://kiosk.example", false), ("https://kiosk.example/", false), ("https://Kiosk.example", false),
      ("https://kiosk.example:443", false), ("https://kiosk.example:080", false), ("https://kiosk.example:", false),
      ("https://kiosk.example:65536", false), ("https://user@kiosk.example", false), ("https://", false),
      ("https://kiosk.example.", false), ("null", false), ("*", false), ("https://*.example", false),
      ("https://kiosk.example:1:2", false), ("https://kiosk.example#x", false), ("https://\u{43a}iosk.example", false),
    ])
  func origins(_ text: String, _ isGood: Bool) {
    #expect((PageOrigin(text) != nil) == isGood)
    #expect(PageOrigin(text).map { $0.description == text } ?? true)
  }
}
