import AuthCore
import HTTPTestSupport
import HostHTTP
import RedirectChain
import Testing
import Web

@Suite("Calls that are not made", .serialized, .timeLimit(.minutes(1)))
struct RefusalTests {
  /// A name, a value, whether it may be sent.
  static let fields: [(String, String, Bool)] = [
    ("X-Key", "a b", true), ("X-Key", "tab\there", true), ("X-Key", "caf\u{e9}", true), ("X-Key", "", true),
    ("X-Key", "a\r\nX-Other: b", false), ("X-Key", "a\nb", false), ("X-Key", "a\rb", false), ("X-Key", "a\0b", false),
    ("X-Key", "a\u{7f}", false), ("X-Key\r\nX-Other", "b", false), ("X Key", "b", false), ("X-Key:", "b", false),
    ("", "b", false), ("Host", "elsewhere.example", false), ("content-length", "5", false),
    ("Transfer-Encoding", "chunked", false), ("Connection", "keep-alive", false), ("Upgrade", "h2c", false),
    ("Cookie", "operator=262_01", true),
  ]

  @Test("A field that could end, or begin another, is refused", arguments: fields)
  func injection(name: String, value: String, isSent: Bool) async throws {
    let world = try HostWorld.make()
    let server = try await TestServer.start { _ in TestServer.json("{}") }
    let call = try HostWorld.call(
      "http://127.0.0.1:\(server.port)", headers: [.init(name: name, value: value + (isSent ? "" : HostWorld.secret))])
    switch try await world.client.send(call) {
    case .success: #expect(isSent && server.requests.first?.field(name.lowercased()) == value)
    case .failure(let failure):
      #expect(!isSent && failure.kind == .refused && failure.text.contains("127.0.0.1"))
      #expect(world.keepsSecret(failure))
    }
    #expect(server.connections == (isSent ? 1 : 0))
    await server.stop()
  }

  @Test("A field cannot come in by the type of a body")
  func bodyType() async throws {
    let world = try HostWorld.make()
    let call = try HostWorld.call("http://127.0.0.1:1", body: .init([], contentType: "text/plain\r\nX-Other: b"))
    guard case .failure(let failure) = try await world.client.send(call) else {
      Issue.record("it was sent")
      return
    }
    #expect(failure.kind == .refused)
  }

  @Test(
    "In clear only this machine is called, and what the configuration allows",
    arguments: [
      ("http://backend.example", [], true), ("http://198.51.100.1", [], true), ("http://localhost.example", [], true),
      ("http://[2001:db8::1]", [], true), ("http://0.0.0.0", [], true),
      ("http://backend.example:8080", ["other.example"], true),
      ("http://sub.backend.example", ["backend.example"], true),
      ("http://127.0.0.1", [], false), ("http://127.9.9.9", [], false), ("http://[::1]", [], false),
      ("http://localhost", [], false), ("http://nowhere.invalid", ["Nowhere.Invalid"], false),
      ("http://[::ffff:127.0.0.1]", [], false), ("http://[::2]", ["[::2]"], false),
    ] as [(String, Set<String>, Bool)])
  func cleartext(origin: String, allowed: Set<String>, isRefused: Bool) async throws {
    let world = try HostWorld.make(cleartextHosts: allowed)
    // Port 1 has no server: what is let through is not answered.
    let url = try WebURL(origin)
    let call = try HostWorld.call(url.port == 80 ? "\(origin):1" : origin, time: .seconds(20))
    guard case .failure(let failure) = try await world.client.send(call) else {
      Issue.record("something answered")
      return
    }
    #expect((failure.kind == .refused) == isRefused, "\(failure)")
    #expect(failure.text.contains(url.host) && world.keepsSecret(failure))
  }
}
