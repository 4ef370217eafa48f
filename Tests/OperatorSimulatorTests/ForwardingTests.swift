import Glibc
import NIOPosix
import NetworkAddress
import Subprocess
import Synchronization
import Testing

@testable import OperatorSimulator

/// Bodies, and requests that one server forwards to another, asked by curl.
@Suite(
  .serialized, .timeLimit(.minutes(1)), .enabled(if: access("/usr/bin/curl", X_OK) == 0, "curl is needed"))
struct ForwardingTests {
  private static let loopback = IPAddress("127.0.0.1")!

  /// Keeps what it is asked, and answers by the path.
  private final class Recorder: SimulatedService {
    private let requests = Mutex<[SimulatedRequest]>([])
    var last: SimulatedRequest? { requests.withLock { $0.last } }

    func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
      requests.withLock { $0.append(request) }
      switch request.path {
      case "/hangup": return SimulatedResponse(status: 200).delivered(.hangUp)
      case "/late": return SimulatedResponse(status: 200, body: "late").delivered(.after(milliseconds: 50))
      case "/nothing": return nil
      default:
        return SimulatedResponse(
          status: 303, headers: [("Location", "app://x"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")], body: "ü")
      }
    }
  }

  /// A server at the front, whose requests for `host` reach the service at the back by a Unix
  /// socket.
  private func withServers(
    of host: String, isBackThere: Bool = true, _ body: (Recorder, _ port: Int) async throws -> Void
  ) async throws {
    var template = Array("/tmp/forwarding-test-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    let group = MultiThreadedEventLoopGroup.singleton
    let recorder = Recorder()
    let back = try await WebServer.start(forwardedAt: "\(folder)/s", services: [recorder], on: group)
    if !isBackThere { await back.stop() }
    let front = try await WebServer.start(
      at: Self.loopback, port: 0, identity: nil,
      services: [ForwardingService(hosts: [host], to: "\(folder)/s", on: group), LeakService()], on: group)
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(recorder, front.port))
    } catch {
      result = .failure(error)
    }
    await front.stop()
    await back.stop()
    unlink("\(folder)/s")
    rmdir(folder)
    try result.get()
  }

  private func curl(_ arguments: [String], input: String = "") async throws -> (status: Int, output: String) {
    let result = try await Subprocess.run(
      .path("/usr/bin/curl"), arguments: Arguments(["-sS", "-m", "20"] + arguments), input: .string(input),
      output: .string(limit: 1 << 20), error: .string(limit: 65_536))
    guard case .exited(let code) = result.terminationStatus else { return (-1, "\(result.terminationStatus)") }
    return (Int(code), result.standardOutput)
  }

  @Test func `a forwarded request arrives whole, with its sender, and its answer comes back whole`() async throws {
    try await withServers(of: "a.example") { recorder, port in
      let answer = try await curl(
        [
          "-i", "-X", "PATCH", "-H", "Host: a.example:8080", "-H", "Content-Type: application/json-patch+json",
          "-H", "X-Simulated-Source: 10.64.0.2", "-H", "X-Simulated-Scheme: https", "--data-binary", "@-",
          "http://127.0.0.1:\(port)/x/y?q=a%20b&q=c",
        ], input: #"[{"op":"add"}]"#)
      #expect(answer.output.hasPrefix("HTTP/1.1 303"))
      #expect(answer.output.contains("Location: app://x\r\n"))
      #expect(answer.output.contains("Set-Cookie: a=1\r\n") && answer.output.contains("Set-Cookie: b=2\r\n"))
      #expect(answer.output.hasSuffix("\r\n\r\nü"))
      let request = try #require(recorder.last)
      #expect(request.method == "PATCH" && request.host == "a.example" && request.headers["host"] == "a.example:8080")
      #expect(request.path == "/x/y" && request.query == ["q": "a b"] && request.target == "/x/y?q=a%20b&q=c")
      #expect(request.json?.items.first?["op"]?.string == "add")
      // What a client says of itself is not believed.
      #expect(request.source == Self.loopback && !request.isSecure)
      #expect(request.headers.keys.allSatisfy { !$0.hasPrefix("x-simulated") })
    }
  }

  @Test(arguments: [("/late", 0, "late 200"), ("/nothing", 0, " 404"), ("/hangup", 52, " 000")])
  func `delays, refusals and hang-ups come through`(path: String, status: Int, output: String) async throws {
    try await withServers(of: "127.0.0.1") { _, port in
      let answer = try await curl(["-w", " %{http_code}", "http://127.0.0.1:\(port)\(path)"])
      #expect(answer.status == status)
      #expect(answer.output.hasSuffix(output), "\(answer.output)")
    }
  }

  @Test(arguments: [("other.example", true, "200"), ("127.0.0.1", false, "502")])
  func `other hosts are not forwarded, and a missing process is a bad gateway`(
    host: String, isBackThere: Bool, code: String
  ) async throws {
    try await withServers(of: host, isBackThere: isBackThere) { recorder, port in
      let answer = try await curl(["-o", "/dev/null", "-w", "%{http_code}", "http://127.0.0.1:\(port)/"])
      #expect(answer.output == code)
      #expect(recorder.last == nil)
    }
  }

  @Test(arguments: [(SimulatedRequest.maximumBody, "303"), (SimulatedRequest.maximumBody + 1, "413")])
  func `a body has its bound`(bytes: Int, code: String) async throws {
    try await withServers(of: "127.0.0.1") { recorder, port in
      let answer = try await curl(
        ["-o", "/dev/null", "-w", "%{http_code}", "--data-binary", "@-", "http://127.0.0.1:\(port)/"],
        input: String(repeating: "x", count: bytes))
      #expect(answer.output == code)
      #expect(recorder.last?.body.count == (code == "303" ? bytes : nil))
    }
  }
}
