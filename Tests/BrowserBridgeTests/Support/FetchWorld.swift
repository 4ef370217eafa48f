import ClockTestSupport
import Glibc
import JSONTree
import Logging
import LoopbackHTTP
import NIOPosix
import Testing

@testable import BrowserBridge

/// The bridge for `fetch` on a port of its own, and a modemd whose answers the test decides, over
/// its real socket.
struct FetchWorld: Sendable {
  static let origin = "https://kiosk.example"
  static let other = "https://partner.example"
  static let number = "+4915112345678"

  let browser: TestBrowser
  let modemd: TestModemd
  let bridge: FetchBridge
  let clock: DrivenClock

  /// - Parameters:
  ///   - user: whose process it is; this one's if there is none.
  ///   - members: more members of the first origin's settings.
  static func run(
    user: UInt32 = geteuid(), _ members: String = "", _ body: (FetchWorld) async throws -> Void
  ) async throws {
    let modemd = try await TestModemd.start()
    let settings = try FetchSettings(
      json: Array(
        """
        { "fetch": { "user": "\(user)", "origins": {
          "\(origin)": { "asks": ["verify", "simChange", "signIn"], "startsPerMinute": 600 \(members) },
          "\(other)": {} } } }
        """.utf8))
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let clock = DrivenClock()
    let bridge = FetchBridge(
      settings, user: user, gateway: ModemGateway(socket: modemd.path), clock: clock.clock, logger: logger)
    let server = try await LoopbackServer.start(
      port: 0, on: MultiThreadedEventLoopGroup.singleton, logger: logger, serve: { await bridge.answer($0) })
    let result: Result<Void, any Error>
    do {
      result = .success(
        try await body(
          FetchWorld(browser: TestBrowser(port: server.port), modemd: modemd, bridge: bridge, clock: clock)))
    } catch {
      result = .failure(error)
    }
    await server.close()
    await bridge.end()
    await modemd.stop()
    try result.get()
  }

  /// Waits until so many checks have ended at modemd because their caller left.
  func left(_ count: Int) async throws {
    while modemd.left < count {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  /// The bytes that a page's `fetch` sends; an empty value leaves a field out.
  func text(_ body: String, _ changes: [String: String] = [:], line: String = "POST /call") -> String {
    let own = [
      "Origin": Self.origin, "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty", "Content-Type": "application/json",
      "Content-Length": "\(body.utf8.count)",
    ]
    return browser.head(line, own.merging(changes) { $1 }) + body
  }

  func post(_ body: String, _ changes: [String: String] = [:]) async throws -> TestBrowser.Answer {
    try await browser.send(text(body, changes))
  }

  static func call(_ name: String = "verify", _ parameters: String = #"{"number":"\#(number)"}"#) -> String {
    #"{"id":1,"call":"\#(name)","parameters":\#(parameters)}"#
  }
}

extension TestBrowser.Answer {
  /// The lines of a streamed answer, without the lengths of its pieces.
  var events: [JSONValue] {
    body.split(separator: "\r\n").flatMap { $0.split(separator: "\n") }.compactMap { line in
      line.hasPrefix("{") ? JSONValue(parsing: Array(line.utf8)) : nil
    }
  }
}
