import Glibc
import JSONTree
import Logging
import MetricSeries
import MetricsAPI
import NIOPosix
import Subprocess
import Synchronization
import Testing
import Varlink

@testable import MetricsServer

/// Both sockets of a service with a few figures, in a folder of its own.
private struct MetricsFixture: Sendable {
  static let downs = MetricFamily("modemd_bearer_downs", .counter, labels: ["modem", "cause"], "Ends of bearers.")
  static let wait = MetricFamily("modemd_wait_seconds", .histogram, unit: "seconds", bounds: [0.5, 1], "A wait.")
  static let state = MetricFamily(
    "modemd_sim_state", .state, labels: ["modem"], words: ["absent", "ready"], "The SIM's state.")

  let folder: String
  var varlink: String { "\(folder)/metrics" }
  var http: String { "\(folder)/metrics.http" }

  static var samples: [MetricSample] {
    var histogram = MetricHistogram(bounds: [0.5, 1])
    for value in [0.25, 3] { histogram.add(value) }
    return [
      MetricSample(downs, ["m1", "36"], 3), MetricSample(downs, ["m1", ""], 1),
      MetricSample(state, ["m1"], .word("ready")), MetricSample(wait, [], .histogram(histogram)),
    ]
  }

  static func with(
    samples: @escaping @Sendable () -> [MetricSample] = { samples }, limits: MetricsLimits = MetricsLimits(),
    mode: mode_t = 0o660, isAllowed: @escaping @Sendable (Peer) -> Bool = { $0.userID == geteuid() },
    _ body: (MetricsFixture) async throws -> Void
  ) async throws {
    var template = Array("/tmp/modemd-metrics-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
    let fixture = MetricsFixture(folder: String(cString: try #require(made)))
    chmod(fixture.folder, 0o755)
    defer { rmdir(fixture.folder) }
    let source = MetricsSource(
      ServiceInformation(vendor: "modemd", product: "modemd", version: "1", url: "https://example.com"),
      domain: "org.modemd", prefix: "modemd", families: [downs, state, wait], samples: samples, isAllowed: isAllowed)
    let server = try await MetricsServer.start(
      source, varlink: .path(fixture.varlink, mode: mode), http: .path(fixture.http, mode: mode), limits: limits,
      on: MultiThreadedEventLoopGroup.singleton, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    do {
      try await body(fixture)
    } catch {
      await server.close()
      throw error
    }
    await server.close()
    #expect(access(fixture.varlink, F_OK) != 0 && access(fixture.http, F_OK) != 0, "a socket file is left")
  }

  /// A connection to the socket of HTTP.
  func connect() throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    try #require(descriptor >= 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: http.utf8) }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
    return descriptor
  }

  /// Everything until the server's end, and whether it ended within the socket's time limit.
  static func readAll(_ descriptor: Int32) -> (text: String, isEnded: Bool) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 {
        bytes += buffer[..<count]
      } else {
        return (String(decoding: bytes, as: UTF8.self), count == 0 || errno == ECONNRESET)
      }
    }
  }

  static func write(_ text: String, _ descriptor: Int32) {
    _ = Array(text.utf8).withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// One request and its answer.
  func ask(_ request: String) throws -> String {
    let descriptor = try connect()
    defer { close(descriptor) }
    Self.write(request, descriptor)
    let (text, isEnded) = Self.readAll(descriptor)
    #expect(isEnded)
    return text
  }

  func list() async throws -> [MetricsInterface.List.Reply] {
    var all: [MetricsInterface.List.Reply] = []
    for try await reply in try await VarlinkClient.connect(to: varlink).stream(MetricsInterface.List.self, .init()) {
      all.append(reply)
    }
    return all
  }
}

@Suite("The sockets of figures", .timeLimit(.minutes(2))) struct MetricsSocketTests {
  private static let get = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"

  @Test("over Varlink, a histogram is three counters, a state is a word, and the modem is the object")
  func list() async throws {
    try await MetricsFixture.with { fixture in
      typealias Reply = MetricsInterface.List.Reply
      #expect(
        try await fixture.list() == [
          Reply(name: "org.modemd.BearerDowns", value: .int(3), object: "m1", fields: ["cause": "36"]),
          Reply(name: "org.modemd.BearerDowns", value: .int(1), object: "m1"),
          Reply(name: "org.modemd.SimState", value: .string("ready"), object: "m1"),
          Reply(name: "org.modemd.WaitSecondsBucket", value: .int(1), fields: ["le": "0.5"]),
          Reply(name: "org.modemd.WaitSecondsBucket", value: .int(1), fields: ["le": "1.0"]),
          Reply(name: "org.modemd.WaitSecondsBucket", value: .int(2), fields: ["le": "+Inf"]),
          Reply(name: "org.modemd.WaitSecondsCount", value: .int(2)),
          Reply(name: "org.modemd.WaitSecondsSum", value: .double(3.25)),
        ])
      var described: [String: MetricsInterface.MetricFamilyType] = [:]
      for try await reply in try await VarlinkClient.connect(to: fixture.varlink).stream(
        MetricsInterface.Describe.self, .init())
      {
        described[reply.name] = reply.type
      }
      #expect(
        described == [
          "org.modemd.BearerDowns": .counter, "org.modemd.SimState": .string,
          "org.modemd.WaitSecondsBucket": .counter, "org.modemd.WaitSecondsCount": .counter,
          "org.modemd.WaitSecondsSum": .counter,
        ])
    }
  }

  @Test("both methods want `more`, and nothing to tell is an error")
  func errors() async throws {
    try await MetricsFixture.with(samples: { [] }) { fixture in
      let client = try await VarlinkClient.connect(to: fixture.varlink)
      for call in [
        { _ = try await client.call(MetricsInterface.List.self, .init()) },
        { _ = try await client.call(MetricsInterface.Describe.self, .init()) },
      ] as [() async throws -> Void] {
        let error = await #expect(throws: VarlinkError.self) { try await call() }
        #expect(error?.name == "org.varlink.service.ExpectedMore")
      }
      let error = await #expect(throws: VarlinkError.self) { _ = try await fixture.list() }
      #expect(error?.name == MetricsInterface.NoSuchMetric.name)
    }
  }

  @Test("over HTTP, text at /metrics alone, to GET and HEAD alone")
  func http() async throws {
    try await MetricsFixture.with { fixture in
      let answer = try fixture.ask(Self.get)
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(answer.contains("content-type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n" + MetricText.openMetrics.write(MetricsFixture.samples)))
      let plain = try fixture.ask("GET /metrics?x=1 HTTP/1.1\r\nHost: x\r\nAccept: text/plain;version=0.0.4\r\n\r\n")
      #expect(plain.hasSuffix("\r\n\r\n" + MetricText.prometheus.write(MetricsFixture.samples)))
      let head = try fixture.ask("HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.hasSuffix("\r\n\r\n"))
      #expect(try fixture.ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n").hasPrefix("HTTP/1.1 404 "))
      #expect(try fixture.ask("GET /metrics/ HTTP/1.1\r\nHost: x\r\n\r\n").hasPrefix("HTTP/1.1 404 "))
      #expect(
        try fixture.ask("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab").hasPrefix("HTTP/1.1 405 "))
      #expect(try fixture.ask("nonsense\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
      // A second request on one connection is none.
      #expect(try fixture.ask(Self.get + Self.get).components(of: "HTTP/1.1 ") == 1)
    }
  }

  @Test("whom the service does not allow is told no, and gets nothing")
  func refused() async throws {
    try await MetricsFixture.with(isAllowed: { _ in false }) { fixture in
      let answer = try fixture.ask(Self.get)
      #expect(answer.hasPrefix("HTTP/1.1 403 ") && answer.contains("modemd-metrics") && !answer.contains("modemd_"))
      let error = await #expect(throws: VarlinkError.self) { _ = try await fixture.list() }
      #expect(error?.name == VarlinkError.permissionDenied.name)
    }
  }

  @Test(
    "the kernel says who calls: another user gets nothing, even where the sockets' modes let everybody in",
    .enabled(if: geteuid() == 0 && access("/usr/bin/curl", X_OK) == 0, "needs root and curl"))
  func otherUser() async throws {
    try await MetricsFixture.with(mode: 0o666) { fixture in
      let status = { (user: [String]) in
        try await Subprocess.run(
          .name("setpriv"),
          arguments: .init(
            user + [
              "curl", "--silent", "--max-time", "20", "--write-out", "%{http_code}", "--unix-socket", fixture.http,
              "http://localhost/metrics",
            ]), output: .string(limit: 65_536), error: .discarded
        ).standardOutput
      }
      let foreign = try await status(["--reuid", "65534", "--regid", "65534", "--clear-groups"])
      #expect(foreign.hasSuffix("403") && !foreign.contains("modemd_"))
      let own = try await status(["--reuid", "0"])
      #expect(own.hasSuffix("200") && own.contains("modemd_bearer_downs_total"))
    }
  }

  @Test("slow readers and senders hold a connection for the time limit, and no longer")
  func slow() async throws {
    var limits = MetricsLimits()
    limits.connections = 3
    limits.time = .seconds(6)
    // More than the kernel holds for a reader.
    let many = (0..<15_000).map { MetricSample(MetricsFixture.downs, ["m\($0)", "36"], 1) }
    try await MetricsFixture.with(samples: { many }, limits: limits) { fixture in
      let slow = try (0..<3).map { _ in try fixture.connect() }
      defer { for descriptor in slow { close(descriptor) } }
      MetricsFixture.write(Self.get, slow[0])
      MetricsFixture.write(String(Self.get.dropLast(2)), slow[1])
      // While these are open, one more is closed at once.
      #expect(try fixture.ask(Self.get) == "")
      for descriptor in slow {
        // Says nothing more, and reads nothing until the server has ended it (POLLRDHUP, Linux,
        // asm-generic/poll.h).
        var poll = pollfd(fd: descriptor, events: 0x2000, revents: 0)
        #expect(Glibc.poll(&poll, 1, 20_000) == 1)
      }
      let cut = MetricsFixture.readAll(slow[0])
      #expect(cut.isEnded && !cut.text.hasSuffix("# EOF\n"))
      #expect(try fixture.ask(Self.get).hasSuffix("# EOF\n"))
    }
  }

  @Test("a request that is larger than a request may be ends the connection")
  func large() async throws {
    try await MetricsFixture.with { fixture in
      let flood = String(repeating: "X-A: \(String(repeating: "b", count: 1000))\r\n", count: 100)
      let refused = try fixture.ask("GET /metrics HTTP/1.1\r\nHost: x\r\n" + flood + "\r\n")
      #expect(!refused.contains("modemd_"))
      let answer = try fixture.ask(Self.get)
      #expect(answer.contains("modemd_bearer_downs_total"))
    }
  }
}

extension String {
  /// How often a part is in it.
  fileprivate func components(of part: String) -> Int {
    indices.count { self[$0...].hasPrefix(part) }
  }
}
