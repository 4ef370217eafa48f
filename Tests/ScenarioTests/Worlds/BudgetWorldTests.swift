import Glibc
import ModemAPI
import ModemAPIClient
import Testing

@testable import ScenarioRunner

/// Budgets of a user whose programs go through the proxy.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct BudgetWorldTests {
  private static func scenario(_ limits: String) -> String {
    ProxyUser.scenario(settings: #", "usage": { "budgets": { "\#(LocalUser.trusted.userID)": { \#(limits) } } }"#)
  }

  /// What curl says of how much it got, one line for each URL.
  private static let size = ["-w", "%{size_download}\\n"]

  private static func sum(_ output: String) -> Int { output.split(separator: "\n").compactMap { Int($0) }.reduce(0, +) }

  private static func used(_ user: ProxyUser) async throws -> Int? {
    try await user.world.client().call(UsageInterface.Get.self, .init(user: Int(LocalUser.trusted.userID)))
      .budgets.first { $0.unit == .bytes }?.used
  }

  private static func words(_ user: ProxyUser, _ options: [String]) -> [String] {
    user.user.words + ["curl", "-sS", "--proxy", "socks5h://localhost\(user.world.folder.proxy)"] + Self.size + options
  }

  @Test func `64 connections that race for a budget move all of it, and not one byte more`() async throws {
    let limit = 20_000_000
    try await ProxyUser.with(Self.scenario(#""dayBytes": \#(limit)"#)) { user in
      let url = ["-o", "/dev/null", "http://\(user.host)/zeros?4000000"]
      let run = try await user.world.run(
        Self.words(user, ["-Z", "--parallel-max", "64"] + Array(repeating: url, count: 64).flatMap(\.self)))
      let moved = Self.sum(run.output)
      #expect(moved <= limit)
      #expect(moved >= limit / 100 * 97, "\(moved)")
      let used = try await Self.used(user)
      // The questions about the name are not held back, and not refused.
      #expect(used.map { $0 >= limit && $0 <= limit + 64 * 512 } == true, "\(used ?? -1)")
      let late = try await user.world.run(Self.words(user, url))
      #expect(Self.sum(late.output) == 0 && late.end != .exited(0))
    }
  }

  @Test func `a budget of 100 MB is met within 1 percent over the ends of both daemons by SIGKILL`() async throws {
    let limit = 100_000_000
    try await ProxyUser.with(Self.scenario(#""dayBytes": \#(limit)"#)) { user in
      let world = user.world
      var moved = 0
      for round in 1...4 {
        let running = try await world.begin(
          Self.words(user, ["-o", "/dev/null", "http://\(user.host)/zeros?\(limit * 2)"]))
        let before = try await Self.used(user) ?? 0
        // A part of what is left, wherever that is.
        let isUnderWay = try await world.eventually {
          try await Self.used(user).map { $0 >= min(before + limit / 8, limit) } ?? false
        }
        #expect(isUnderWay, "round \(round)")
        await world.end(.service)
        await world.end(.port)
        _ = await running.process.waitForEnd()
        moved += Self.sum(running.output())
        #expect(moved <= limit, "round \(round)")
        try await world.start(.service)
        try await world.start(.port)
        world.admitMembers()
        let isBack = try await world.eventually {
          let modem = try await world.client().call(ModemInterface.List.self, .init()).modems.first
          return modem.map { $0.fault == nil && $0.registration.state == .home } ?? false
        }
        #expect(isBack)
      }
      let last = try await world.run(Self.words(user, ["-o", "/dev/null", "http://\(user.host)/zeros?\(limit * 2)"]))
      moved += Self.sum(last.output)
      #expect(moved <= limit)
      #expect(moved >= limit / 100 * 99, "\(moved)")
      let sockets = try await world.client().call(UsageInterface.Sockets.self, .init()).sockets
      #expect(sockets.isEmpty)
      let log = Worlds.contents(of: world.folder.log(of: "modemd")) ?? ""
      #expect(log.contains("has used all of usage.budgets.\(LocalUser.trusted.userID).dayBytes"))
    }
  }

  @Test func `a connection is seen and ended by its user and by root, and by nobody else`() async throws {
    try await ProxyUser.with(Self.scenario(#""connections": 1"#)) { user in
      let running = try await user.world.begin(
        Self.words(user, ["--limit-rate", "20k", "-o", "/dev/null", "http://\(user.host)/zeros?100000000"]))
      let own = { try await user.user.call("org.modemd.Usage.Sockets", in: user.world).parameters?["sockets"] }
      let isOpen = try await user.world.eventually {
        try await user.world.client().call(UsageInterface.Sockets.self, .init()).sockets.first?.received ?? 0 > 100
      }
      #expect(isOpen)
      let socket = try #require(try await user.world.client().call(UsageInterface.Sockets.self, .init()).sockets.first)
      #expect(socket.way == .proxy && socket.user == Int(LocalUser.trusted.userID) && socket.port == 8080)
      #expect(socket.host == user.world.scenario.chain.aggregator.name && socket.address != nil)
      #expect(try await own()?.text.contains(socket.id) == true)
      let other = try await LocalUser.first.call("org.modemd.Usage.Sockets", in: user.world)
      #expect(other.parameters?["sockets"]?.text == "[]", "\(other)")
      let asked = #"{"id": "\#(socket.id)"}"#
      #expect(
        try await LocalUser.first.call("org.modemd.Usage.EndSocket", asked, in: user.world).error
          == "org.modemd.Usage.NoSuchSocket")
      // No second one beside it.
      let second = try await user.world.run(Self.words(user, ["-o", "/dev/null", "http://\(user.host)/index.html"]))
      #expect(second.end == .exited(97), "\(second)")
      #expect(try await user.user.call("org.modemd.Usage.EndSocket", asked, in: user.world).isAnswered)
      #expect(await running.process.waitForEnd() != .exited(0))
      let isFree = try await user.world.eventually {
        try await user.world.run(Self.words(user, ["-o", "/dev/null", "http://\(user.host)/index.html"])).end
          == .exited(0)
      }
      #expect(isFree)
    }
  }

  /// Takes a socket from modemd, fetches slowly over it, and says what it read and how that ended.
  private static let taker = """
    import json, socket, sys, time
    modemd = socket.socket(socket.AF_UNIX)
    modemd.connect(sys.argv[1])
    modemd.sendall(json.dumps({"method": "org.modemd.Bearer.OpenSocket",
      "parameters": {"host": sys.argv[2], "port": 8080}}).encode() + b"\\0")
    text, descriptors, flags, address = socket.recv_fds(modemd, 65536, 1)
    if not descriptors: sys.exit(text.decode())
    taken = socket.socket(fileno=descriptors[0])
    taken.sendall(b"GET /zeros?%s HTTP/1.0\\r\\n\\r\\n" % sys.argv[3].encode())
    count = 0
    try:
      while True:
        piece = taken.recv(65536)
        if not piece: break
        count += len(piece)
        time.sleep(float(sys.argv[4]))
      print(count, "end")
    except OSError as error: print(count, type(error).__name__)
    time.sleep(1)
    """

  private static func take(_ user: ProxyUser, bytes: Int, pause: String) async throws -> RunningCommand {
    try await user.world.begin(
      user.user.words + [
        "/usr/bin/python3", "-c", taker, user.world.folder.socket, user.world.scenario.chain.aggregator.name,
        "\(bytes)",
        pause,
      ])
  }

  @Test
  func `a socket that was handed over is counted as the kernel does, and ends within a poll when its budget is spent`()
    async throws
  {
    let limit = 3_000_000
    let table = #""org.modemd.Bearer.OpenStream": ["sys"]"#
    let scenario = Self.scenario(#""dayBytes": \#(limit)"#)
      .replacing(table, with: table + #", "org.modemd.Bearer.OpenSocket": ["sys"]"#)
    try await ProxyUser.with(scenario) { user in
      let whole = try await Self.take(user, bytes: 1_000_000, pause: "0")
      #expect(await whole.process.waitForEnd() == .exited(0), "\(whole.error())")
      let received = Int(whole.output().split(separator: " ").first ?? "") ?? 0
      #expect(received > 1_000_000 && whole.output().contains("end"), "\(whole.output())")
      // What the kernel counted last comes with the socket's end, the name's question besides.
      let isCounted = try await user.world.eventually {
        let row = try await user.world.client().call(UsageInterface.Get.self, .init()).month
          .first { $0.purpose == .sockets }
        return row.map { $0.received >= received && $0.received <= received + 2000 && $0.connections == 1 } ?? false
      }
      #expect(isCounted, "\(received)")
      let isClosed = try await user.world.eventually {
        try await user.world.client().call(UsageInterface.Sockets.self, .init()).sockets.isEmpty
      }
      #expect(isClosed)
      // Some 3 MB/s: two polls at the most go by behind the end of the budget.
      let long = try await Self.take(user, bytes: 100_000_000, pause: "0.02")
      #expect(await long.process.waitForEnd() == .exited(0), "\(long.error())")
      let words = long.output().split(whereSeparator: \.isWhitespace)
      #expect(words.last == "ConnectionAbortedError", "\(long.output())")
      let used = try await Self.used(user) ?? 0
      #expect(used >= limit && used < limit * 6, "\(used)")
    }
  }

  @Test func `destinations hold a user to names and ports`() async throws {
    let rule = #"{ "domains": ["aggregator.example"], "ports": ["8080"] }"#
    let scenario = ProxyUser.scenario(
      settings: #", "usage": { "destinations": { "\#(LocalUser.trusted.userID)": \#(rule) } }"#)
    try await ProxyUser.with(scenario) { user in
      let address = try #require(user.world.scenario.chain.aggregator.addresses.first)
      // It is below that domain.
      let name = user.world.scenario.chain.aggregator.name
      for host in [name + ":443", "\(address):8080", "other.example:8080"] {
        let result = try await user.curl("http://\(host)/")
        #expect(result.end == .exited(97), "\(host): \(result)")
      }
      let result = try await user.curl("http://\(user.host)/index.html")
      #expect(result.end == .exited(0), "\(name): \(result)")
    }
  }
}
