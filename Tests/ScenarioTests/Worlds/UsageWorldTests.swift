import Glibc
import ModemAPI
import ModemAPIClient
import Testing

@testable import ScenarioRunner

/// What modemd counts, beside what the kernel and a listener on the bearer's link count.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct UsageWorldTests {
  private static let limit = 10_000_000
  private static let settings = """
    { "settings": { "access": { "groups": ["daemon"] },
                    "usage": { "budgets": { "root": { "dayBytes": \(limit) }, "*": { "dayBytes": 5000 } } } } }
    """
  /// Sums up the content of all packets of the bearer's link, and all of their bytes, until it is
  /// told to end.
  private static let listener = """
    import select, socket, struct, sys
    link = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
    link.bind((sys.argv[1], 0))
    sums = [0, 0]
    def note():
      with open(sys.argv[2], "w") as file: file.write("%d %d" % tuple(sums))
    note()
    while True:
      if not select.select([link], [], [], 0.05)[0]:
        note()
        continue
      packet = link.recv(65536)
      if packet[0] >> 4 == 4:
        whole, start, kind = struct.unpack("!H", packet[2:4])[0], (packet[0] & 15) * 4, packet[9]
      else:
        whole, start, kind = struct.unpack("!H", packet[4:6])[0] + 40, 40, packet[6]
      sums[1] += whole
      if kind == 6: sums[0] += whole - start - (packet[start + 12] >> 4) * 4
      if kind == 17: sums[0] += whole - start - 8
    """

  private static func bytes(_ rows: [UsageInterface.Usage]) -> Int { rows.reduce(0) { $0 + $1.sent + $1.received } }

  /// Sends and receives tens of kilobytes.
  private static func check(_ world: World) async throws -> CheckInterface.Outcome? {
    var outcome: CheckInterface.Outcome?
    let stream = try await world.client().stream(
      CheckInterface.Open.self,
      .init(
        url: "https://\(world.scenario.chain.aggregator.name)/checks/4915112345678", timeoutMilliseconds: 20_000,
        method: .post, text: String(repeating: "x", count: 60_000)))
    for try await reply in stream { outcome = reply.outcome ?? outcome }
    return outcome
  }

  @Test func `chains, names and probes are counted as the link's packets have them, within 2 percent`() async throws {
    try await Worlds.with(Self.settings) { world in
      // No listener hears of what went before it.
      let bearer = try await world.connect()
      let interface = try #require(bearer.settings?.interface)
      let isProbed = try await world.eventually {
        try await world.client().call(BearerInterface.Get.self, .init()).bearer.traffic == .answered
      }
      #expect(isProbed)
      let notes = world.folder.file("packets")
      let running = try await world.begin(["/usr/bin/python3", "-c", Self.listener, interface, notes])
      defer { running.process.send(SIGKILL) }
      func sums() -> [Int] { (Worlds.contents(of: notes) ?? "").split(separator: " ").compactMap { Int($0) } }
      func counters() async throws -> Int {
        let names = ["rx_bytes", "tx_bytes"].map { "/sys/class/net/\(interface)/statistics/\($0)" }
        let result = try await world.run([
          "sh", "-c", "mount -t sysfs none /sys 2>/dev/null; cat \(names.joined(separator: " "))",
        ])
        return result.output.split(separator: "\n").compactMap { Int($0) }.reduce(0, +)
      }
      let isListening = try await world.eventually { sums() == [0, 0] }
      #expect(isListening)
      let usage = { try await world.client().call(UsageInterface.Get.self, .init(days: 1)) }
      let before = (Self.bytes(try await usage().bearer), try await counters())
      for _ in 0..<5 { #expect(try await Self.check(world) != nil) }
      #expect(try await world.walk("/checks/4915112345678").outcome?.answer?.status == 200)
      var (counted, packets) = (0, [0, 0])
      let isEqual = try await world.eventually {
        counted = Self.bytes(try await usage().bearer) - before.0
        // The listener may be writing its sums anew.
        let sums = sums()
        if sums.count == 2 { packets = sums }
        return counted > 100_000 && abs(packets[0] - counted) * 50 <= counted
      }
      #expect(isEqual, "\(counted) bytes counted, \(packets) in packets")
      let kernel = try await counters() - before.1
      if before.1 > 0 {
        #expect(abs(packets[1] - kernel) * 50 <= kernel, "\(kernel) bytes counted by the kernel, \(packets) in packets")
      }
      let report = try await usage()
      let chains = try #require(report.month.first { $0.purpose == .chains })
      #expect(chains.user == 0 && chains.connections >= 6 && chains.roaming == 0)
      #expect(report.month.contains { $0.purpose == .probes && $0.user == nil })
      #expect(report.days.count == 1 && report.days.first?.usage == report.month)
      #expect(report.budgets.map(\.name) == ["usage.budgets.root.dayBytes"])
      #expect(report.budgets.first?.used == chains.sent + chains.received)
    }
  }

  @Test func `what is used of a budget outlives modemd's end by SIGKILL, and its port's`() async throws {
    try await Worlds.with(Self.settings) { world in
      var used = 0
      for round in 1...3 {
        let walk = try await world.walk("/checks/4915112345678")
        #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
        let budget = try await world.client().call(UsageInterface.Get.self, .init()).budgets.first
        let before = try #require(budget?.used)
        #expect(before > used)
        await world.end(.port)
        await world.end(.service)
        try await world.start(.service)
        try await world.start(.port)
        let isBack = try await world.eventually {
          let modem = try await world.client().call(ModemInterface.List.self, .init()).modems.first
          return modem.map { $0.fault == nil && $0.registration.state == .home } ?? false
        }
        #expect(isBack)
        used = try #require(try await world.client().call(UsageInterface.Get.self, .init()).budgets.first?.used)
        #expect(used >= before && used <= before + 2 * 4096, "round \(round): \(before), then \(used)")
      }
      // An end in good order keeps the very number, and the rows.
      let before = try await world.client().call(UsageInterface.Get.self, .init(days: 3))
      await world.end(.service, with: SIGTERM)
      try await world.start(.service)
      let after = try await world.client().call(UsageInterface.Get.self, .init(days: 3))
      #expect(after.month == before.month && after.budgets == before.budgets && after.days == before.days)
    }
  }

  @Test func `a user learns the user's own usage and budget events, and nothing of others`() async throws {
    try await Worlds.with(Self.settings) { world in
      world.admitMembers()
      let open = #"{"url": "https://\#(world.scenario.chain.aggregator.name)/checks/4915112345678"}"#
      // Root's, and then the first user's.
      #expect(try await world.walk("/checks/4915112345678").outcome?.answer?.status == 200)
      #expect(try await LocalUser.first.call("org.modemd.Check.Open", open, in: world).isAnswered)
      let own = try await LocalUser.first.call("org.modemd.Usage.Get", #"{"days": 2}"#, in: world)
      #expect(own.text.contains("\"user\":61001") && !own.text.contains("\"user\":0"), "\(own.text)")
      // The budget of everybody is spent by checks, which go on.
      #expect(own.text.contains("usage.budgets.*.dayBytes"), "\(own.text)")
      #expect(try await LocalUser.first.call("org.modemd.Check.Open", open, in: world).isAnswered)
      let other = try await LocalUser.second.call("org.modemd.Usage.Get", #"{"days": 2}"#, in: world)
      #expect(!other.text.contains("61001") && !other.text.contains("\"chains\""), "\(other.text)")
      for user in [0, 61_001] {
        let asked = try await LocalUser.second.call("org.modemd.Usage.Get", #"{"user": \#(user)}"#, in: world)
        #expect(asked.error == "org.modemd.Usage.OtherUser")
      }
      #expect(
        try await LocalUser.second.call("org.modemd.Usage.EndSocket", #"{"id": "000000000000"}"#, in: world).error
          == "org.modemd.Usage.NoSuchSocket")
      #expect(try await LocalUser.second.call("org.modemd.Usage.Sockets", in: world).text.contains("\"sockets\":[]"))
      let watched = try await world.client().call(UsageInterface.Get.self, .init(user: 61_001))
      #expect(watched.month.allSatisfy { $0.user == 61_001 } && !watched.month.isEmpty)
      let log = Worlds.contents(of: world.folder.log(of: "modemd")) ?? ""
      #expect(log.contains("user 61001 has used all of usage.budgets.*.dayBytes"))
    }
  }
}
