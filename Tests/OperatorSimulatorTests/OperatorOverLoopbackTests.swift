import Glibc
import NIOPosix
import NetworkAddress
import Subprocess
import Testing

@testable import OperatorSimulator

/// Real servers on the loopback device, asked by curl.
@Suite(
  .serialized, .timeLimit(.minutes(1)),
  .enabled(
    if: access("/usr/bin/curl", X_OK) == 0 && access("/usr/bin/openssl", X_OK) == 0, "curl and openssl are needed"))
struct OperatorOverLoopbackTests {
  private static let loopback = IPAddress("127.0.0.1")!

  /// Starts two servers of the chain and hands over curl's arguments to reach them.
  private func withServers(_ body: ([String]) async throws -> Void) async throws {
    var template = Array("/tmp/operator-test-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    let authority = try PrivateAuthority(in: folder, name: "authority")
    let certificate = try authority.issue(for: "a.example")
    let services: [any SimulatedService] = [
      CheckChainService(
        hosts: ChainHosts(aggregator: "a.example", signOn: "a.example", enrichment: "c.example"),
        subscribers: SubscriberDirectory([Self.loopback: "+4915112345678"])),
      FaultService(host: "a.example", misnamedHost: "m.example", unknownHost: "u.example"),
    ]
    let group = MultiThreadedEventLoopGroup.singleton
    let secure = try await WebServer.start(
      at: Self.loopback, port: 0, identity: certificate, services: services, on: group)
    let clear = try await WebServer.start(at: Self.loopback, port: 0, identity: nil, services: services, on: group)
    let arguments = [
      "-sS", "-m", "20", "-b", "", "--cacert", authority.certificatePath,
      "--connect-to", "a.example:443:127.0.0.1:\(secure.port)", "--connect-to",
      "m.example:443:127.0.0.1:\(secure.port)",
      "--connect-to", "c.example:80:127.0.0.1:\(clear.port)",
    ]
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(arguments))
    } catch {
      result = .failure(error)
    }
    await secure.stop()
    await clear.stop()
    for name in ["authority.key", "authority.pem", "a.example.key", "a.example.pem"] { unlink("\(folder)/\(name)") }
    rmdir(folder)
    try result.get()
  }

  private func curl(_ arguments: [String]) async throws -> (status: Int, output: String, error: String) {
    let result = try await Subprocess.run(
      .path("/usr/bin/curl"), arguments: Arguments(arguments), output: .string(limit: 1 << 20),
      error: .string(limit: 65_536))
    guard case .exited(let code) = result.terminationStatus else { return (-1, "", "\(result.terminationStatus)") }
    return (Int(code), result.standardOutput, result.standardError)
  }

  @Test func `curl walks the chain over kept connections`() async throws {
    try await withServers { arguments in
      let result = try await curl(
        arguments + ["-L", "-w", " %{num_redirects} %{num_connects}", "https://a.example/checks/4915112345678"])
      #expect(result.status == 0, "\(result.error)")
      #expect(result.output.contains(#""match":true"#))
      #expect(result.output.hasSuffix(" 5 2"))
    }
  }

  @Test func `another name than the certificate's is no name of the server`() async throws {
    try await withServers { arguments in
      // 60: the peer's certificate cannot be authenticated.
      let result = try await curl(arguments + ["https://m.example/"])
      #expect(result.status == 60)
    }
  }

  @Test func `it speaks TLS 1.3`() async throws {
    try await withServers { arguments in
      let result = try await curl(
        arguments + ["--tlsv1.3", "-o", "/dev/null", "-w", "%{http_code}", "https://a.example/status/403"])
      #expect(result.output == "403", "\(result.error)")
    }
  }

  @Test func `a server that hangs up gives no answer`() async throws {
    try await withServers { arguments in
      // 52: nothing was returned from the server.
      let result = try await curl(arguments + ["https://a.example/hangup"])
      #expect(result.status == 52)
    }
  }
}
