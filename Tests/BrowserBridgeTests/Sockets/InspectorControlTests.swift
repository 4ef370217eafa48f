import Glibc
import Logging
import LoopbackHTTP
import NIOPosix
import Testing
import Varlink
import WebAPI

@testable import BrowserBridge

/// The socket at which links to the inspector are made.
@Suite("The inspector's socket", .timeLimit(.minutes(1)))
struct InspectorControlTests {
  /// - Parameter users: who may call, besides root.
  private static func with(_ users: Set<UInt32>, _ body: (VarlinkClient, BridgeWorld) async throws -> Void) async throws
  {
    try await BridgeWorld.run { world in
      let path = "/tmp/inspector-control-\(getpid())-\(UInt32.random(in: 0 ... .max))"
      let server = try await VarlinkServer.start(
        InspectorControl.router(world.inspector, users: users, port: world.browser.port),
        at: .path(path, mode: 0o666), on: MultiThreadedEventLoopGroup.singleton,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      do {
        try await body(try await VarlinkClient.connect(to: path), world)
      } catch {
        await server.close()
        throw error
      }
      await server.close()
    }
  }

  @Test func `a caller's link opens the page in the caller's browser`() async throws {
    try await Self.with([geteuid()]) { client, world in
      let reply = try await client.call(WebInterface.Open.self, .init())
      #expect(reply.user == Int(geteuid()) && reply.expiresInSeconds == 60)
      let base = "http://127.0.0.1:\(world.browser.port)"
      try #require(reply.url.hasPrefix("\(base)/inspect?once="), "\(reply.url)")
      let path = String(reply.url.dropFirst(base.count))
      #expect(try await world.browser.get(path, ["Sec-Fetch-Site": "none"]).status == 303)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, which alone may name another user"))
  func `root names the user whose browser it is for`() async throws {
    try await Self.with([]) { client, world in
      let reply = try await client.call(WebInterface.Open.self, .init(user: 1501))
      #expect(reply.user == 1501)
      let path = "/inspect" + reply.url.drop { $0 != "?" }
      #expect(try await world.browser.get(path, ["Sec-Fetch-Site": "none"]).status == 403, "root's browser is another")
    }
  }

  @Test(arguments: [-1, 4_294_967_295, .max]) func `a user that cannot be is refused by name`(user: Int) async throws {
    try await Self.with([geteuid()]) { client, _ in
      let error = await #expect(throws: VarlinkError.self) {
        try await client.call(WebInterface.Open.self, .init(user: user))
      }
      let reason = error?.parameters(as: WebInterface.InvalidUser.self)?.reason
      #expect(reason?.contains("0 to 4294967294 is expected") == true, "\(reason ?? "")")
    }
  }
}
