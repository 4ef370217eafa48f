import BoundHTTP
import HTTPExchange
import HTTPTestSupport
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NetworkAddress
@_spi(Exchange) import RedirectChain
import Testing

/// The servers of the whole table, on their usual ports in the operator's namespace.
struct ConformanceWorld: Sendable {
  /// A request as a server saw it.
  struct Seen: Sendable {
    let url: String
    let method: String
    let request: TestServer.Request
  }

  private struct Stage {
    var answers: [ConformanceCase.Answer] = []
    var seen: [Seen] = []
  }

  static let names: [String: [String]] = Dictionary(
    uniqueKeysWithValues: TestCertificates.names.enumerated().map { ($1, ["198.51.100.\($0 % 5 + 1)"]) }
  ).merging([
    "own.example": [TestNetwork.ownAddress], "loop.example": ["127.0.0.1"], "link.example": ["169.254.1.1"],
    "wwan.example": [TestNetwork.sources.v4], "half.example": ["127.0.0.1", "198.51.100.1"],
  ]) { first, _ in first }

  let network: TestNetwork
  let servers: [TestServer]
  let dns: TestDNS
  let client: ChainClient
  private let stage: NIOLockedValueBox<Stage>

  /// One pair of namespaces for all cases; they end with the process.
  static let shared = Task { try await ConformanceWorld.make() }

  private static func make() async throws -> ConformanceWorld {
    let certificates = try TestCertificates.shared.get()
    let network = try await TestNetwork.make()
    let stage = NIOLockedValueBox(Stage())
    let group = network.operatorSide.group
    var servers: [TestServer] = []
    for (port, isTLS) in [(80, false), (8080, false), (443, true), (8443, true)] {
      let scheme = isTLS ? "https" : "http"
      let tls = try isTLS ? certificates.serverContext(.good) : nil
      let server = try await TestServer.start(on: "::", port: port, tls: tls, group: group) { request in
        let host = request.field("host") ?? "?"
        let method = String(request.text.prefix { $0 != " " })
        return stage.withLockedValue { stage in
          stage.seen.append(Seen(url: "\(scheme)://\(host)\(request.target)", method: method, request: request))
          return stage.answers.isEmpty ? TestServer.json("unexpected", status: 599) : stage.answers.removeFirst().steps
        }
      }
      servers.append(server)
    }
    let dns = try await TestDNS.start(on: TestNetwork.dnsServer, port: 53, group: group, TestDNS.table(names))
    var options = ChainClient.Options()
    options.trust = TLSTrust(extraRootsFile: certificates.rootFile, usesSystemRoots: false)
    options.learnsOrigins = false
    // 22 November 2026, 12:00: what dates in the table are measured by.
    options.wallClock = { 1_795_348_800 }
    let client = ChainClient(
      group: network.device.group, options: options, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    return ConformanceWorld(network: network, servers: servers, dns: dns, client: client, stage: stage)
  }

  struct Walk: Sendable {
    let result: ChainResult
    let shown: [ChainHop]
    let seen: [Seen]
    let connections: Int
  }

  func walk(_ test: ConformanceCase) async throws -> Walk {
    let before = servers.reduce(0) { $0 + $1.connections }
    stage.withLockedValue { $0 = Stage(answers: test.answers) }
    let hops = NIOLockedValueBox<[ChainHop]>([])
    let result = await client.run(try test.request(), over: try network.bearer()) { hop in
      hops.withLockedValue { $0.append(hop) }
    }
    return Walk(
      result: result, shown: hops.withLockedValue { $0 }, seen: stage.withLockedValue { $0.seen },
      connections: servers.reduce(0) { $0 + $1.connections } - before)
  }
}

@Suite(
  "Conformance",
  .enabled(if: TestNamespace.isAvailable, "needs root, ip and veth devices in a network namespace"), .serialized,
  .timeLimit(.minutes(5)))
struct ConformanceTests {
  @Test("A chain goes where the table says and ends as it says", arguments: ConformanceCase.all)
  func conforms(_ test: ConformanceCase) async throws {
    let world = try await ConformanceWorld.shared.value
    let walk = try await world.walk(test)
    #expect(walk.seen.map(\.url) == test.hops, "\(walk.result)")
    expect(test.end, walk.result)
    for (index, seen) in walk.seen.enumerated() {
      expect(test.sent?["\(index + 1)"] ?? [:], seen.request)
      #expect(seen.method == (index == 0 && test.post != nil ? "POST" : "GET"))
      #expect(seen.request.fields.filter { $0.name == "host" }.count == 1)
    }
    if let connections = test.connections { #expect(walk.connections == connections) }
    // Each request has its event; a hop that never came to a request has one too.
    #expect((walk.seen.count...walk.seen.count + 1).contains(walk.shown.count))
    #expect(walk.shown.map(\.index) == Array(1..<walk.shown.count + 1))
    if case .failed(let failure) = walk.result { #expect(!failure.text.contains("secret"), "\(failure.text)") }
  }

  @Test("The table is as large and as wide as it should be")
  func size() {
    #expect(ConformanceCase.all.count >= 120)
    #expect(Set(ConformanceCase.all.map(\.name)).count == ConformanceCase.all.count)
    #expect(ConformanceCase.all.filter { $0.defect != nil }.count >= 25)
  }

  private func expect(_ end: ConformanceCase.End, _ result: ChainResult) {
    switch result {
    case .answer(let answer):
      #expect(end.answer == answer.status, "\(result)")
      if let body = end.body { #expect(String(decoding: answer.body, as: UTF8.self) == body) }
    case .redirectReached(let uri, let parameters, _):
      #expect(end.reached == uri, "\(result)")
      if let expected = end.parameters { #expect(parameters == expected) }
    case .failed(let failure):
      #expect(end.failed == failure.cause.rawValue, "\(failure.text)")
      #expect(end.hop == failure.hop, "\(failure.text)")
      #expect(end.retryAfter == failure.retryAfter)
      if let body = end.body { #expect(failure.answer.map { String(decoding: $0.body, as: UTF8.self) } == body) }
    }
  }

  private func expect(_ fields: [String: String?], _ request: TestServer.Request) {
    for (name, value) in fields {
      if name == "body" {
        #expect(request.body == value)
      } else {
        #expect(request.fields.filter { $0.name == name }.map(\.value) == [value].compactMap(\.self), "\(name)")
      }
    }
  }
}
