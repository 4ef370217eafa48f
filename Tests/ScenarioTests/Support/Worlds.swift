import Glibc
import ModemAPI
import ModemAPIClient
import ModemModel
import NIOCore
import NIOPosix
import ScenarioRunner
import modem_simulator
import Testing

/// Worlds for tests, where this machine allows them.
enum Worlds {
  static let reason: Comment = "a simulated world in the test's own process needs root and /dev/net/tun"

  /// Root with CAP_SYS_ADMIN, as a container's root may not have it, and a TUN device.
  static let areAllowed: Bool = {
    let status = contents(of: "/proc/self/status") ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") } ?? ""
    let capabilities = UInt64(line.split(separator: "\t").last ?? "", radix: 16) ?? 0
    let administrator: UInt64 = 1 << 21
    return geteuid() == 0 && capabilities & administrator != 0 && access("/dev/net/tun", R_OK | W_OK) == 0
  }()

  /// The repository's top folder.
  static let repository = String(#filePath).split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }

  /// Runs `body` in a fresh world, and ends the world.
  static func with(
    _ scenario: String = "{}", kind: ModemProtocol? = nil, startsDaemons: Bool = true,
    _ body: (World) async throws -> Void
  ) async throws {
    try await with(scenario, options: World.Options(kind: kind, startsDaemons: startsDaemons), body)
  }

  /// Runs `body` in a fresh world that is started in some way, and ends the world.
  ///
  /// - Parameter isSearched: false for a test that puts secrets where none may stand.
  static func with(
    _ scenario: String, options: World.Options, isSearched: Bool = true, _ body: (World) async throws -> Void
  ) async throws {
    let world = try await World.start(try Scenario(text: scenario), options)
    do {
      try await body(world)
    } catch {
      await world.stop()
      throw error
    }
    // Whatever a test was about: nothing that the daemons, modemctl or the simulated servers wrote
    // has a secret of the scenario.
    if isSearched {
      var texts = await world.collectedOutput()
      // What modemd counted meanwhile, if it still runs.
      if let figures = try? await world.figures() {
        // The fraction of a sum of seconds has any digits.
        texts.append(CollectedText(name: "figures", text: figures.replacing(/\.[0-9e-]+\n/, with: "\n")))
      }
      let findings = world.secretSearch.findings(in: texts)
      #expect(findings == [])
    }
    await world.stop()
    #expect(access(world.folder.path, F_OK) != 0, "the world's folder is left")
  }

  static func contents(of path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { content += buffer[..<count] }
    return String(decoding: content, as: UTF8.self)
  }
}

/// How a check went.
struct Walk: Sendable {
  var hops: [CheckInterface.Hop] = []
  var outcome: CheckInterface.Outcome?

  var cause: CheckInterface.Failure.Cause? { outcome?.failure?.cause }
  /// Result and cause in words.
  var words: String {
    guard let outcome else { return "no outcome" }
    return outcome.failure.map { "\($0.cause): \($0.text)" } ?? "\(outcome.result) \(outcome.answer?.status ?? 0)"
  }
}

extension World {
  /// modemd's figures as text, from the socket itself.
  nonisolated func figures() async throws -> String {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(unixDomainSocketPath: folder.metricsHTTP) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    let answer = try await channel.executeThenClose { incoming, outgoing in
      try await outgoing.write(ByteBuffer(string: "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"))
      var text = ""
      for try await part in incoming { text += String(buffer: part) }
      return text
    }
    try #require(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("# EOF\n"), "\(answer.prefix(200))")
    return answer
  }

  func client() async throws -> ModemAPIClient { try await ModemAPIClient.connect(to: folder.socket) }

  /// Opens a path of the aggregator and follows it to its end.
  ///
  /// - Parameter onHop: called after each hop with its number.
  nonisolated func walk(
    _ path: String, redirectURI: String? = nil, milliseconds: Int? = 20_000,
    onHop: @Sendable (Int) async throws -> Void = { _ in }
  ) async throws -> Walk {
    var walk = Walk()
    let stream = try await client().stream(
      CheckInterface.Open.self,
      .init(
        url: "https://\(scenario.chain.aggregator.name)\(path)", redirectURI: redirectURI,
        timeoutMilliseconds: milliseconds))
    for try await reply in stream {
      if let hop = reply.hop {
        walk.hops.append(hop)
        try await onHop(hop.index)
      }
      if let outcome = reply.outcome { walk.outcome = outcome }
    }
    return walk
  }

  /// Waits until something is so; false when it is not after 45 seconds, which is long for a busy
  /// machine too.
  nonisolated func eventually(_ isSo: () async throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(45)
    // What cannot be asked yet, as a store that the port still reads, may be asked later.
    var last: (any Error)?
    while ContinuousClock.now < deadline {
      do {
        if try await isSo() { return true }
        last = nil
      } catch {
        try Task.checkCancellation()
        last = error
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    if let last { throw last }
    return false
  }
}
