import AuthCore
import HTTPTestSupport
import HostHTTP
import RedirectChain
import Testing
import Web

@Suite("Requests to backends", .serialized, .timeLimit(.minutes(1)))
struct RequestTests {
  struct MethodCase: Sendable, CustomTestStringConvertible {
    let method: WebRequest.Method
    let body: WebBody?
    let length: String?
    var testDescription: String { "\(method.rawValue), body \(body.map { "\($0)" } ?? "none")" }
  }

  static let methodCases: [MethodCase] = [
    .init(method: .get, body: nil, length: nil),
    .init(method: .post, body: .json(#"{"b":2}"#), length: "7"),
    .init(method: .post, body: .form(FormFields(["a": "1", "b": "x y"])), length: "11"),
    .init(method: .post, body: nil, length: "0"),
    .init(method: .patch, body: .json("[]"), length: "2"),
    .init(method: .patch, body: nil, length: "0"),
    .init(method: .put, body: .json("[]"), length: "2"),
    .init(method: .put, body: nil, length: "0"),
    .init(method: .delete, body: nil, length: nil),
    .init(method: .delete, body: .json("{}"), length: "2"),
    .init(method: .post, body: .text(String(repeating: "y", count: 100_000)), length: "100000"),
  ]

  @Test("A request says what the call says, once", arguments: methodCases)
  func methods(_ test: MethodCase) async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { _ in TestServer.json("{}") }
    let call = try HostWorld.call(
      "https://localhost:\(server.port)", method: test.method, headers: [.bearer(Secret("t")), .accept("text/x")],
      body: test.body)
    let reply = try await world.client.send(call).get()
    #expect(reply.isSuccess && server.requests.count == 1)
    let request = try #require(server.requests.first)
    #expect(
      request.text.hasPrefix("\(test.method.rawValue) /\(HostWorld.secret)?token=\(HostWorld.secret) HTTP/1.1\r\n"))
    let expected: [(String, String?)] = [
      ("host", "localhost:\(server.port)"), ("authorization", "Bearer t"), ("accept", "text/x"),
      ("user-agent", "modemd-test"), ("accept-encoding", "gzip, deflate"), ("connection", "close"),
      ("content-length", test.length), ("transfer-encoding", nil), ("content-type", test.body?.contentType),
      ("cookie", nil),
    ]
    for (name, value) in expected { #expect(request.field(name) == value, "\(name)") }
    #expect(Set(request.fields.map(\.name)).count == request.fields.count, "a field stands there twice")
    #expect(request.body == test.body.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "")
    await server.stop()
  }

  @Test("Fields that the call has stand in place of the usual ones")
  func ownFields() async throws {
    let world = try HostWorld.make()
    let server = try await TestServer.start { _ in TestServer.json("{}") }
    let call = try HostWorld.call(
      "http://[::ffff:127.0.0.1]:\(server.port)",
      headers: [.init(name: "user-agent", value: "mine"), .init(name: "content-type", value: "application/x")])
    _ = try await world.client.send(call).get()
    let request = try #require(server.requests.first)
    #expect(request.fields.filter { $0.name == "user-agent" }.map(\.value) == ["mine"])
    #expect(request.fields.filter { $0.name == "content-type" }.map(\.value) == ["application/x"])
    #expect(request.field("accept") == "*/*")
    await server.stop()
  }

  @Test("The request leaves with the last message of the handshake")
  func joined() async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { _ in TestServer.json("{}") }
    _ = try await world.client.send(HostWorld.call("https://127.0.0.1:\(server.port)")).get()
    // The hello, then Finished and the request in one.
    #expect(server.readsBeforeRequest == 2)
    await server.stop()
  }
}
