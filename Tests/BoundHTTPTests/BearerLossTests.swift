import BoundHTTP
import HTTPExchange
import HTTPTestSupport
import Logging
import NetworkAddress
import RedirectChain
import Testing
import Web

/// A way to lose the bearer while a chain is waiting on it.
struct LossCase: Sendable, CustomTestStringConvertible {
  let name: String
  let script: String
  var testDescription: String { name }

  static let all: [LossCase] = [
    .init(name: "device removed", script: "ip link delete wwan0"),
    .init(name: "link down", script: "ip link set wwan0 down"),
    // What the port does before routes and addresses go; no reason has come yet.
    .init(name: "sockets destroyed", script: "ss --kill --tcp dev = wwan0"),
    .init(
      name: "device renamed", script: "ip link set wwan0 down && ip link set wwan0 name wwan1 && ip link set wwan1 up"),
    .init(
      name: "device made anew under its name",
      script:
        "ip link delete wwan0 && \(TestNamespace.addDevice("wwan0", "10.64.0.2/30"))"
    ),
    .init(
      name: "index taken by another device",
      script: """
        index=$(ip -o link show wwan0 | cut -d: -f1); ip link delete wwan0 &&
        \(TestNamespace.addDevice("other", "10.64.0.2/30", index: "index $index"))
        """),
  ]
}

@Suite(
  "Losing the bearer",
  .enabled(if: TestNamespace.isAvailable, "needs root, ip and veth devices in a network namespace"), .serialized,
  .timeLimit(.minutes(1)))
struct BearerLossTests {
  private static func walk(
    _ url: String, in namespace: TestNamespace, sources: [String] = ["10.64.0.2"], total: Duration = .seconds(30)
  ) async throws -> ChainResult {
    let certificates = try TestCertificates.shared.get()
    var options = ChainClient.Options()
    options.trust = TLSTrust(extraRootsFile: certificates.rootFile, usesSystemRoots: false)
    options.dns.attempt = .milliseconds(100)
    options.dns.total = .milliseconds(800)
    let client = ChainClient(
      group: namespace.group, options: options, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let interface = try BoundInterface(
      name: "wwan0", index: namespace.index, dnsServers: [IPAddress("10.64.0.1")!],
      sources: sources.compactMap { IPAddress($0) })
    var policy = ChainPolicy()
    policy.totalTime = total
    return await client.run(ChainRequest(url: try WebURL(url), policy: policy), over: interface)
  }

  @Test("A chain ends as soon as its bearer is lost, and nothing leaves by another way", arguments: LossCase.all)
  func lost(_ test: LossCase) async throws {
    let namespace = try TestNamespace.make()
    async let result = Self.walk("https://10.64.0.1/", in: namespace)
    try await namespace.sent()
    #expect(try await namespace.run(test.script) == 0)
    guard case .failed(let failure) = try await result else {
      Issue.record("the chain did not fail")
      return
    }
    #expect(failure.cause == .bearerLost, "\(failure.text)")
    #expect(try await namespace.leaked() == 0)
    await namespace.stop()
  }

  @Test("A bearer whose DNS is silent does not ask the host's, though that is a route away")
  func silentDNS() async throws {
    let namespace = try TestNamespace.make()
    guard case .failed(let failure) = try await Self.walk("https://a.example/", in: namespace) else { return }
    #expect(failure.cause == .dnsFailed)
    #expect(try await namespace.leaked() == 0)
    await namespace.stop()
  }

  @Test(
    "An address that only another interface has a route to is not reached over it",
    arguments: ["https://198.51.100.1/", "https://192.0.2.1/"])
  func noOtherRoute(url: String) async throws {
    let namespace = try TestNamespace.make()
    guard case .failed(let failure) = try await Self.walk(url, in: namespace, total: .milliseconds(700)) else { return }
    // IPv4 bound to a device takes every address for a neighbour of it, so this goes out of the
    // bearer, unanswered.
    #expect(failure.cause == .timeout)
    #expect(try await namespace.leaked() == 0)
    await namespace.stop()
  }

  @Test("Without a route for IPv6 the bearer counts as lost, at once")
  func noIPv6Route() async throws {
    let namespace = try TestNamespace.make()
    #expect(try await namespace.run("echo 0 > /proc/sys/net/ipv6/conf/wwan0/disable_ipv6") == 0)
    guard
      case .failed(let failure) = try await Self.walk(
        "https://[2001:db8::1]/", in: namespace, sources: ["10.64.0.2", "2001:db8:64::2"])
    else { return }
    #expect(failure.cause == .bearerLost, "\(failure.text)")
    #expect(try await namespace.leaked() == 0)
    await namespace.stop()
  }
}
