import Glibc
import ModemAPI
import ModemAPIClient
import Testing

@testable import ScenarioRunner

/// The proxy's socket is open to everybody, and who has the right to use it may want more.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct ProxyAttackTests {
  /// Opens connections to the proxy with a request each, reads nothing, and says how many of them
  /// are open after a while.
  private static let deaf = """
    import socket, sys, time
    sockets = []
    for n in range(int(sys.argv[2])):
      try:
        s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.sendall(sys.argv[3].encode().decode("unicode_escape").encode())
        sockets.append(s)
      except OSError: pass
    print("begun", flush=True)
    time.sleep(600)
    """

  private func begin(_ user: ProxyUser, as attacker: LocalUser, _ count: Int, _ request: String) async throws
    -> RunningCommand
  {
    let attack = try await user.world.begin(
      attacker.words + ["/usr/bin/python3", "-c", Self.deaf, user.world.folder.proxy, "\(count)", request])
    #expect(try await user.world.eventually { attack.output().contains("begun") }, "\(attack.error())")
    return attack
  }

  @Test("a user without the right opens nothing, by either language", .attack(by: .otherUser, .held))
  func stranger() async throws {
    try await ProxyUser.with(as: .stranger) { user in
      let url = "http://\(user.host)/index.html"
      // 97: the proxy refused.
      #expect(try await user.curl(url).end == .exited(97))
      let ask = """
        import socket, sys
        s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.sendall(b"CONNECT a.example:80 HTTP/1.1\\r\\n\\r\\n")
        print(s.makefile().read())
        """
      let told = try await user.world.run(
        user.user.words + ["/usr/bin/python3", "-c", ask, user.world.folder.proxy])
      #expect(told.output.hasPrefix("HTTP/1.1 403 ") && told.output.contains("access.table"), "\(told)")
      let run = try await user.run("curl", "-sS", url)
      #expect(run.end == .exited(125) && run.error.contains("access.table"), "\(run)")
      // The bearer was not even brought up.
      let bearer = try await user.world.client().call(BearerInterface.Get.self, .init()).bearer
      #expect(bearer.state == .down)
    }
  }

  @Test("names and addresses that are this machine's are not reached", .attack(by: .neighbour, .held))
  func thisMachine() async throws {
    try await ProxyUser.with { user in
      let listener = try await user.world.begin([
        "/usr/bin/python3", "-m", "http.server", "8080", "--bind", "::", "--directory", "/proc",
      ])
      defer { listener.process.send(SIGKILL) }
      for answer in ["127.0.0.1 ::1", "192.0.2.2 2001:db8:ffff::2", "169.254.7.7 fe80::7"] {
        _ = try await user.world.client().call(BearerInterface.Disconnect.self, .init())
        _ = try await user.world.perform("names \(answer)")
        let result = try await user.curl("http://\(user.host)/version")
        #expect(result.end == .exited(97) && result.output == "", "\(answer): \(result)")
      }
      _ = try await user.world.perform("names honest")
      for address in ["127.0.0.1", "[::1]", "192.0.2.2", "10.64.0.2", "[::ffff:127.0.0.1]", "0.0.0.0", "localhost"] {
        let result = try await user.curl("http://\(address):8080/version")
        #expect(result.end == .exited(97) && result.output == "", "\(address): \(result)")
      }
      #expect(user.world.leaks.packets == 0, "\(user.world.leaks)")
    }
  }

  @Test("clients that never read hold bounded memory, and others are served", .attack(by: .neighbour, .held))
  func neverReads() async throws {
    try await ProxyUser.with { user in
      let request = #"CONNECT \#(user.host) HTTP/1.1\r\n\r\nGET /zeros?50000000 HTTP/1.0\r\n\r\n"#
      let attack = try await begin(user, as: .trusted, 64, request)
      defer { attack.process.send(SIGKILL) }
      let other = try await user.world.run(["modemctl", "run", "--", "curl", "-sS", "http://\(user.host)/index.html"])
      #expect(other.output.contains("the operator's page"), "\(other)")
      let process = try #require(await user.world.process(of: .service))
      let status = Worlds.contents(of: "/proc/\(process.id)/status") ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
      let kilobytes = line.split(separator: " ").compactMap { Int($0) }.first ?? .max
      #expect(kilobytes < 200_000, "\(line)")
    }
  }

  @Test("half requests without end, and a stranger's connections, keep nobody out", .attack(by: .otherUser, .held))
  func halfOpen() async throws {
    try await ProxyUser.with { user in
      let half = try await begin(user, as: .trusted, 400, "CONNECT")
      let strange = try await begin(user, as: .stranger, 400, "CONNECT")
      defer {
        half.process.send(SIGKILL)
        strange.process.send(SIGKILL)
      }
      let other = try await user.world.run(["modemctl", "run", "--", "curl", "-sS", "http://\(user.host)/index.html"])
      #expect(other.output.contains("the operator's page"), "\(other)")
      // Its own places are free again when the time for a request is over.
      let works = try await user.world.eventually {
        try await user.curl("http://\(user.host)/index.html").output.contains("the operator's page")
      }
      #expect(works)
    }
  }

  @Test("64 connections do not race a budget", .attack(by: .neighbour, .held))
  func racedBudget() async throws {
    let budget = 3_000_000
    let settings = #", "usage": { "budgets": { "\#(LocalUser.trusted.userID)": { "dayBytes": \#(budget) } } }"#
    try await ProxyUser.with(ProxyUser.scenario(settings: settings)) { user in
      let script = """
        for n in $(seq 64); do
          curl -sS --proxy "socks5h://localhost$1" "http://$2/zeros?200000" 2>/dev/null | wc -c &
        done; wait
        """
      let result = try await user.world.run(
        user.user.words + ["sh", "-c", script, "sh", user.world.folder.proxy, user.host])
      let received = result.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.reduce(0, +)
      // Requests and heads count too, and what is on its way when the budget ends is no program's.
      #expect(received <= budget && received > budget * 3 / 4, "\(received)")
      #expect(try await user.curl("http://\(user.host)/index.html").end == .exited(97))
    }
  }
}
